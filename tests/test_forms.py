"""Every form of the language has all its parts in all rooms; one that lacks a part is named."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pkgutil import iter_modules
from typing import Any

import attrs
import pytest

from tests.dsl.test_language_page import GAME, PAGE, VARIANT, link
from ziggurat.dsl import forms as linked_forms
from ziggurat.dsl.forms.stages import HEADS
from ziggurat.dsl.linking.expressions import FUNCTIONS
from ziggurat.dsl.printing import declarations as printed
from ziggurat.dsl.printing import printer
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import declarations, expressions, statements
from ziggurat.runtime.compiler import forms as lowered_forms
from ziggurat.runtime.kernel import evaluator, steps, walker
from ziggurat.runtime.kernel import forms as evaluated_forms
from ziggurat.runtime.kernel.arithmetic import OPERATIONS as OF_NUMBERS
from ziggurat.runtime.kernel.description import FORMS, form
from ziggurat.runtime.kernel.walking import walk
from ziggurat.runtime.programs import compile_ruleset

SORTS = ("expression", "statement", "declaration")
PRINTING = dict(zip(SORTS, (printer.TEXTS, printer.LINES, printed.DECLARATIONS), strict=True))
LOWERING: dict[str, Mapping[Any, Any]] = {
    "expression": expressions.EXPRESSIONS,
    "statement": statements.STATEMENTS,
    "declaration": declarations.DECLARATIONS,
}
EVALUATION: dict[str, Mapping[Any, Any]] = {
    "expression": evaluator.EXPRESSIONS,
    "statement": steps.STATEMENTS,
    "declaration": walker.DECLARATIONS,
}
# What runs; all other declarations are data of the table, tests or pictures.
RUNNING = {ir.Value, ir.Order, ir.Procedure, ir.Thing, ir.Phase, ir.Action, ir.Advice}
OPERATIONS = {
    op
    for known in (OF_NUMBERS, printer.OPERATIONS, expressions.OPERATIONS, evaluator.OPERATIONS)
    for op in known
}


@cache
def on_the_page() -> tuple[Any, ...]:
    """Everything in the games of the language page."""
    games = ({"west": GAME}, {"west": GAME, "harder": VARIANT})
    return tuple(node for packs in games for node in walk(link(packs).ruleset))


def lacking(cls: type) -> Iterator[str]:
    """The parts of a form that nobody has written."""
    sort = FORMS[cls].sort
    if not any(type(node) is cls for node in on_the_page()):
        yield "an example in docs/language.md that is linked to it"
    if cls not in PRINTING[sort]:
        yield "printing"
    if (sort != "declaration" or cls in RUNNING) and cls not in EVALUATION[sort]:
        yield "evaluation"


@pytest.mark.parametrize(
    "cls", [cls for cls, about in FORMS.items() if about.sort in SORTS], ids=lambda c: c.__name__
)
def test_a_form_has_all_its_parts(cls: type) -> None:
    assert list(lacking(cls)) == [], f"{cls.__name__} of {cls.__module__} lacks these"


def test_a_form_without_parts_is_noticed() -> None:
    @form()
    @attrs.frozen
    class Forgotten(ir.Stmt):
        pass

    try:
        parts = list(lacking(Forgotten))
    finally:
        del FORMS[Forgotten]
    assert parts[1:] == ["printing", "evaluation"]


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_an_operation_has_all_its_parts(op: str) -> None:
    assert op in evaluator.OPERATIONS
    # What is not printed in a way of its own is printed as a call of a function.
    assert op in printer.OPERATIONS or op in FUNCTIONS


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_is_on_the_page(name: str) -> None:
    assert f"{name}(" in PAGE.read_text(encoding="utf-8")


def test_every_kind_of_stage_is_on_the_page_and_printed() -> None:
    assert {node.kind for node in on_the_page() if isinstance(node, ir.Stage)} == set(HEADS)


def test_the_rooms_know_no_other_forms() -> None:
    for rooms in (PRINTING, LOWERING, EVALUATION):
        for sort, known in rooms.items():
            assert {cls.__name__ for cls in known if cls not in FORMS} == set(), sort
    assert expressions.CONDITIONS.keys() <= expressions.EXPRESSIONS.keys() | OPERATIONS


def test_families_have_the_same_names_in_all_packages() -> None:
    known = {module.name for module in iter_modules(evaluated_forms.__path__)}
    linked = {module.name for module in iter_modules(linked_forms.__path__)}
    assert {module.name for module in iter_modules(lowered_forms.__path__)} <= known
    assert linked - known == {"cases", "families"}


def test_importing_the_kernel_loads_every_form_and_nothing_else() -> None:
    """In a process of its own: here, other packages have been imported already."""
    code = (
        "import sys, ziggurat.runtime.kernel\n"
        "from ziggurat.runtime.kernel.evaluator import EXPRESSIONS\n"
        "own = ('ziggurat', 'ziggurat.runtime')\n"
        "ours = [m for m in sys.modules if m.startswith('ziggurat') and m not in own]\n"
        "print(len(EXPRESSIONS), *[m for m in ours if '.kernel' not in m])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(len(evaluator.EXPRESSIONS))]


def test_no_example_is_left_to_the_kernel() -> None:
    """Lowerings are optional, but rules with a form that has none are slow."""
    program = compile_ruleset(link({"west": GAME, "harder": VARIANT}).ruleset)
    assert [walked.id for walked in program.walked] == []  # type: ignore[attr-defined]
