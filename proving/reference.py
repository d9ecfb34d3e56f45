"""The reference evaluator, with every form of the language: what looks at rules imports it here."""

from ziggurat.proving import forms  # noqa: F401 (they register)
from ziggurat.proving.evaluator import Applied, Breakdown, Env, Evaluator
from ziggurat.proving.steps import Locals, Steps

__all__ = ["Applied", "Breakdown", "Env", "Evaluator", "Locals", "Steps"]
