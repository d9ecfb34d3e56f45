"""`ziggurat lsp`: the language server, which an editor starts and speaks to."""

import logging
import os
import sys
from typing import Any

from ziggurat.studio.console import OK
from ziggurat.studio.extras import missing_extra

DEBUG = "ZIGGURAT_DEBUG"


def lsp() -> int:
    """Serve an editor: findings, completion, hover and more while somebody writes rules.

    An editor starts this and speaks the Language Server Protocol to it over its standard input and
    output; `docs/editor.md` says how to set up VS Code, Neovim, Helix and Emacs.
    """
    try:
        from ziggurat.studio.editor.server import build
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol", "watchfiles"):
            raise
        raise missing_extra("lsp", "editor") from None
    logging.basicConfig(level=logging.ERROR, handlers=[_complaints()])
    speak, sys.stdout = sys.stdout, sys.stderr  # what anybody prints is no part of the protocol
    with os.fdopen(os.dup(speak.fileno()), "wb") as out:
        build().start_io(stdout=out)
    sys.stdout = speak
    return OK


def _complaints() -> logging.Handler:
    """One line about what went wrong inside, and nothing about requests that were refused."""
    from pygls.exceptions import JsonRpcException

    class OneLine(logging.Formatter):
        def formatException(self, info: Any) -> str:  # noqa: N802 - the name is not ours
            told = f"{type(info[1]).__name__}: {info[1]}"
            return super().formatException(info) if os.environ.get(DEBUG) else told

    def unexpected(record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine("ziggurat: %(message)s"))
    handler.addFilter(unexpected)
    return handler
