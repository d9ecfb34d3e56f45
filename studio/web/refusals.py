"""What a request gets that cannot be met: a status, one sentence, and where the rule stands."""

from collections.abc import Mapping
from typing import Any


class Refusal(Exception):  # noqa: N818 - what happens, not a mistake of the program
    """A request that is refused. The sentence is for whoever asked, and tells nothing else."""

    def __init__(self, status: int, text: str, source: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.source = source

    @property
    def data(self) -> Mapping[str, Any]:
        """Return the body of the response."""
        return {"error": self.text, "source": self.source}


FULL = "Too many are connected here; try again in a moment."
NO_KEY = "This needs a key: open the link you were given."
NOT_YOURS = "This key is for something else."
NO_TABLE = "There is no such table here."
NOT_ASKED = "That is not what you are asked now."
ANSWERED = "This was answered already."
WAITS = "This table waits for its host, who has to choose how it goes on."
