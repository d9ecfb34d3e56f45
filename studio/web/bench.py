"""A thread of its own for work that takes the processor and that no table waits for."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.requests import Request

from ziggurat.studio.web.guard import address
from ziggurat.studio.web.limits import Rates
from ziggurat.studio.web.refusals import Refusal

T = TypeVar("T")


class Bench:
    """One question at a time, and no more of them from one address than a rate allows."""

    def __init__(self, thread: ThreadPoolExecutor, rate: float) -> None:
        self._rates = Rates(rate)
        self._thread = thread

    def welcome(self, request: Request) -> None:
        """Count a question. Raises `Refusal`."""
        if not self._rates.allow(address(request.scope)):
            raise Refusal(429, "That was too much in too short a time; wait a little.")

    async def work(self, what: Callable[..., T], *args: Any) -> T:
        """Do something, after whoever came before."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, what, *args)
