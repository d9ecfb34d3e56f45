"""Memory of rules that nobody looks into any more.

Rules are full of cycles, so only a collection frees them; while a server plays, Python collects so
seldom that a visitor who opens one stack after another would fill the memory.
"""

import ctypes
import gc
import threading
from contextlib import suppress

EVERY = 3  # loaded rulesets between two collections

_lock = threading.Lock()
_loaded = 0


def loaded() -> None:
    """Count a ruleset that was loaded, and free now and then what was dropped before it.

    What stays need not be looked through again until then.
    """
    global _loaded
    with _lock:
        _loaded += 1
        if _loaded % EVERY == 1:
            gc.unfreeze()
            gc.collect()
            gc.freeze()


def give_back() -> None:
    """Free what nobody uses, and give the memory back to the system where that can be told."""
    gc.collect()
    with suppress(OSError, AttributeError):  # of all systems, those with glibc
        ctypes.CDLL(None).malloc_trim(0)
