"""Links, anchors and ids of pages that were written."""

from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "src", "xlink:href"):
                self.links.append(value or "")


def faults(pages: Iterable[Path], root: Path, address: str = "") -> list[str]:
    """Return what is wrong with pages below a folder that is served at an address."""
    read = {path.resolve(): _Page(path) for path in pages}
    found: list[str] = []
    for path, page in read.items():
        name = path.relative_to(root.resolve()).as_posix()
        found += [f"{name}: id {one} twice" for one in {*page.ids} if page.ids.count(one) > 1]
        base = urlsplit(address).path
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme in ("data", "mailto", "https", "http", "javascript"):
                continue
            inner = unquote(parts.path)
            if inner.startswith("/"):
                target = root / inner.removeprefix(base) if inner.startswith(base) else None
            else:
                target = path.parent / inner if inner else path
            if target is None or not target.exists():
                found.append(f"{name}: no {link}")
                continue
            anchor = unquote(parts.fragment)
            target = (target / "index.html" if target.is_dir() else target).resolve()
            if anchor and target in read and anchor not in read[target].ids:
                found.append(f"{name}: no anchor {link}")
    return found
