"""The page about the kernel is true: its program runs and prints what the page shows."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "kernel.md"
BLOCK = re.compile(r"^```(rules pack|python|text)\n(.*?)^```$", re.M | re.S)
MANIFEST = 'id = "coins"\ntitle = "Coins"\nversion = "1"\nplayers = "2"\n'


def test_kernel_page_shows_what_its_program_prints(tmp_path: Path) -> None:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    pack = tmp_path / "coins"
    pack.mkdir()
    (pack / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    names: dict[str, Any] = {"packs": tmp_path}
    printed, shown = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        for kind, text in blocks:
            if kind == "python":
                exec(compile(text, "kernel.md", "exec"), names)
            elif kind == "text":
                shown += text
            else:
                (pack / "coins.rules").write_text(text, encoding="utf-8")
    assert printed.getvalue() == shown


def test_glossary_and_architecture_stay_short() -> None:
    glossary = PAGE.with_name("glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^\| (?!term )", glossary, re.M)
    assert len(terms) <= 40
    assert len(PAGE.with_name("architecture.md").read_text(encoding="utf-8").split()) <= 1500
