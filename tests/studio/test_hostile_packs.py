"""Packs that mean ill: each command says in a sentence what is wrong with them, and ends.

Archives that mean ill are in `test_sharing`, mistakes of manifests in `tests/dsl/broken_packs`.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from tests.sampling import sampled
from ziggurat.studio.cli import main

MANIFEST = 'id = "upper"\ntitle = "Upper"\nversion = "1"\nextends = ["walkers"]\n'
COMMANDS = (("check",), ("demo",), ("test",), ("list",), ("map",), ("diff", "walkers"))
ALWAYS = "rule r {{ before walking {{ {} }} }}\n"
Make = Callable[[Path], object]


def rules(text: str) -> Make:
    """Return what writes a file with these rules into a pack."""
    return lambda folder: folder.joinpath("r.rules").write_text(text, encoding="utf-8")


def raw(name: str, data: bytes) -> Make:
    return lambda folder: folder.joinpath(name).write_bytes(data)


def link(name: str, target: str) -> Make:
    return lambda folder: folder.joinpath(name).symlink_to(target)


def many(number: int) -> Make:
    def make(folder: Path) -> None:
        for n in range(number):
            folder.joinpath(f"r{n}.rules").write_text(f"value v{n}(): int = {n}\n")

    return make


def nested(opening: str, inner: str, closing: str, depth: int = 3000) -> str:
    return opening * depth + inner + closing * depth


def hostile() -> Iterator[tuple[str, Make]]:
    """Yield packs upon walkers by what is wrong with them."""
    yield "deep brackets", rules(f"value v(): int = {nested('(', '1', ')')}\n")
    yield "deep sets", rules(f"value v(): int = size({nested('{', '1', '}')})\n")
    yield "deep blocks", rules(ALWAYS.format(nested("if yes { ", "", "}")))
    yield "deep nots", rules(f"value v(): bool = {'not ' * 5000}yes\n")
    yield "long sum", rules(f"value v(): int = {' + '.join(['1'] * 20_000)}\n")
    yield "long name", rules(f"value {'v' * 20_000}(): int = 1\n")
    yield "long text", rules(f'skill s "{"x" * 50_000}" {{}}\n')
    yield "markup", rules('skill s "[bold]<script>\x1b[31m{x}\x07" {}\n')
    yield "large number", rules(f"value v(): int = {'9' * 5000}\n")
    yield "products", rules(ALWAYS.format("add 999999999 * 999999999 * 999999999 to table.x"))
    yield "divided by nothing", rules("amend skill lore { cost: 1 / 0 }\n")
    yield "no end", rules(ALWAYS.format("repeat 999999999 times { for each p in players { } }"))
    yield "much told", rules(ALWAYS.format('repeat 9999 times { repeat 9999 times { say "x" } }'))
    yield "calls itself", rules("value v(n: int): int = v(n + 1)\n" + ALWAYS.format("let a = v(1)"))
    yield "procedure calls itself", rules("procedure q() { q() }\n" + ALWAYS.format("q()"))
    yield "order of itself", rules("order o(p: player) { a: first(q in players by o).rank }\n")
    yield "many pieces", rules("amend piece pawn { supply: 999999999 }\n")
    yield "fewer than none", rules("amend piece pawn { supply: -5 }\n")
    yield "many cards", rules("amend gift salt { copies: 999999999 }\n")
    yield "wide scenario", rules(scenario("cases a, b {" + "   case 1, 1" * 3000 + "   }"))
    yield "many seeds", rules(scenario("over 999999999 seeds   expect { check yes }"))
    yield "nothing left", rules("remove area hill\nremove area wood\nremove turn main\n")
    yield "no phases", rules("amend turn main { remove phases walking }\n")
    yield "no seats", rules("remove nation reds\nremove nation blues\n")
    yield "renamed in a ring", rules("rename skill lore to fear\nrename skill fear to lore\n")
    yield "not text", raw("r.rules", bytes(range(256)) * 50)
    yield "null bytes", raw("r.rules", b"value v\0(): int = 1\n")
    yield "one long line", raw("r.rules", b"x " * 400_000)
    yield "two ways of writing", raw("r.rules", "value é(): int = 1\n".encode("utf-16"))
    yield "needs itself", raw("pack.toml", MANIFEST.replace('"walkers"', '"upper"').encode())
    yield "leads elsewhere", raw("pack.toml", MANIFEST.replace("walkers", "../../etc").encode())
    yield "deep manifest", raw("pack.toml", f"x = {'[' * 3000}{']' * 3000}\n".encode())
    yield "manifest of bytes", raw("pack.toml", b"\xff\xfe\x00")
    yield "rules are a folder", lambda folder: folder.joinpath("r.rules").mkdir()
    yield "link to a device", link("r.rules", "/dev/zero")
    yield "link to itself", link("r.rules", "r.rules")
    yield "link upwards", link("upwards", "..")
    yield "a pipe", lambda folder: os.mkfifo(folder / "r.rules")
    yield "hundreds of files", many(400)
    yield (
        "broken catalogue",
        lambda folder: (
            folder.joinpath("locale").mkdir(),
            folder.joinpath("locale", "de.po").write_text('msgid "x\nmsgstr'),
        ),
    )


@pytest.mark.posix
@pytest.mark.parametrize("case", sampled(hostile(), 6, key=lambda case: case[0]))
def test_hostile_packs_are_refused_in_a_sentence(
    case: tuple[str, Make],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walkers(tmp_path)
    upper = tmp_path / "upper"
    upper.mkdir()
    upper.joinpath("pack.toml").write_text(MANIFEST, encoding="utf-8")
    case[1](upper)
    monkeypatch.chdir(tmp_path)
    for command, *more in COMMANDS:
        code = main([command, "upper", *more, "--packs", str(tmp_path)])
        told = capsys.readouterr()
        said = told.out + told.err
        assert code in (0, 1, 2), (command, code, said[-500:])
        assert "mistake of the program" not in said, (command, said[-500:])
        assert "mistake in Ziggurat" not in said, (command, said[-500:])
        assert "Traceback" not in said
        assert "\x1b[31m" not in said
        assert code == 0 or said.strip()
