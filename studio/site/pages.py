"""What the site is made of: pages as Markdown, in their order."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from ziggurat import Page, all_codes, page
from ziggurat.studio.cli import build

HERE = Path(__file__).resolve()
# In a checkout the pages lie beside the rooms, installed beside this one.
DOCS = next(
    (place / "docs" for place in HERE.parents[2:4] if (place / "docs" / "index.md").is_file()),
    HERE.parents[2] / "docs",
)
MADE = ("commands", "findings")  # from the program itself
_FILE = re.compile(r'^(```\w+) (?:\w+ )?file="([^"]*)"[^\n]*$', re.MULTILINE)
_ATTRIBUTES = re.compile(r"^(```\w+) (?!title=)[^\n]*$", re.MULTILINE)
_PAGE = re.compile(r"`docs/([\w-]+)\.md`")
_CODE = re.compile(r"`(Z\d{3})`")


def parts() -> dict[str, list[str]]:
    """The names of the pages, part by part."""
    found: dict[str, list[str]] = tomllib.loads((DOCS / "nav.toml").read_text("utf-8"))["parts"]
    return found


def pages() -> Iterator[tuple[str, str]]:
    """Every page of the site: its name and its text."""
    names = {"index", *(name for part in parts().values() for name in part)}
    for file in sorted(DOCS.glob("*.md")):
        if file.stem in names:
            yield file.name, _for_the_site(file.read_text(encoding="utf-8"), names)
    yield "commands.md", _commands()
    yield "findings.md", _findings()
    for code, about in _codes():
        yield f"findings/{code}.md", about.markdown


def _for_the_site(text: str, names: set[str]) -> str:
    """Names of other pages and of findings are links here; files of examples are told above."""

    def link(match: re.Match[str]) -> str:
        return f"[{match[1]}]({match[1]}.md)" if match[1] in names else match[0]

    text = _FILE.sub(r'\1 title="\2"', text)
    text = _ATTRIBUTES.sub(r"\1", text)
    text = _PAGE.sub(link, text)
    return _CODE.sub(r"[`\1`](findings/\1.md)", text)


def _commands() -> str:
    """Every command with all that its help says."""
    text: str = build(["list"]).generate_docs(output_format="markdown", heading_level=1)
    _, _, rest = text.partition("## ziggurat")
    intro = "# Commands\n\n`ziggurat COMMAND --help` says the same in the terminal.\n\n## ziggurat"
    return intro + rest


def _codes() -> Iterator[tuple[str, Page]]:
    for code in all_codes():
        about = page(code)
        assert about is not None
        yield code, about


def _findings() -> str:
    rows = [f"| [{code}](findings/{code}.md) | {about.title} |" for code, about in _codes()]
    return "\n".join(
        ["# Findings", "", "What `ziggurat check` says, by code; `ziggurat explain Z012` shows a"
         " page in the terminal.", "", "| code | what it is |", "|---|---|", *rows, ""]
    )  # fmt: skip
