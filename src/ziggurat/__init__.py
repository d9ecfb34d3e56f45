"""Board game rules as data: load a ruleset, check it, play it, explain and compare it.

    import ziggurat

    ruleset = ziggurat.load("west").ruleset
    game = ziggurat.start(ruleset, players=5, seed=1)
    print(game.decision.prompt, game.decision.options())

This is all that programs outside of Ziggurat, and its own front ends, may use; the rooms behind it
(`dsl`, `runtime`, `proving`, `studio`) may change at any time. Nothing is imported before it is
asked for. `docs/python.md` shows how the parts are used.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

# Installed, the rooms (`dsl`, `runtime`, `proving`, `studio`, `content`) lie in this package. In a
# checkout they are the folders two levels up: found here, they add no other importable name.
_CHECKOUT = Path(__file__).resolve().parents[2]
if (_CHECKOUT / "pyproject.toml").is_file():
    __path__.insert(0, str(_CHECKOUT))

if TYPE_CHECKING:
    from ziggurat.dsl import symbols as symbols
    from ziggurat.dsl.codes import CODE, Page, all_codes, page
    from ziggurat.dsl.comparing.arrangement import Arrangement, Heading, Marked, Provision, arrange
    from ziggurat.dsl.comparing.columns import Columns, Group, Row, RowPage, side_by_side
    from ziggurat.dsl.completing import Candidate, completions
    from ziggurat.dsl.completing_manifest import manifest_completions
    from ziggurat.dsl.declared import Declared, declarations, declaring_words
    from ziggurat.dsl.described import Change, Description, changes_of, described
    from ziggurat.dsl.diagnostics import Diagnostic, Findings, Source, Span
    from ziggurat.dsl.diff import CHANGES, Difference, Entry, Side, diff, section_names
    from ziggurat.dsl.files import (
        cache_folder,
        kept_rules_folder,
        library_folder,
        lock_file,
        read_cached,
        replace_file,
        write_cached,
    )
    from ziggurat.dsl.format import Formatted, format_checked, format_source, refusal
    from ziggurat.dsl.forms.open_places import opening_signature
    from ziggurat.dsl.linking.hashing import content_hash, meaning_hash
    from ziggurat.dsl.linking.named import NamedDeclaration, NamePlace, Names
    from ziggurat.dsl.loading import LoadResult, load, load_sources
    from ziggurat.dsl.manifest import parse_manifest
    from ziggurat.dsl.mending import Edit, Remedy, remedies, scenario_for
    from ziggurat.dsl.nearest import did_you_mean, nearest
    from ziggurat.dsl.outline import (
        Call,
        Colour,
        call_around,
        calls,
        colours,
        folds,
        language_words,
    )
    from ziggurat.dsl.packs import (
        MANIFEST,
        STACK_NAME,
        Pack,
        Search,
        catalogue_name,
        find_packs,
        is_built_in,
        is_pack,
        load_pack,
        package_folders,
        read_catalogues,
        read_rules_file,
        read_sources,
        real_path,
        resolve_stack,
    )
    from ziggurat.dsl.parse import parse_expression, parse_source
    from ziggurat.dsl.players import players_span, players_text
    from ziggurat.dsl.playing_texts import hash_texts, keep_playing_text
    from ziggurat.dsl.printing.resolved import removed, resolvable, resolved
    from ziggurat.dsl.printing.whole import declaration_texts
    from ziggurat.dsl.readings import (
        BY_OPTION,
        BY_PACK,
        HOLDS,
        NOT_BUILT,
        ReadingHere,
        by_number,
        places,
        readings,
        showing_scenarios,
    )
    from ziggurat.dsl.report import findings_shape, render_github, render_json, summary
    from ziggurat.dsl.report_text import human_text, render_human
    from ziggurat.dsl.survey import Comments, DecisionPoint, decision_points, signature
    from ziggurat.dsl.telling.cards import Card, CardEntry, CardField
    from ziggurat.dsl.telling.marked import Piece, pieces, plain
    from ziggurat.dsl.telling.sentences import Sentences
    from ziggurat.dsl.telling.steps import Told
    from ziggurat.dsl.texts import line_end_of, unify_line_ends
    from ziggurat.dsl.translating.catalogue import (
        BadCatalogue,
        Translation,
        TranslationProgress,
        read_translation,
        translated,
        translation_progress,
        updated_translation,
        wordings_of,
        written_translation,
    )
    from ziggurat.dsl.translating.languages import fresh_translation, language_of
    from ziggurat.dsl.translating.wordings import Wording, wordings
    from ziggurat.dsl.uses import Uses
    from ziggurat.dsl.version import __version__
    from ziggurat.dsl.workspace import OutOfDate, Workspace
    from ziggurat.proving.acceptance import Acceptance, Accepted, Worse, ending
    from ziggurat.proving.arena import (
        FAILED,
        FINISHED,
        POLICIES,
        TROUBLE,
        UNFINISHED,
        Arena,
        GameRecord,
        Trial,
        measured,
        policies,
        sentences_of,
    )
    from ziggurat.proving.behaviour import (
        Behaviour,
        Divergence,
        FirstDifference,
        Outcome,
        Seen,
        compare,
    )
    from ziggurat.proving.changes import BROKEN, CHANGED, KEPT, Judge, Judgement, judge_of, misfits
    from ziggurat.proving.coverage import Coverage, coverage
    from ziggurat.proving.deciding import deciding_hash, engine_hash
    from ziggurat.proving.explain import Clause, Condition, Explanation
    from ziggurat.proving.explained import load_save, new_save, search_for, start, why_not
    from ziggurat.proving.facts import UNKNOWN, Facts
    from ziggurat.proving.faulty import faulty_of, load_tested
    from ziggurat.proving.happened import Happening
    from ziggurat.proving.kept_scenarios import keep_program, kept_program, tested_program
    from ziggurat.proving.last_run import failed_before, remember_failed
    from ziggurat.proving.led import Led
    from ziggurat.proving.mutants import Mutant, mutants
    from ziggurat.proving.mutate import MutantOutcome, Reach, check_mutant, check_mutants, sample
    from ziggurat.proving.phrasing import cites, pack_of, where
    from ziggurat.proving.questions import BadQuestion, Verdict, evaluate, explain
    from ziggurat.proving.questions_in_games import (
        explain_at,
        explain_to,
        refused_to,
        why_happened,
    )
    from ziggurat.proving.ran import Ran
    from ziggurat.proving.reasons import Reason
    from ziggurat.proving.refusals import Refusal
    from ziggurat.proving.scenarios import Failure, Result, Runner, matching, run_scenario
    from ziggurat.proving.set_up import start_at, start_from, with_scenarios
    from ziggurat.proving.standing import Standing
    from ziggurat.proving.turn_tables import record_rows, turn_rows
    from ziggurat.proving.unadvised import Unadvised, unadvised
    from ziggurat.proving.usage import all_options
    from ziggurat.proving.walks import WalkStep, walk_through
    from ziggurat.runtime import kernel as ir
    from ziggurat.runtime.bots.lookahead import Searching
    from ziggurat.runtime.bots.policies import Advised, Custom, Policy, Random, answer_of, play
    from ziggurat.runtime.game.decisions import END, Decision, member_type
    from ziggurat.runtime.game.game import Game
    from ziggurat.runtime.game.log import HIDDEN, Event
    from ziggurat.runtime.game.moment import Moment
    from ziggurat.runtime.kernel.errors import InternalError, Refused, RulesError
    from ziggurat.runtime.kernel.names import UnknownName
    from ziggurat.runtime.kernel.position import Position
    from ziggurat.runtime.kernel.program import Program
    from ziggurat.runtime.kernel.ruleset import Ruleset
    from ziggurat.runtime.kernel.table import ONLOOKER, Seat
    from ziggurat.runtime.kernel.walking import walk
    from ziggurat.runtime.programs import compile_ruleset
    from ziggurat.runtime.saves.cache import load_program
    from ziggurat.runtime.saves.format import (
        REDO,
        UNDO,
        BadSave,
        Header,
        SavedAnswer,
        embed_rules,
    )
    from ziggurat.runtime.saves.lock import SaveInUse, SaveLock, lock_save
    from ziggurat.runtime.saves.rules import Fit, OtherRules, is_other_version
    from ziggurat.runtime.saves.save import Save, free_path, read_header

# Where each name comes from. Grouped as `docs/python.md` tells of them; the imports above are the
# same for type checkers, and a test compares the two.
_HOMES = {
    # rules: load them, check them, look at what they declare, compare and format them
    "dsl": "symbols",
    "runtime": "ir",
    "dsl.codes": "CODE Page all_codes page",
    "dsl.comparing.arrangement": "Arrangement Heading Marked Provision arrange",
    "dsl.comparing.columns": "Columns Group Row RowPage side_by_side",
    "dsl.completing": "Candidate completions",
    "dsl.completing_manifest": "manifest_completions",
    "dsl.declared": "Declared declarations declaring_words",
    "dsl.described": "Change Description changes_of described",
    "dsl.diagnostics": "Diagnostic Findings Source Span",
    "dsl.diff": "CHANGES Difference Entry Side diff section_names",
    "dsl.files": "cache_folder kept_rules_folder library_folder lock_file read_cached replace_file"
    " write_cached",
    "dsl.format": "Formatted format_checked format_source refusal",
    "runtime.kernel.ruleset": "Ruleset",
    "dsl.linking.hashing": "content_hash meaning_hash",
    "dsl.linking.named": "NamedDeclaration NamePlace Names",
    "dsl.loading": "LoadResult load load_sources",
    "dsl.manifest": "parse_manifest",
    "dsl.mending": "Edit Remedy remedies scenario_for",
    "dsl.nearest": "did_you_mean nearest",
    "dsl.outline": "Call Colour call_around calls colours folds language_words",
    "dsl.packs": "MANIFEST STACK_NAME Pack Search catalogue_name find_packs is_built_in is_pack"
    " load_pack package_folders read_catalogues read_rules_file read_sources real_path"
    " resolve_stack",
    "dsl.parse": "parse_expression parse_source",
    "dsl.playing_texts": "hash_texts keep_playing_text",
    "dsl.players": "players_span players_text",
    "dsl.printing.resolved": "removed resolvable resolved",
    "dsl.printing.whole": "declaration_texts",
    "dsl.readings": "BY_OPTION BY_PACK HOLDS NOT_BUILT ReadingHere by_number places readings"
    " showing_scenarios",
    "dsl.report": "findings_shape render_github render_json summary",
    "dsl.report_text": "human_text render_human",
    "dsl.survey": "Comments DecisionPoint decision_points signature",
    "dsl.telling.cards": "Card CardEntry CardField",
    "dsl.telling.marked": "Piece pieces plain",
    "dsl.telling.sentences": "Sentences",
    "dsl.telling.steps": "Told",
    "dsl.texts": "line_end_of unify_line_ends",
    "dsl.translating.catalogue": "BadCatalogue Translation TranslationProgress"
    " read_translation translated translation_progress updated_translation wordings_of"
    " written_translation",
    "dsl.translating.languages": "fresh_translation language_of",
    "dsl.translating.wordings": "Wording wordings",
    "dsl.uses": "Uses",
    "dsl.version": "__version__",
    "dsl.workspace": "OutOfDate Workspace",
    "dsl.forms.open_places": "opening_signature",
    "runtime.kernel.walking": "walk",
    # games: start them, look at decisions, answer, copy, save, let policies play
    "proving.explained": "load_save new_save search_for start why_not",
    "runtime.saves.cache": "load_program",
    "runtime.game.decisions": "END Decision member_type",
    "runtime.kernel.errors": "InternalError Refused RulesError",
    "runtime.game.game": "Game",
    "runtime.game.log": "HIDDEN Event",
    "runtime.bots.lookahead": "Searching",
    "runtime.game.moment": "Moment",
    "runtime.kernel.names": "UnknownName",
    "runtime.bots.policies": "Advised Custom Policy Random answer_of play",
    "runtime.kernel.position": "Position",
    "runtime.kernel.program": "Program",
    "runtime.programs": "compile_ruleset",
    "runtime.saves.format": "REDO UNDO BadSave Header SavedAnswer embed_rules",
    "runtime.saves.lock": "SaveInUse SaveLock lock_save",
    "runtime.saves.rules": "Fit OtherRules is_other_version",
    "runtime.saves.save": "Save free_path read_header",
    "runtime.kernel.table": "ONLOOKER Seat",
    # proofs: explain, run scenarios, say what they leave out, compare how rules behave, measure
    "proving.acceptance": "Acceptance Accepted Worse ending",
    "proving.arena": "FAILED FINISHED POLICIES TROUBLE UNFINISHED Arena GameRecord Trial"
    " measured policies sentences_of",
    "proving.behaviour": "Behaviour Divergence FirstDifference Outcome Seen compare",
    "proving.changes": "BROKEN CHANGED KEPT Judge Judgement judge_of misfits",
    "proving.coverage": "Coverage coverage",
    "proving.deciding": "deciding_hash engine_hash",
    "proving.explain": "Clause Condition Explanation",
    "proving.facts": "UNKNOWN Facts",
    "proving.faulty": "faulty_of load_tested",
    "proving.happened": "Happening",
    "proving.kept_scenarios": "keep_program kept_program tested_program",
    "proving.last_run": "failed_before remember_failed",
    "proving.led": "Led",
    "proving.mutants": "Mutant mutants",
    "proving.mutate": "MutantOutcome Reach check_mutant check_mutants sample",
    "proving.phrasing": "cites pack_of where",
    "proving.questions": "BadQuestion Verdict evaluate explain",
    "proving.questions_in_games": "explain_at explain_to refused_to why_happened",
    "proving.ran": "Ran",
    "proving.reasons": "Reason",
    "proving.refusals": "Refusal",
    "proving.scenarios": "Failure Result Runner matching run_scenario",
    "proving.set_up": "start_at start_from with_scenarios",
    "proving.standing": "Standing",
    "proving.turn_tables": "record_rows turn_rows",
    "proving.unadvised": "Unadvised unadvised",
    "proving.usage": "all_options",
    "proving.walks": "WalkStep walk_through",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "BROKEN",
    "BY_OPTION",
    "BY_PACK",
    "CHANGED",
    "CHANGES",
    "CODE",
    "END",
    "FAILED",
    "FINISHED",
    "HIDDEN",
    "HOLDS",
    "KEPT",
    "MANIFEST",
    "NOT_BUILT",
    "ONLOOKER",
    "POLICIES",
    "REDO",
    "STACK_NAME",
    "TROUBLE",
    "UNDO",
    "UNFINISHED",
    "UNKNOWN",
    "Acceptance",
    "Accepted",
    "Advised",
    "Arena",
    "Arrangement",
    "BadCatalogue",
    "BadQuestion",
    "BadSave",
    "Behaviour",
    "Call",
    "Candidate",
    "Card",
    "CardEntry",
    "CardField",
    "Change",
    "Clause",
    "Colour",
    "Columns",
    "Comments",
    "Condition",
    "Coverage",
    "Custom",
    "Decision",
    "DecisionPoint",
    "Declared",
    "Description",
    "Diagnostic",
    "Difference",
    "Divergence",
    "Edit",
    "Entry",
    "Event",
    "Explanation",
    "Facts",
    "Failure",
    "Findings",
    "FirstDifference",
    "Fit",
    "Formatted",
    "Game",
    "GameRecord",
    "Group",
    "Happening",
    "Header",
    "Heading",
    "InternalError",
    "Judge",
    "Judgement",
    "Led",
    "LoadResult",
    "Marked",
    "Moment",
    "Mutant",
    "MutantOutcome",
    "NamePlace",
    "NamedDeclaration",
    "Names",
    "OtherRules",
    "OutOfDate",
    "Outcome",
    "Pack",
    "Page",
    "Piece",
    "Policy",
    "Position",
    "Program",
    "Provision",
    "Ran",
    "Random",
    "Reach",
    "ReadingHere",
    "Reason",
    "Refusal",
    "Refused",
    "Remedy",
    "Result",
    "Row",
    "RowPage",
    "RulesError",
    "Ruleset",
    "Runner",
    "Save",
    "SaveInUse",
    "SaveLock",
    "SavedAnswer",
    "Search",
    "Searching",
    "Seat",
    "Seen",
    "Sentences",
    "Side",
    "Source",
    "Span",
    "Standing",
    "Told",
    "Translation",
    "TranslationProgress",
    "Trial",
    "Unadvised",
    "UnknownName",
    "Uses",
    "Verdict",
    "WalkStep",
    "Wording",
    "Workspace",
    "Worse",
    "__version__",
    "all_codes",
    "all_options",
    "answer_of",
    "arrange",
    "by_number",
    "cache_folder",
    "call_around",
    "calls",
    "catalogue_name",
    "changes_of",
    "check_mutant",
    "check_mutants",
    "cites",
    "colours",
    "compare",
    "compile_ruleset",
    "completions",
    "content_hash",
    "coverage",
    "deciding_hash",
    "decision_points",
    "declaration_texts",
    "declarations",
    "declaring_words",
    "described",
    "did_you_mean",
    "diff",
    "embed_rules",
    "ending",
    "engine_hash",
    "evaluate",
    "explain",
    "explain_at",
    "explain_to",
    "failed_before",
    "faulty_of",
    "find_packs",
    "findings_shape",
    "folds",
    "format_checked",
    "format_source",
    "free_path",
    "fresh_translation",
    "hash_texts",
    "human_text",
    "ir",
    "is_built_in",
    "is_other_version",
    "is_pack",
    "judge_of",
    "keep_playing_text",
    "keep_program",
    "kept_program",
    "kept_rules_folder",
    "language_of",
    "language_words",
    "library_folder",
    "line_end_of",
    "load",
    "load_pack",
    "load_program",
    "load_save",
    "load_sources",
    "load_tested",
    "lock_file",
    "lock_save",
    "manifest_completions",
    "matching",
    "meaning_hash",
    "measured",
    "member_type",
    "misfits",
    "mutants",
    "nearest",
    "new_save",
    "opening_signature",
    "pack_of",
    "package_folders",
    "page",
    "parse_expression",
    "parse_manifest",
    "parse_source",
    "pieces",
    "places",
    "plain",
    "play",
    "players_span",
    "players_text",
    "policies",
    "read_cached",
    "read_catalogues",
    "read_header",
    "read_rules_file",
    "read_sources",
    "read_translation",
    "readings",
    "real_path",
    "record_rows",
    "refusal",
    "refused_to",
    "remedies",
    "remember_failed",
    "removed",
    "render_github",
    "render_human",
    "render_json",
    "replace_file",
    "resolvable",
    "resolve_stack",
    "resolved",
    "run_scenario",
    "sample",
    "scenario_for",
    "search_for",
    "section_names",
    "sentences_of",
    "showing_scenarios",
    "side_by_side",
    "signature",
    "start",
    "start_at",
    "start_from",
    "summary",
    "symbols",
    "tested_program",
    "translated",
    "translation_progress",
    "turn_rows",
    "unadvised",
    "unify_line_ends",
    "updated_translation",
    "walk",
    "walk_through",
    "where",
    "why_happened",
    "why_not",
    "with_scenarios",
    "wordings",
    "wordings_of",
    "write_cached",
    "written_translation",
]


# Names that are modules: the nodes of rules are the kernel itself.
_MODULES = {"ir": "runtime.kernel", "symbols": "dsl.symbols"}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _MODULES:
        value: Any = import_module(f"{__name__}.{_MODULES[name]}")
    else:
        value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
