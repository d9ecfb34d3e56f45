"""The pages that show Python are true: every block runs, in order, as one program."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.slow
def test_the_python_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in BLOCK.findall((DOCS / "python.md").read_text()):
        exec(compile(block, "python.md", "exec"), names)
    printed = capsys.readouterr().out.splitlines()
    at = printed.index("minoa act Movement")
    assert printed[at + 4] == "fayum is not possible as 'target'."
    assert printed[at + 5 : at + 7] == ["1", "0"]
    assert "movement minoa" in printed
    assert "unfinished 100" in printed
    assert "[] True" in printed
    assert "['rome', [1, 2, 3]]" in printed
    assert "hand_limit(rome) is 8" in printed
    assert any(line.startswith("holds Where most unit points would be lost") for line in printed)
    assert any(line.startswith("“From where” cannot be Fayum") for line in printed)
    assert "True" in printed
    assert printed[-1].startswith("expect ")


@pytest.mark.parametrize(
    "page", [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))], ids=lambda page: page.name
)
def test_pages_name_only_files_that_are_there(page: Path) -> None:
    named = re.findall(r"`((?:docs|tests|benchmarks|content)/[\w./-]+)`", page.read_text())
    assert [name for name in named if not (DOCS.parent / name).exists()] == []
