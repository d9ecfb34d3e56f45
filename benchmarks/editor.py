"""What an editor waits for in a large stack: completion, findings, and memory that stays flat."""

import gc
import re
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Claim, best, seconds, times
from ziggurat import Search, Source, Workspace, completions, load, read_sources, resolve_stack

STACK = "mega"
FILE = "core/phases/movement.rules"
COMPLETION, FINDINGS = 0.1, 0.3
EDITS, GROWTH = 10_000, 1.05
# What is being written at the end of a file, and what is measured.
BEGUN = (
    ("a value", "\nvalue echo(p: player): int = ke"),
    ("a member after a dot", "\nvalue echo(p: player): int = p."),
    ("a decision in a scenario", '\nscenario "echo" {\n  players red\n  red chooses 1 for '),
    ("a thing of a field", '\nadvance echo "Echo" {\n  groups: '),
    ("an item of a procedure", "\nprocedure echo(p: player) {\n  let n = 1\n  "),
)
_PACK = 'id = "echo"\ntitle = "Echo"\nversion = "1"\n'
_RULES = "kind side seat {}\nside left {}\nside right {}\nvalue echo(p: player): int = {}\n"


def editor() -> list[Claim]:
    stack, _ = resolve_stack(STACK, Search.default())
    assert stack is not None
    text = next(one.text for one in read_sources(stack)[0] if one.path == FILE)
    whole = best(lambda: load(STACK), 2)
    workspace = Workspace(STACK)
    workspace.load()
    gc.collect()
    gc.freeze()
    claims = [_completion(workspace, text, what, begun) for what, begun in BEGUN]
    claims.append(_findings(workspace, text, whole))
    gc.unfreeze()
    return [*claims, _memory()]


def _completion(workspace: Workspace, text: str, what: str, begun: str) -> Claim:
    source = Source(FILE, text + begun, "core")
    start = len(source.text) - len(re.findall(r"\w*$", source.text)[0])
    found = best(lambda: completions(workspace.names, source, start), 5)
    told = f"completion of {what} in {STACK}"
    return Claim(told, seconds(found), aim=f"≤ {seconds(COMPLETION)}", good=found <= COMPLETION)


def _findings(workspace: Workspace, text: str, whole: float) -> Claim:
    numbers = count()

    def typed() -> None:
        workspace.edit(FILE, f"{text}\nvalue echo(p: player): int = {next(numbers)}\n")

    found = best(lambda _: workspace.load(), 5, typed)
    linked = f"findings after a keystroke in {STACK}: {len(workspace.parsed)} file parsed again,"
    linked += f" {len(workspace.linked)} declarations linked again"
    ratio = times(found / whole)
    aim = f"≤ {seconds(FINDINGS)}"
    return Claim(linked, seconds(found), seconds(whole), ratio, aim, found <= FINDINGS)


def _memory() -> Claim:
    """Memory after ten thousand edits, and after the first thousand of them."""
    with TemporaryDirectory() as folder:
        pack = Path(folder, "echo")
        pack.mkdir()
        (pack / "pack.toml").write_text(_PACK, encoding="utf-8")
        (pack / "echo.rules").write_text(_RULES.replace("{}\n", "0\n"), encoding="utf-8")
        workspace = Workspace("echo", Search.default((folder,)))
        early = _after(workspace, range(EDITS // 10))
        late = _after(workspace, range(EDITS // 10, EDITS))
    told = f"objects held after {EDITS:,} edits, against after the first {EDITS // 10:,}"
    return Claim(told, f"{late:,}", f"{early:,}", times(late / early), f"≤ {times(GROWTH)}",
                 late <= early * GROWTH)  # fmt: skip


def _after(workspace: Workspace, edits: range) -> int:
    for number in edits:
        text = _RULES.rpartition("{}")[0] + f"{number}\n" + "# half written {\n" * (number % 2)
        workspace.edit("echo/echo.rules", text)
        workspace.load()
        completions(workspace.names, Source("echo/echo.rules", text, "echo"), len(text))
    gc.collect()
    return len(gc.get_objects())
