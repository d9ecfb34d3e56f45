"""How the reference evaluator runs each form of the language: a module a family, with the names
they have in the language (`dsl/forms`). Importing them fills the registries."""

from ziggurat.runtime.kernel.forms import (  # noqa: F401
    actions,
    advice,
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
    owning,
    phases,
    pieces,
    players,
    procedures,
    sets,
    speech,
    stages,
    values,
)
