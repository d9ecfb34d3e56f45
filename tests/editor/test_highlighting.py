"""The colours of rules without a server: one description, two machines."""

import json
import re
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Operator, String

from tests.editor import npm
from ziggurat.studio.editor import highlighting as sorts
from ziggurat.studio.editor.highlighting import paints
from ziggurat.studio.editor.lexer import RulesLexer
from ziggurat.studio.editor.textmate import written

ROOT = Path(__file__).parents[2]
GRAMMAR = ROOT / "editors" / "vscode" / "syntaxes" / "rules.tmLanguage.json"
EXAMPLE = """\
advance engineering "Engineering" {   # walls
  modify attack_tokens(attacker, holder) by +1 when not attacker holds engineering  tags A-1
  cost: 160
}
scenario "walls hold" { say "{p} pays." }
value order_of(p: player): bool = yes
"""


def painted() -> dict[str, object]:
    return {text: kind for kind, text in RulesLexer().get_tokens(EXAMPLE)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("advance", Keyword.Declaration), ("engineering", None), ("# walls", Comment.Single),
        ("modify", Keyword), ("attack_tokens", Name.Function), ("holds", Operator.Word),
        ("A-1", Name.Label), ("cost", Name.Attribute), ("160", Number.Integer),
        ("{p}", String.Interpol), ("yes", Keyword.Constant), ("order_of", Name.Class),
    ],
)  # fmt: skip
def test_words_have_the_colour_of_what_they_are(text: str, kind: object) -> None:
    assert text in painted()
    assert kind is None or painted()[text] is kind


# Words of the language where older patterns saw declarations.
NO_DECLARATIONS = [
    'otherwise because "The reason." {',
    "  let worth = c.value for c",
    "  if a.mark is none { }",
    "  select given by cost",
    "  remove all city of p in a",
    "  run phase growth to last",
]


@pytest.mark.parametrize("line", NO_DECLARATIONS)
def test_words_of_the_language_are_no_declarations(line: str) -> None:
    kinds = {kind for kind, _ in RulesLexer().get_tokens(line)}
    assert kinds.isdisjoint({Keyword.Declaration, Name.Class})


def test_patterns_begin_where_words_begin() -> None:
    """A machine that searches ahead would try any other one at every letter of a long word."""
    words = [paint.pattern for paint in paints() if sorts.NAME in paint.pattern]
    assert [one for one in words if not one.startswith((r"\b", r"(\.)"))] == []


@pytest.mark.slow
def test_vs_code_paints_like_pygments() -> None:
    environment = npm.install("vscode-textmate@9", "vscode-oniguruma@2")
    files = sorted((ROOT / "content" / "core").rglob("*.rules"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    lines = [*NO_DECLARATIONS, "a" * 8_000, *(line for text in texts for line in text.split("\n"))]
    asked = json.dumps({"grammar": str(GRAMMAR), "lines": lines})
    painted = json.loads(npm.run("paint.js", asked, environment))
    declared = ("entity.name.type.ziggurat-rules", "storage.type.ziggurat-rules")
    kinds = (Name.Class, Keyword.Declaration)
    for line, found in zip(lines, painted, strict=True):
        theirs = [text for text, scope in found["parts"] if scope in declared]
        assert theirs == [text for kind, text in RulesLexer().get_tokens(line) if kind in kinds]
    assert painted[len(NO_DECLARATIONS)]["seconds"] < 0.5


def test_pygments_finds_the_lexer() -> None:
    assert isinstance(get_lexer_by_name("ziggurat-rules"), RulesLexer)
    assert isinstance(get_lexer_for_filename("west.rules"), RulesLexer)


@pytest.mark.parametrize("pack", ["core", "west", "east", "mega", "expansion_project"])
def test_nothing_in_real_rules_is_strange_to_the_lexer(pack: str) -> None:
    for path in sorted((ROOT / "content" / pack).rglob("*.rules")):
        text = path.read_text(encoding="utf-8")
        tokens = list(RulesLexer().get_tokens(text))
        strange = [word for kind, word in tokens if kind in (Error, Literal)]
        assert strange == []
        assert "".join(word for _, word in tokens).strip() == text.strip()


def test_the_extension_has_the_grammar_of_today() -> None:
    assert GRAMMAR.read_text(encoding="utf-8") == written()


def test_patterns_mean_the_same_to_both_machines() -> None:
    """Neither looks behind, names groups, nor uses anything else that only one of them knows."""
    for paint in paints():
        assert re.compile(paint.pattern).groups == (len(paint.sorts) if len(paint.sorts) > 1 else
                                                    re.compile(paint.pattern).groups)  # fmt: skip
        assert "(?<" not in paint.pattern
        assert "(?P" not in paint.pattern
