"""The pages made into a site that needs no network, with MkDocs and its Material theme."""

import logging
import os
import shutil
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as build_site
from mkdocs.config import load_config

from ziggurat.studio.console import UsageError
from ziggurat.studio.site.pages import DOCS, pages, parts

PALETTE = [
    {
        "media": f"(prefers-color-scheme: {scheme})",
        "scheme": look,
        "primary": "brown",
        "accent": "deep orange",
        "toggle": {"icon": f"material/weather-{icon}", "name": f"Switch to {other} mode"},
    }
    for scheme, look, icon, other in (
        ("light", "default", "night", "dark"),
        ("dark", "slate", "sunny", "light"),
    )
]


# Both need the address of the site.
_NEEDS_ADDRESS = ("404.html", "sitemap.xml", "sitemap.xml.gz")
STYLE_FILE = "style.css"
# Links are told by more than their colour, output by more than its paleness, and long lines of
# examples are wrapped: what scrolls sideways is out of reach of a keyboard.
STYLE = """\
.md-typeset :is(p, li, td, dd) a:not(.headerlink) { text-decoration: underline; }
.md-typeset .highlight .go { color: inherit; }
.md-typeset pre > code { white-space: pre-wrap; overflow-wrap: anywhere; }
.md-copyright, .md-copyright a { color: #fff; }
"""
_BESIDE_PAGES = ("pictures", "schemas")


def settings(source: Path, out: Path, address: str) -> dict[str, Any]:
    """Return the settings of MkDocs. Nothing is fetched: no fonts, no scripts of others."""
    nav: list[Any] = ["index.md"]
    nav += [{part: [f"{name}.md" for name in names]} for part, names in parts().items()]
    return {
        "site_name": "Ziggurat",
        "site_url": address,
        "docs_dir": str(source),
        "site_dir": str(out),
        "use_directory_urls": False,
        "nav": nav,
        "not_in_nav": "/findings/*.md",
        "theme": {
            "name": "material",
            "font": False,
            "palette": PALETTE,
            "features": [
                "navigation.sections",
                "navigation.top",
                "content.code.copy",
                "toc.follow",
            ],
        },
        "extra_css": [STYLE_FILE],
        "plugins": ["search"],
        "markdown_extensions": [
            "tables",
            "admonition",
            {"toc": {"permalink": True}},
            {"pymdownx.highlight": {"anchor_linenums": False}},
            "pymdownx.superfences",
            "pymdownx.details",
        ],
        "strict": True,
    }


def build(work: Path, out: Path, address: str = "") -> int:
    """Write the site and return its number of pages. Raise `UsageError` if a page is wrong."""
    if not DOCS.is_dir():
        raise UsageError("the pages of the documentation are not installed here.")
    source = work / "pages"
    number = 0
    for name, text in pages():
        place = source / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        number += 1
    for folder in _BESIDE_PAGES:
        shutil.copytree(DOCS / folder, source / folder)
    (source / STYLE_FILE).write_text(STYLE, encoding="utf-8")
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    logging.getLogger("mkdocs").setLevel(logging.ERROR)
    place = work / "mkdocs.yml"
    place.write_text("site_name: Ziggurat\n", encoding="utf-8")
    build_site(load_config(str(place), **settings(source, out.resolve(), address)))
    for name in _NEEDS_ADDRESS if not address else ():
        (out / name).unlink(missing_ok=True)
    return number
