"""Data as text."""

import json
from typing import Any


def encoded(data: Any) -> str:
    """Return data as JSON, in as few letters as it takes."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
