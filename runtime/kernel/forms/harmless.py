"""Mutants that change nothing: what a pack says about wrong rules that no scenario can notice.

Which mutants there are is not known here: `ziggurat test --mutate` compares, and tells of those
that are listed and noticed after all, or that can no longer be made.
"""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import At, at_field


@form()
@attrs.frozen
class Harmless:
    """The name of a mutant, as `--mutate` tells it without its place, and why it does no harm."""

    name: str
    reason: str
    at: At = at_field()
