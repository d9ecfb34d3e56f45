"""Where a game is in its rules: frames, the innermost last.

The scheduler and the stages keep them in `State.frames`; all other modules read a `Position`. Saved
frames are lists that begin with a tag. The progress of a stage is plain data with names, and its
saved form has none. States share frames, so a frame is never changed; the classes are not frozen
only because new frames would take longer to make.
"""

from typing import Any, ClassVar, NamedTuple

import attrs

from ziggurat.runtime.kernel.signatures import Spec

Progress = tuple[Any, ...]


@attrs.define
class Frame:
    """What is running. `name` is that of a phase, turn or rule, for errors."""

    tag: ClassVar[str]

    @property
    def name(self) -> str:
        return ""


@attrs.define
class TurnFrame(Frame):
    """The game itself: `part` 0 has the start phases, 1 the others; `index` is the next of them."""

    tag = "turn"
    turn: str
    part: int
    index: int

    @property
    def name(self) -> str:
        return self.turn


@attrs.define
class RunFrame(Frame):
    """Phases that run by themselves; `index` is the next of them."""

    tag = "run"
    phases: tuple[str, ...]
    index: int

    @property
    def name(self) -> str:
        return str(self.phases)


@attrs.define
class CallFrame(Frame):
    """A procedure or block that runs by itself."""

    tag = "call"
    key: Spec
    args: tuple[Any, ...]

    @property
    def name(self) -> str:
        return str(self.key)


@attrs.define
class PhaseFrame(Frame):
    """A phase at part `index` of its plan, with the progress of the stage there."""

    tag = "phase"
    phase: str
    index: int = 0
    progress: Progress = ()

    @property
    def name(self) -> str:
        return self.phase

    def at(self, index: int, progress: Progress = ()) -> "PhaseFrame":
        """Return the frame of the same phase at another place."""
        return PhaseFrame(self.phase, index, progress)


Frames = tuple[Frame, ...]
_BY_TAG = {frame.tag: frame for frame in (TurnFrame, RunFrame, CallFrame, PhaseFrame)}


def frame_data(frame: Frame) -> tuple[Any, ...]:
    """Return the saved form of a frame: its tag, then its fields."""
    return frame.tag, *(getattr(frame, field.name) for field in attrs.fields(type(frame)))


def read_frame(data: tuple[Any, ...]) -> Frame:
    """Return the frame with this saved form. Raise KeyError or TypeError for other data."""
    tag, *fields = data
    return _BY_TAG[tag](*fields)


class Rounds(NamedTuple):
    """`while` and `repeat`: how many rounds have run."""

    number: int = 0


class Members(NamedTuple):
    """`each`: who has had a turn, and who has it now."""

    done: tuple[int, ...] = ()
    current: int | None = None


class Acting(NamedTuple):
    """Players act in order; `begun` is the action and its arguments, ("", ()) for done."""

    done: tuple[int, ...] = ()
    current: int | None = None
    begun: tuple[str, tuple[Any, ...]] | None = None


class FreeActing(NamedTuple):
    """Players act in any order; `begun` is the player, the action and its arguments."""

    begun: tuple[int, str, tuple[Any, ...]] | None = None


COLLECT, AGAIN = "collect", "again"


class Together(NamedTuple):
    """Players decide at the same time: the answers of each are collected, and then all bodies run.

    In `mode` AGAIN they run, and an answer turned out to be no longer possible.
    """

    players: tuple[int, ...]
    given: tuple[tuple[Any, ...], ...]
    mode: str
