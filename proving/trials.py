"""Stacks that nobody asked for: some packs of a stack, or a pack with a single one of its changes.

To say what changed a scenario, it is run without most of what the stack does. What one stack was
linked and compiled to serves the next, since they differ in little.
"""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.linking.model import BUILT_IN, is_meta
from ziggurat.dsl.linking.relinking import LinkedDeclarations
from ziggurat.dsl.loading import ParsedFiles, load_sources
from ziggurat.dsl.packs import Search, Stack, read_sources, resolve_stack
from ziggurat.dsl.syntax import Declaration, Node
from ziggurat.proving.scenarios import run_scenario
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

# What a pack declares without changing a game by that alone.
_HARMLESS = frozenset(BUILT_IN) - {"action", "phase", "rule", "turn"}


@attrs.frozen
class Change:
    """One thing that a pack does: a clause of a rule, a part of an amendment, something new. `top`
    is the offset of the declaration or amendment that it stands in."""

    source: Source
    start: int
    end: int
    top: int
    is_new: bool = False

    def holds(self, at: ir.At) -> bool:
        """Whether a place lies in it."""
        if at.file != self.source.path:
            return False
        return (
            self.source.position(self.start)
            <= (at.line, at.column)
            < self.source.position(self.end)
        )


class Linker:
    """Links and compiles one stack after the other; what is the same is not done again."""

    def __init__(self) -> None:
        self.parsed = ParsedFiles()
        self._linked = LinkedDeclarations()
        self._last: Program | None = None

    def program(self, stack: Stack, sources: Sequence[Source]) -> Program | None:
        """The program of a stack with these texts, or None if anything is wrong with it."""
        result = load_sources(sources, stack, (), self.parsed, self._linked)
        if result.ruleset is None:
            return None
        bare = attrs.evolve(result.ruleset, scenarios=())
        # A scenario or two run in each: too few for inlined values to pay.
        self._last = compile_ruleset(bare, straight=False, earlier=self._last)
        return attrs.evolve(self._last, ruleset=result.ruleset)


class Trials:
    """Programs of parts of a stack; None for what cannot be loaded."""

    def __init__(self, stack_text: str, search: Search | None = None) -> None:
        whole, _ = resolve_stack(stack_text, search or Search.default())
        self.packs = whole.packs if whole is not None else ()
        self._known = whole.known if whole is not None else tuple
        self._sources: dict[str, list[Source]] = {pack.id: [] for pack in self.packs}
        for source in read_sources(whole)[0] if whole is not None else ():
            self._sources[source.pack].append(source)
        self._linker = Linker()
        self._programs: dict[tuple[object, ...], Program | None] = {}

    def needed(self, name: str) -> frozenset[str]:
        """A pack and all that it cannot do without."""
        by_id = {pack.id: pack for pack in self.packs}
        reached, waiting = {name}, [name]
        while waiting:
            pack = by_id[waiting.pop()]
            fresh = {need.id for need in (*pack.extends, *pack.requires)} & by_id.keys() - reached
            reached |= fresh
            waiting += fresh
        return frozenset(reached)

    def home(self, scenario: ir.Scenario) -> frozenset[str]:
        """Return the smallest part of the stack in which a scenario passes: its own pack with all
        that this needs, and as many of the games below the others as it takes."""
        reached = self.needed(scenario.meta.origin)
        for pack in self.packs:
            if passes(self.program(reached), scenario):
                break
            if not pack.incomplete:
                reached |= self.needed(pack.id)
        return reached

    def without(self, name: str) -> frozenset[str]:
        """All packs but one and those that need it."""
        return frozenset(one.id for one in self.packs if name not in self.needed(one.id))

    def program(
        self, packs: frozenset[str], changing: str = "", kept: Sequence[Change] | None = None
    ) -> Program | None:
        """The program of some packs; the one called `changing` does only what is `kept`."""
        key = (packs, changing, None if kept is None else tuple(kept))
        if key not in self._programs:
            self._programs[key] = self._load(packs, changing, kept)
        return self._programs[key]

    def _load(
        self, packs: frozenset[str], changing: str, kept: Sequence[Change] | None
    ) -> Program | None:
        chosen = tuple(pack for pack in self.packs if pack.id in packs)
        stack = Stack(chosen, tuple(pack.id for pack in chosen), self._known)
        sources = [one for pack in chosen for one in self._sources[pack.id]]
        if kept is not None:
            left = {self._reduced(one, kept) for one in sources if one.pack == changing}
            by_path = {one.path: one for one in left}
            sources = [by_path.get(one.path, one) for one in sources]
        return self._linker.program(stack, sources)

    def changes(self, pack: str) -> list[Change]:
        """All that a pack does, in the order of its files."""
        return [change for one in self._sources[pack] for change in self._changes(one)]

    def _changes(self, source: Source) -> Iterator[Change]:
        for top in self._linker.parsed.parse(source)[0].tops:
            parts = _parts(top)
            if parts is not None:
                yield from (Change(source, one.start, one.end, top.start) for one in parts)
            elif isinstance(top, Declaration):
                if top.word not in _HARMLESS:
                    yield Change(source, top.start, top.end, top.start, is_new=True)
            elif top.rule in _WHOLE:
                yield Change(source, top.start, top.end, top.start)

    def _reduced(self, source: Source, kept: Sequence[Change]) -> Source:
        """A text without the changes that are not kept, and without what is expected of scenarios;
        every line stays where it is."""
        mine = [one for one in self._changes(source) if one not in kept]
        tops = {one.top for one in kept if one.source == source}
        gone = [(one.start, one.end) for one in mine]
        for top in self._linker.parsed.parse(source)[0].tops:
            is_emptied = _parts(top) is not None and top.start not in tops
            if is_emptied or _is_about_scenarios(top):
                gone.append((top.start, top.end))
        return blanked(source, gone)


_WHOLE = frozenset({"replace_decl", "remove_decl", "rename_decl"})


def _is_about_scenarios(top: Node | Declaration) -> bool:
    """Whether something is a scenario of the pack itself, or what it expects of others."""
    return top.word == "scenario" if isinstance(top, Declaration) else top.rule == "expects"


def _parts(top: Node | Declaration) -> list[Node | Declaration] | None:
    """The parts of an amendment, or the clauses of a rule; None for what has none."""
    if isinstance(top, Declaration):
        inside = (top.items or ()) if top.word == "rule" else None
    else:
        inside = top.parts[-1].parts if top.rule == "amend" else None
    return None if inside is None else [one for one in inside if not is_meta(one)]


def blanked(source: Source, places: Iterable[tuple[int, int]]) -> Source:
    """A text with nothing where these were; the lines of all others stay what they are."""
    text = source.text
    for start, end in places:
        gone = "".join(one if one == "\n" else " " for one in text[start:end])
        text = f"{text[:start]}{gone}{text[end:]}"
    return Source(source.path, text, source.pack) if text != source.text else source


def same_scenario(program: Program | None, scenario: ir.Scenario) -> ir.Scenario | None:
    """A scenario as it is in other rules; None if it is not in them."""
    if program is None:
        return None
    known = (one for one in program.ruleset.scenarios if one.id == scenario.id)
    return next((one for one in known if one.at.file == scenario.at.file), None)


def passes(program: Program | None, scenario: ir.Scenario) -> bool | None:
    """Whether a scenario comes out in other rules as everybody expects it; None if it is not in
    them."""
    mine = same_scenario(program, scenario)
    if program is None or mine is None:
        return None
    return all(run_scenario(program, one).passed for one in outcomes(mine))


def outcomes(scenario: ir.Scenario) -> tuple[ir.Scenario, ...]:
    """A scenario as each of the packs expects it that do not know each other; itself if there is
    no such pack."""
    other = scenario.otherwise
    if other is None or not other.rivals:
        return (scenario,)
    alone = (*other.rivals, attrs.evolve(other, rivals=()))
    return tuple(attrs.evolve(scenario, otherwise=one) for one in alone)
