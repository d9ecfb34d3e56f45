"""What a server has done and how it is, in numbers as Prometheus reads them."""

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds


class Durations:
    """How often something took how long."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        """Count something that took so long."""
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str, told: str) -> Iterator[str]:
        """Yield the lines of a histogram."""
        yield from _head(name, told, "histogram")
        total = 0
        for bound, count in zip((*BOUNDS, "+Inf"), self._counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {total}"


class Metrics:
    """What one server counts while it runs."""

    def __init__(self) -> None:
        self.answers = 0  # of people, acknowledged
        self.program_answers = 0
        self.refusals: Counter[int] = Counter()  # by status
        self.answering = Durations()
        self.queueing = Durations()

    def text(self, gauges: Mapping[str, tuple[str, float]], memory: Mapping[str, int]) -> str:
        """Return all numbers, with those that others have counted."""
        return "\n".join([*self._lines(gauges, memory), ""])

    def _lines(
        self, gauges: Mapping[str, tuple[str, float]], memory: Mapping[str, int]
    ) -> Iterator[str]:
        for name, (told, value) in gauges.items():
            yield from _head(f"ziggurat_{name}", told, "gauge")
            yield f"ziggurat_{name} {value:g}"
        yield from _head("ziggurat_answers_total", "Answers that were acknowledged.", "counter")
        yield f'ziggurat_answers_total{{by="person"}} {self.answers}'
        yield f'ziggurat_answers_total{{by="program"}} {self.program_answers}'
        yield from _head("ziggurat_refusals_total", "Requests that were refused.", "counter")
        for status, count in sorted(self.refusals.items()):
            yield f'ziggurat_refusals_total{{status="{status}"}} {count}'
        yield from self.answering.lines(
            "ziggurat_answer_seconds", "From a request to its acknowledgement."
        )
        yield from self.queueing.lines(
            "ziggurat_queue_seconds", "Until a thread was free for what a person has asked."
        )
        yield from _head("ziggurat_memory_bytes", "Memory of its own (PSS).", "gauge")
        for process, size in memory.items():
            yield f'ziggurat_memory_bytes{{process="{process}"}} {size}'


def _head(name: str, told: str, kind: str) -> Iterable[str]:
    return (f"# HELP {name} {told}", f"# TYPE {name} {kind}")


def memory_of(pids: Iterable[int]) -> int:
    """Return the memory of processes in bytes, or 0 where the system does not tell."""
    total = 0
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += 1024 * int(next(line for line in lines if line[:4] == "Pss:").split()[1])
    return total


def own_memory() -> int:
    """Return the memory of this process in bytes, or 0 where the system does not tell."""
    return memory_of([os.getpid()])
