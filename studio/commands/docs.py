"""`ziggurat docs`: the documentation as a site."""

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.extras import missing_extra


def docs(
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"])] = Path("site"),
    url: str = "",
    open_: Annotated[bool, Parameter(name="--open")] = True,
) -> int:
    """Build the documentation as a site that needs no network, and open it.

    All of it works as files but the search, which browsers only allow to pages that are served:
    `python -m http.server -d site`.

    Parameters
    ----------
    output
        The folder to write to.
    url
        The address that the site will have, as in `https://example.org/rules/`. With an address,
        the site has a page for wrong addresses and a list of its pages for search engines.
    open_
        Show it in a browser afterwards.
    """
    try:
        from ziggurat.studio.site.build import build
    except ImportError as wrong:
        raise missing_extra("docs", "docs") from wrong
    if url and not url.startswith(("http://", "https://")):
        raise UsageError(f"`{url}` is no address; it begins with `https://`.")
    if output.exists() and not (output / "index.html").exists() and any(output.iterdir()):
        raise UsageError(f"`{output}` has something else in it; choose another --output.")
    with (
        console().status("Building the site"),
        tempfile.TemporaryDirectory(prefix="ziggurat-") as work,
    ):
        number = build(Path(work), output, url and f"{url.rstrip('/')}/")
    first = output / "index.html"
    console().print(f"{number} pages: {first}", markup=False, soft_wrap=True)
    if open_:
        webbrowser.open(first.resolve().as_uri())
    return OK
