"""The documentation as a site: every page is there, nothing is fetched, no link is broken."""

import re
from pathlib import Path

import pytest

from tests.outputs.pages import faults
from ziggurat.studio.cli import main
from ziggurat.studio.commands import COMMANDS
from ziggurat.studio.console import OK, USAGE
from ziggurat.studio.site.pages import DOCS, MADE, pages, parts

ADDRESS = "https://example.org/rules/"


def test_every_page_has_its_place() -> None:
    named = {name for part in parts().values() for name in part}
    there = {file.stem for file in DOCS.glob("*.md")}
    assert there - named == {"index"}
    assert named - there == set(MADE)


def test_every_command_and_finding_has_a_place() -> None:
    found = dict(pages())
    assert [name for name in COMMANDS if f"## ziggurat {name}\n" not in found["commands.md"]] == []
    assert "findings/Z012.md" in found
    assert "(findings/Z012.md)" in found["findings.md"]
    assert "[first-pack](first-pack.md)" in found["index.md"]
    assert '```toml title="bigger_ships/pack.toml"' in found["first-pack.md"]


def test_the_site_is_whole_and_fetches_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "site"
    assert main(["docs", "-o", str(out), "--no-open", "--url", ADDRESS]) == OK
    assert "pages: " in capsys.readouterr().out
    for file in out.rglob("*.html"):
        text = file.read_text(encoding="utf-8").replace(ADDRESS, "")
        fetched = re.findall(r'<(?:script|img|link)\b[^>]*(?:src|href)="(https?:[^"]*)"', text)
        assert fetched == [], file.name
    assert faults(out.rglob("*.html"), out, ADDRESS) == []
    assert f"<loc>{ADDRESS}web.html</loc>" in (out / "sitemap.xml").read_text(encoding="utf-8")
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine", encoding="utf-8")
    assert main(["docs", "-o", str(other), "--no-open"]) == USAGE
    assert [file.name for file in other.iterdir()] == ["mine.txt"]
