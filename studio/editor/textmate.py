"""The TextMate grammar of `.rules`, which editors use before a server answers.

`python -m ziggurat.studio.editor.textmate FILE` writes it; a test holds the one of the extension to
it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from ziggurat.studio.editor import highlighting as sorts

SCOPE = "source.ziggurat-rules"
_SCOPES = {
    sorts.COMMENT: "comment.line.number-sign", sorts.TEXT: "string.quoted.double",
    sorts.HOLE: "variable.other.interpolated", sorts.TAG: "constant.other.tag",
    sorts.NUMBER: "constant.numeric.integer", sorts.CONSTANT: "constant.language",
    sorts.DECLARING: "storage.type", sorts.DECLARED: "entity.name.type",
    sorts.OPERATOR: "keyword.operator.word", sorts.WORD: "keyword.control",
    sorts.FIELD: "variable.other.property", sorts.CALL: "entity.name.function",
    sorts.SIGN: "keyword.operator",
}  # fmt: skip


def _scope(sort: str) -> str:
    return f"{_SCOPES[sort]}.ziggurat-rules"


def _pattern(paint: sorts.Paint) -> dict[str, Any]:
    if len(paint.sorts) == 1:
        named = {"name": _scope(paint.sorts[0])} if paint.sorts[0] else {}
        return {"match": paint.pattern, **named}
    captures = {
        str(number): {"name": _scope(sort)} for number, sort in enumerate(paint.sorts, 1) if sort
    }
    return {"match": paint.pattern, "captures": captures}


def grammar() -> dict[str, Any]:
    """The whole grammar, as data."""
    text = {
        "name": _scope(sorts.TEXT),
        "begin": sorts.TEXT_BEGINS,
        "end": f"{sorts.TEXT_ENDS}|$",
        "patterns": [_pattern(sorts.IN_TEXT)],
    }
    return {
        "name": "Ziggurat rules",
        "scopeName": SCOPE,
        "fileTypes": ["rules"],
        "patterns": [text, *map(_pattern, sorts.paints())],
    }


def written() -> str:
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(written(), encoding="utf-8")
