"""What is right by every rule of the language, and is still hardly what its author meant."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ziggurat.dsl.diagnostics import Diagnostic, Note, did_you_mean
from ziggurat.dsl.linking.conditions import unknown_pack
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.syntax import File, Token
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.bodies import declarations
from ziggurat.runtime.kernel.walking import walk


def check_likely_mistakes(world: World, ruleset: ir.Ruleset) -> None:
    _check_titles(world)
    _check_scenarios(world, ruleset)
    if ruleset.turns:
        _check_choices(world, ruleset)


def _check_titles(world: World) -> None:
    """People know things by their titles."""
    given = {one[1]: one[2] for one in world.book.amendments if one[3] == "title"}
    for kind, page in world.things.items():
        seen: dict[str, Decl] = {}
        for decl in page.values():
            first = seen.setdefault(decl.title, decl)
            if decl.title and first is not decl:
                message = f'Two {world.plurals.get(kind, kind)} are called "{decl.title}".'
                if first in given:  # whoever gave the title has to look
                    first, decl = decl, first
                note = Note("The other one is here.", given.get(first, first.name_span))
                advice = "Nobody can tell them apart; give one of them another title."
                world.findings.add(
                    Diagnostic(
                        "Z520", message, given.get(decl, decl.name_span), advice, (note,), "warning"
                    )
                )


# ---- options ------------------------------------------------------------------------------------


def _check_choices(world: World, ruleset: ir.Ruleset) -> None:
    """Each choice of an option must matter: at most one may be what is left when rules have asked
    for all others. Where an option is not only compared, nothing is known."""
    asked: dict[str, list[ir.Lit]] = {}
    uses: Counter[str] = Counter()
    for home in declarations(ruleset):
        for id_, lit in world.remember(_uses_of_options, home):
            uses[id_] += 1 if lit is None else -1
            if lit is not None:
                asked.setdefault(id_, []).append(lit)
    for id_, lits in asked.items():
        option = ruleset.options[id_]
        if option.type.name == "text" and option.choices and not uses[id_]:
            _check_asked(world, option, lits)


def _check_asked(world: World, option: ir.Option, lits: list[ir.Lit]) -> None:
    wrong = [lit for lit in lits if lit.value not in option.choices]
    for lit in wrong:
        near = did_you_mean(str(lit.value), map(str, option.choices))
        listed = ", ".join(f'"{one}"' for one in option.choices)
        message = f'`{option.id}` is never "{lit.value}".'
        world.warn("Z521", message, span_of(world, lit.at), near or f"Its choices are {listed}.")
    asked = {lit.value for lit in lits}
    left = [one for one in option.choices if one not in asked]
    if len(left) > 1 and not wrong:
        listed = " and ".join(f'"{one}"' for one in left)
        message = f"No rule asks for {listed} of `{option.id}`, so they play alike."
        advice = "Ask for each but one of them in a rule, or take it away from the choices."
        world.warn("Z521", message, world.book.of("option")[option.id].name_span, advice)


def _uses_of_options(home: Any) -> list[tuple[str, ir.Lit | None]]:
    """The options that a declaration names, and again those that it compares."""
    found: list[tuple[str, ir.Lit | None]] = []
    for node in walk(home):
        if isinstance(node, ir.OptionRef):
            found.append((node.id, None))
        found += _comparisons(node)
    return found


def _comparisons(node: Any) -> Iterator[tuple[str, ir.Lit]]:
    """The options that a node compares, each with what it is compared with."""
    match node:
        case ir.Op(
            op="==" | "!=",
            args=(ir.OptionRef(id=id_), ir.Lit() as lit) | (ir.Lit() as lit, ir.OptionRef(id=id_)),
        ):
            yield id_, lit


# ---- scenarios ----------------------------------------------------------------------------------


def _check_scenarios(world: World, ruleset: ir.Ruleset) -> None:
    meant_here = {scenario.id for scenario in ruleset.scenarios}
    for decl in world.book.scenarios:
        for token, file in _packs(decl):
            check_pack(world, token, file)
        if decl.path in meant_here and world.seat_kind:
            _check_cast(world, decl)


def check_pack(world: World, token: Token, file: File) -> None:
    """A pack that is named must be one that there is, in this stack or elsewhere."""
    wrong = unknown_pack(world.stack, token, file.span(token))
    if wrong is not None:
        world.findings.add(wrong)


def _packs(decl: Decl) -> Iterator[tuple[Token, Any]]:
    """The packs that a scenario names."""
    for head in decl.node.heads:
        if head.rule == "head_for":
            yield head.parts[0].parts[0], decl.file
        elif head.rule == "head_word" and head.parts[0] != "without":
            yield head.parts[0], decl.file
    for node, file in decl.items:
        if getattr(node, "rule", "") == "expect" and node.parts[0] is not None:
            yield node.parts[0], file


def _check_cast(world: World, decl: Decl) -> None:
    """A free name of a player that is nearly the name of a seat is probably that."""
    own = {node.id for node, _ in decl.items if hasattr(node, "word")}
    for node, file in decl.items:
        for token in node.parts if getattr(node, "rule", "") == "cast" else ():
            known = token in world.things[world.seat_kind] or token in own or len(token) <= 3
            near = None if known else world.like_a_thing(token, world.seat_kind)
            if near:
                message = f"`{token}` is read as the free name of a player who plays no"
                message += f" {world.seat_kind.replace('_', ' ')}."
                advice = f"If you mean the {world.seat_kind}, write `{near}`; otherwise choose"
                world.warn("Z522", message, file.span(token), f"{advice} a name less like it.")
