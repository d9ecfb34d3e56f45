"""Scenarios: tests in the words of the rules, with players, and a little map, of their own."""

from typing import Any

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.calls import Do, DoBody
from ziggurat.runtime.kernel.forms.expectations import Expect, Otherwise
from ziggurat.runtime.kernel.forms.givens import Given
from ziggurat.runtime.kernel.forms.kinds import Thing
from ziggurat.runtime.kernel.forms.onlookers import Asked, AtRule, Ran, Said, Sees
from ziggurat.runtime.kernel.forms.scripts import Cannot, Limits, Scripted
from ziggurat.runtime.kernel.nodes import NO_META, At, Meta, at_field


@form()
@attrs.frozen
class Run:
    """kind: phase (id, to), do (a Do or DoBody)."""

    kind: str
    phase: str = ""
    to: str = ""
    call: Do | DoBody | None = None
    at: At = at_field()


ScenarioItem = (
    Given | Scripted | Run | Cannot | Limits | Expect | Asked | Said | Ran | AtRule | Sees
)


@form("declaration")
@attrs.frozen
class Scenario:
    """`things` are the scenario's own things (its little map), which replace all of their kind.
    `items` are as the scenario was written; `expected` as the last pack wants them. It is run with
    so many `seeds`. Of a table of cases there is one for each, with a number at the end of its id
    and the name of the `case`."""

    id: str
    title: str
    players: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]
    things: tuple[Thing, ...]
    items: tuple[ScenarioItem, ...]
    meta: Meta = NO_META
    otherwise: Otherwise | None = None
    seeds: int = 1
    case: str = ""
    at: At = at_field()

    @property
    def whole(self) -> str:
        """The title of all of it, if it is one case of a table."""
        return self.title.removesuffix(f": {self.case}") if self.case else self.title

    @property
    def expected(self) -> tuple[ScenarioItem, ...]:
        """The items with what is expected otherwise."""
        others = iter(self.otherwise.expects if self.otherwise else ())
        return tuple(
            next(others, item) if isinstance(item, Expect) else item for item in self.items
        )


@form()
@attrs.frozen
class Misfit:
    """A scenario that a later pack leaves without sense: what it calls or speaks of is another one
    now. `changed` is what that pack changed, `clause` where. Of the scenario there is only the
    head."""

    scenario: Scenario
    pack: str
    changed: str
    clause: At
