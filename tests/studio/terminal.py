"""A command in a terminal: its window, what stands in it, and somebody's keys."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

CODE = "import sys; from ziggurat.studio.cli import main; sys.exit(main(sys.argv[1:]))"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
PATIENCE = 60  # seconds without output, on any machine
MOST_OUTPUT = 1_000_000  # bytes; a program that writes more repeats itself


class Terminal:
    """A process whose terminal is ours."""

    def __init__(
        self, arguments: Sequence[str], env: Mapping[str, str], width: int = 80, height: int = 24
    ) -> None:
        self.text = ""  # all that it has written, without what moves the cursor
        self.raw = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            more = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", **env}
            outer = {name: os.environ[name] for name in os.environ.keys() - {"LINES", "COLUMNS"}}
            os.execve(sys.executable, [sys.executable, "-c", CODE, *arguments], outer | more)
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def type(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def wait_for(self, wanted: str, times: int = 1) -> str:
        """Read until something has been written so many times; return all text since the start."""
        while self.text.count(wanted) < times:
            if len(self.raw) > MOST_OUTPUT or not self._read():
                raise AssertionError(f"{wanted!r} is not there ({times}):\n{self.text}")
        return self.text

    def wait_for_prompt(self, heading: str) -> None:
        """Wait for a question below a heading; what is typed before it appears is discarded."""
        while "player1>" not in self.wait_for(heading).rpartition(heading)[2]:
            if not self._read():
                raise AssertionError(f"no question below {heading!r}:\n{self.text}")

    def _read(self) -> bool:
        """Read what is there, after waiting for it. Return False at the end."""
        if not select.select([self.fd], [], [], PATIENCE)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # how Linux says that nobody is at the other end
            return False
        self.raw += data
        self.text = CONTROL.sub("", self.raw.decode(errors="replace"))
        return bool(data)

    def end(self) -> int:
        """Read until the process has ended; return its exit code, or minus the signal.

        A process that neither writes anything for long nor ends is killed.
        """
        while self._read():
            pass
        with suppress(ProcessLookupError):
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                time.sleep(1)
                if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                    self.kill()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self) -> None:
        """Hang up, as if somebody closed the window."""
        os.close(self.fd)

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
