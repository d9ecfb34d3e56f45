"""What is known of each form in a room: a function for each, which adds itself where it stands."""

from collections.abc import Callable
from typing import Any, TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])


class Registry(dict[Key, Callable[..., Result]]):
    """Functions by what they are for."""

    def add(self, *keys: Key) -> Callable[[Function], Function]:
        """The function below is for these."""

        def register(function: Function) -> Function:
            for key in keys:
                assert key not in self, f"{key} is known already"
                self[key] = function
            return function

        return register
