"""Every form of the language is known in the rooms that run it; one that is forgotten is named."""

from pkgutil import iter_modules

from ziggurat.dsl import forms as dsl_forms
from ziggurat.dsl import ir
from ziggurat.dsl.arithmetic import OPERATIONS as ARITHMETIC
from ziggurat.dsl.forms.description import FORMS
from ziggurat.proving import evaluator, steps, walker
from ziggurat.proving import forms as walked_forms
from ziggurat.runtime import forms
from ziggurat.runtime.lowering.declarations import DECLARATIONS
from ziggurat.runtime.lowering.expressions import CONDITIONS, EXPRESSIONS, OPERATIONS
from ziggurat.runtime.lowering.statements import STATEMENTS

# What runs; all other declarations are data of the table.
RUNNING = {ir.Value, ir.Order, ir.Procedure, ir.Thing, ir.Phase, ir.Action, ir.Advice}


def all_of(base: type) -> set[type]:
    return {cls for cls in FORMS if issubclass(cls, base)}


def test_every_form_is_lowered() -> None:
    assert {one.__name__ for one in all_of(ir.Expr) - EXPRESSIONS.keys()} == set()
    assert {one.__name__ for one in all_of(ir.Stmt) - STATEMENTS.keys()} == set()
    assert {one.__name__ for one in RUNNING - DECLARATIONS.keys()} == set()


def test_every_form_is_walked() -> None:
    assert {one.__name__ for one in EXPRESSIONS.keys() ^ evaluator.EXPRESSIONS.keys()} == set()
    assert {one.__name__ for one in STATEMENTS.keys() ^ steps.STATEMENTS.keys()} == set()
    assert {one.__name__ for one in DECLARATIONS.keys() ^ walker.DECLARATIONS.keys()} == set()
    assert OPERATIONS.keys() ^ evaluator.OPERATIONS.keys() == set()


def test_nothing_else_is_lowered() -> None:
    assert EXPRESSIONS.keys() <= all_of(ir.Expr)
    assert STATEMENTS.keys() <= all_of(ir.Stmt)
    assert DECLARATIONS.keys() <= FORMS.keys()
    assert CONDITIONS.keys() <= EXPRESSIONS.keys() | OPERATIONS.keys()


def test_every_operation_is_lowered() -> None:
    assert ARITHMETIC.keys() - OPERATIONS.keys() == set()


def test_families_have_the_names_they_have_in_the_language() -> None:
    known = {one.name for one in iter_modules(dsl_forms.__path__)}
    for room in (forms, walked_forms):
        assert {one.name for one in iter_modules(room.__path__)} <= known
