"""From an edit to its findings, and to its program, in a stack that stays loaded."""

import re
from collections.abc import Callable
from functools import partial

from benchmarks.measure import Claim, against, best, seconds, times
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search, read_sources, resolve_stack
from ziggurat.dsl.workspace import Workspace
from ziggurat.runtime.programs import compile_ruleset

STACK = "west"
PHASE = "core/phases/movement.rules"
AIM = 0.1
Edit = Callable[[str], str]


def _moved(text: str) -> str:
    """Everything in the file is one line further down."""
    return f"\n{text}"


def _new_value(text: str) -> str:
    return f"{text}\nvalue echo(p: player): int = 1\n"


def _new_field(text: str) -> str:
    return re.sub(r"(?m)^(kind area\b[^{]*\{)", r"\1\n  echo: int = 0", text)


# What is edited, where, how, and whether it has to keep within the bound: heads that everybody
# looks at need not.
EDITS: tuple[tuple[str, str, Edit, bool], ...] = (
    ("the longest file of scenarios", "core/phases/movement.scenarios.rules", _moved, True),
    ("a phase", PHASE, _moved, True),
    ("the map", "west_board/map.rules", _moved, False),
    ("the vocabulary", "core/vocabulary.rules", _moved, True),
    ("a new value in the vocabulary", "core/vocabulary.rules", _new_value, True),
    ("a new field of the kind of all areas", "core/vocabulary.rules", _new_field, False),
)


def editing() -> list[Claim]:
    stack, _ = resolve_stack(STACK, Search.default())
    assert stack is not None
    texts = {source.path: source.text for source in read_sources(stack)[0]}
    whole = best(lambda: load(STACK), 3)
    workspace = Workspace(STACK)
    workspace.load()
    claims = []
    for what, path, edit, bounded in EDITS:
        changed = edit(texts[path])
        assert changed != texts[path], path
        found = best(lambda _: workspace.load(), 3, partial(_prepare, workspace, path, changed))
        linked = f"edit of {what}: {len(workspace.linked)} declarations linked again"
        aim = f"≤ {seconds(AIM)}" if bounded else ""
        good = found <= AIM if bounded else None
        claims.append(
            Claim(linked, seconds(found), seconds(whole), times(found / whole), aim, good)
        )
        workspace.close(path)
    return [*claims, _compiling(workspace, PHASE, _moved(texts[PHASE]))]


def _compiling(workspace: Workspace, path: str, text: str) -> Claim:
    """The program after an edit, made from the one before it."""
    before = workspace.load().ruleset
    workspace.edit(path, text)
    after = workspace.load().ruleset
    assert before is not None
    assert after is not None
    earlier = compile_ruleset(before)
    found, whole = against(
        lambda: compile_ruleset(after, earlier=earlier), lambda: compile_ruleset(after), 3
    )
    return Claim("compiling after the edit of a phase, against compiling everything",
                 seconds(found), seconds(whole), times(found / whole))  # fmt: skip


def _prepare(workspace: Workspace, path: str, text: str) -> None:
    """As before the edit, and then edited."""
    workspace.close(path)
    workspace.load()
    workspace.edit(path, text)
