"""The reference evaluator, with every form of the language: what looks at rules imports it here."""

from ziggurat.runtime.kernel import forms  # noqa: F401 (they register)
from ziggurat.runtime.kernel.evaluator import Applied, Breakdown, Env, Evaluator
from ziggurat.runtime.kernel.steps import Locals, Steps

__all__ = ["Applied", "Breakdown", "Env", "Evaluator", "Locals", "Steps"]
