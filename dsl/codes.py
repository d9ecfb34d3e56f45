"""The catalogue of findings: one page for each code, in `dsl/catalogue/<code>.md`.

A page is data beside the code that reports it. Whoever adds a code adds its page; a test compares
the two. A page looks like this (the headings exactly so, each with at least one code block under
"Wrong" and "Right"):

    ---
    code: Z201
    title: Unknown name
    severity: error
    ---
    ## What it means
    Plain English, for somebody who knows the rulebook and does not program.
    ## Wrong
    ```rules
    …
    ```
    ## Right
    ```rules
    …
    ```
    ## What to do
    The steps, most likely cause first.

Ranges: Z0 files, packs and stacks; Z1 syntax; Z2 names; Z3 types and shapes; Z4 amendments;
Z5 meaning; Z6 scenarios and advice; Z7 questions; Z9 run time.
"""

import re
from functools import cache
from pathlib import Path

import attrs

CATALOGUE = Path(__file__).with_name("catalogue")
CODE = re.compile(r"Z\d{3}")
SECTIONS = ("What it means", "Wrong", "Right", "What to do")


@attrs.frozen
class Page:
    """One code, explained. `sections` maps the headings to their Markdown text."""

    code: str
    title: str
    severity: str
    sections: dict[str, str] = attrs.field(hash=False)

    @property
    def markdown(self) -> str:
        body = "\n\n".join(f"## {name}\n\n{text}" for name, text in self.sections.items())
        return f"# {self.code}: {self.title}\n\n{body}\n"


@cache
def all_codes() -> tuple[str, ...]:
    """Every code that has a page, in order."""
    return tuple(sorted(path.stem for path in CATALOGUE.glob("Z*.md")))


@cache
def page(code: str) -> Page | None:
    """The page of a code, in any case of letters, or None when there is no such code."""
    code = code.upper()
    if not CODE.fullmatch(code) or code not in all_codes():
        return None
    return parse_page((CATALOGUE / f"{code}.md").read_text(encoding="utf-8"))


def parse_page(text: str) -> Page:
    """Read a page. The catalogue is ours and tested, so a malformed page is our bug and raises."""
    _, front, body = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.strip().splitlines())
    parts = re.split(r"^## (.+)$", body, flags=re.MULTILINE)[1:]
    pairs = zip(parts[::2], parts[1::2], strict=True)
    sections = {name.strip(): section.strip() for name, section in pairs}
    return Page(fields["code"], fields["title"], fields["severity"], sections)
