"""The page and the files that it is made of, which a browser keeps until they change."""

import hashlib
import html
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ziggurat.studio.web.house import House

STATIC = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"
VERSION = re.compile(r"[0-9a-f]{16}")


@cache
def page_version() -> str:
    """Return a hash of all files the page is made of."""
    digest = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        data = path.read_bytes()
        digest.update(f"{path.name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


async def get_page(house: House, request: Request) -> Response:
    """Return the page, whatever it is to show."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    prefix = html.escape(request.scope["prefix"])
    text = text.replace('"/static/', f'"{prefix}/static/{page_version()}/')
    return HTMLResponse(text, headers={"cache-control": "no-cache"})


class StaticFolder(StaticFiles):
    """The files of the page, also at addresses with their version, which change when they do.

    A browser asks again for those at the address of another version, which a page may name that
    came from a server of before.
    """

    def __init__(self) -> None:
        super().__init__(directory=STATIC, check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file. Raise HTTPException."""
        version, _, name = Path(path).as_posix().partition("/")
        if not VERSION.fullmatch(version):
            return await super().get_response(path, scope)
        response = await super().get_response(name, scope)
        kept = FOREVER if version == page_version() else "no-cache"
        response.headers["cache-control"] = kept
        return response
