"""Scenarios on the disk beside the compiled program of their stack, each by itself.

Most of the time somebody runs one scenario, or a few, again and again. Those that a pattern does
not mean are not even read: an entry is a list of heads, by which a pattern is judged, each with the
bytes of its scenario. It is made and trusted as the entries of compiled programs are.
"""

import pickle

import attrs

from ziggurat.dsl.packs import Search, read_sources, resolve_stack
from ziggurat.proving.scenarios import is_meant
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset
from ziggurat.runtime.saves.cache import directory, read_entry, stack_key, write_entry


def kept_program(stack_text: str, search: Search | None, pattern: str) -> Program | None:
    """The program of a stack whose ruleset has the scenarios that a pattern means; None if it is
    not kept."""
    stack, _ = resolve_stack(stack_text, search or Search.default())
    if stack is None:
        return None
    sources, problems = read_sources(stack)
    if problems:
        return None
    name = directory() / stack_key(stack, sources)
    program = read_entry(name.with_suffix(".program"))
    entry = read_entry(name.with_suffix(".scenarios"))
    if not isinstance(program, Program) or not isinstance(entry, list):
        return None
    meant = tuple(pickle.loads(body) for head, body in entry if is_meant(head, pattern))
    return attrs.evolve(program, ruleset=attrs.evolve(program.ruleset, scenarios=meant))


def tested_program(ruleset: ir.Ruleset) -> Program:
    """A program as games have it, compiled without the scenarios, whose ruleset has them."""
    bare = attrs.evolve(ruleset, scenarios=())
    return attrs.evolve(compile_ruleset(bare), ruleset=ruleset)


def keep_program(program: Program, search: Search | None) -> None:
    """Keep the scenarios of a program's ruleset, and the program without them."""
    stack, _ = resolve_stack(program.ruleset.stack, search or Search.default())
    if stack is None:
        return
    name = directory() / stack_key(stack, read_sources(stack)[0])
    bare = attrs.evolve(program.ruleset, scenarios=())
    write_entry(name.with_suffix(".program"), attrs.evolve(program.without_sources(), ruleset=bare))
    heads = [(_head(one), pickle.dumps(one)) for one in program.ruleset.scenarios]
    write_entry(name.with_suffix(".scenarios"), heads)


def _head(scenario: ir.Scenario) -> ir.Scenario:
    """What patterns look at, and no more."""
    return ir.Scenario(
        scenario.id, scenario.title, (), (), (), (), meta=scenario.meta, at=scenario.at
    )
