"""How each form of the language is lowered: a module a family, with the names they have in the
language (`dsl/forms`). Importing them fills the registries of `runtime/lowering`."""

from ziggurat.runtime.forms import (  # noqa: F401
    actions,
    advice,
    arithmetic,
    attributes,
    bundles,
    calls,
    cards,
    chance,
    core,
    decisions,
    endings,
    flow,
    holdings,
    kinds,
    logic,
    names,
    phases,
    pieces,
    players,
    procedures,
    sets,
    speech,
    stages,
    values,
)
