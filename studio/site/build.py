"""The pages made into a site that needs no network, with MkDocs and its Material theme."""

import logging
import os
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


def settings(source: Path, out: Path) -> dict[str, Any]:
    """What MkDocs is told. Nothing is fetched: no fonts, no scripts of others."""
    nav: list[Any] = ["index.md"]
    nav += [{part: [f"{name}.md" for name in names]} for part, names in parts().items()]
    return {
        "site_name": "Ziggurat",
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


def build(work: Path, out: Path) -> int:
    """Write the site; how many pages it has. What is wrong with a page is a usage error."""
    if not DOCS.is_dir():
        raise UsageError("the pages of the documentation are not installed here.")
    source = work / "pages"
    number = 0
    for name, text in pages():
        place = source / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        number += 1
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    logging.getLogger("mkdocs").setLevel(logging.ERROR)
    place = work / "mkdocs.yml"
    place.write_text("site_name: Ziggurat\n", encoding="utf-8")
    build_site(load_config(str(place), **settings(source, out.resolve())))
    return number
