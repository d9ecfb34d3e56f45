"""A pause for Python's garbage collector while trees are built."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Do without garbage collection for a while.

    Syntax, rulesets and programs are trees; looking for circles in them again and again as they
    grow takes up to half of the time, and more than in proportion in large packs.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
