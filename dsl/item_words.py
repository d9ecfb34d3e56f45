"""Which words of the language can begin an item of which block.

The grammar lets every item stand in every block, so that linking can say what is wrong with one
that is out of place; who writes one should only be offered what makes sense.
"""

from collections.abc import Sequence

_META = ("cites", "tags")
_CLAUSES = ("modify", "allow", "forbid", "before", "after", "instead")
_STAGES = ("once", "each", "all", "players", "while", "perform", "repeat")
_AMENDING = ("insert", "replace", "remove", "rename", "reword")
_SCENARIO = ("given", "cases", "over", "expect", "run", "players", "said", "nobody")
_DECLARED = {
    "kind": (*_META, "needs", "should"), "rule": (*_META, *_CLAUSES), "turn": (*_META, "needs"),
    "phase": (*_META, "needs", *_STAGES, "before", "after", "instead"), "advice": ("prefer",),
    "scenario": (*_META, *_SCENARIO), "question": (*_META, "reading", "shown"),
    "clarification": (*_META, "shown"), "expects": ("expect",),
}  # fmt: skip
_BLOCKS = {"cases": ("case",), "expect": ("check",), "options": (), "reading": ()}
# They declare something, and all in their blocks are fields.
_FIELDS_ONLY = frozenset(
    ("piece", "place", "cards", "neutral", "attribute", "bundle", "option", "value", "order",
     "map", "mark", "cover")
)  # fmt: skip
_IN_GIVEN = ("deal", "keep")
_STEPS_OF = frozenset({"procedure", "action", "given"})
_NO_STEPS = frozenset(
    (*_META, *_CLAUSES, *_STAGES, *_AMENDING, *_SCENARIO, *_IN_GIVEN, "prefer", "needs", "should",
     "reading", "shown", "case", "check")
) - {"remove", "repeat"}  # fmt: skip


def may_begin(word: str, heads: Sequence[str]) -> bool:
    """Whether a word can begin an item in a block; `heads` are the first words of the items around
    it, outermost first."""
    if not heads:
        return True
    known, is_step = _DECLARED.get(heads[0]), word not in _NO_STEPS
    if "given" in heads and word in _IN_GIVEN:
        return True
    if len(heads) > 1:
        return word in _BLOCKS[heads[-1]] if heads[-1] in _BLOCKS else is_step
    if heads[0] in ("amend", "amends"):
        return word in (
            *_AMENDING,
            *_META,
            *_CLAUSES,
            *_STAGES,
            "needs",
            "should",
            "reading",
            "prefer",
        )
    if heads[0] in _STEPS_OF:
        return is_step or word in _META or (heads[0] == "action" and word == "needs")
    if heads[0] in _FIELDS_ONLY:
        return word in _META
    return word in (known if known is not None else (*_META, *_CLAUSES))
