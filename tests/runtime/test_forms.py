"""Every form of the language is known in the rooms that run it; one that is forgotten is named."""

from ziggurat.dsl import ir
from ziggurat.dsl.arithmetic import OPERATIONS as ARITHMETIC
from ziggurat.dsl.forms.description import FORMS
from ziggurat.runtime import forms  # noqa: F401 - fills the registries
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


def test_nothing_else_is_lowered() -> None:
    assert EXPRESSIONS.keys() <= all_of(ir.Expr)
    assert STATEMENTS.keys() <= all_of(ir.Stmt)
    assert DECLARATIONS.keys() <= FORMS.keys()
    assert CONDITIONS.keys() <= EXPRESSIONS.keys() | OPERATIONS.keys()


def test_every_operation_is_lowered() -> None:
    assert ARITHMETIC.keys() - OPERATIONS.keys() == set()
