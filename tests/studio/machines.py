"""Machines of a network that has nothing to do with this one's: network namespaces of Linux.

One leads: it has the switch, and the others are plugged into it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

LEAD = "10.77.0.1"  # no machine outside the network can be reached from it


def run_ip(*words: str) -> int:
    return subprocess.run(["ip", *words], capture_output=True).returncode


def can_make_machines() -> bool:
    """Return whether this system lets its user make network namespaces."""
    if sys.platform != "linux" or shutil.which("ip") is None:
        return False
    name = f"ziggurat-{os.getpid()}"
    return run_ip("netns", "add", name) == 0 and run_ip("netns", "delete", name) == 0


@attrs.define(eq=False)
class Machine:
    """A machine with an address and a home of its own, and what runs there."""

    name: str
    address: str
    home: Path
    running: list["subprocess.Popen[bytes]"] = attrs.field(factory=list)

    def start(self, *words: str) -> "subprocess.Popen[bytes]":
        """Start Python with arguments."""
        own = {"HOME": str(self.home), "ZIGGURAT_CACHE": str(self.home / "cache")}
        with (self.home / "log").open("ab") as log:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.name, sys.executable, *words],
                env={**os.environ, **own},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.running.append(process)
        return process

    @property
    def said(self) -> str:
        return " ".join((self.home / "log").read_text(encoding="utf-8").split())

    def unplug(self) -> None:
        assert run_ip("-n", self.name, "link", "set", "cable", "down") == 0

    def stop(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


@contextmanager
def network(folder: Path, number: int) -> Iterator[list[Machine]]:
    """Yield machines that reach each other; the first leads."""
    machines = []
    for place in range(number):
        name = f"ziggurat-{os.getpid()}-{place}"
        home = folder / f"home{place}"
        home.mkdir()
        machines.append(Machine(name, f"10.77.0.{place + 1}", home))
    try:
        for machine in machines:
            _set_up(machine, machines[0])
        yield machines
    finally:
        for machine in machines:
            machine.stop()
            run_ip("netns", "delete", machine.name)


def _set_up(machine: Machine, lead: Machine) -> None:
    steps = [["netns", "add", machine.name], ["-n", machine.name, "link", "set", "lo", "up"]]
    if machine is lead:
        cable = "switch"
        steps += [["-n", lead.name, "link", "add", cable, "type", "bridge"]]
    else:
        cable, port = "cable", f"port{machine.address.rpartition('.')[2]}"
        steps += [
            ["-n", lead.name, "link", "add", port, "type", "veth",
             "peer", "name", cable, "netns", machine.name],
            ["-n", lead.name, "link", "set", port, "master", "switch", "up"],
        ]  # fmt: skip
    steps += [
        ["-n", machine.name, "address", "add", f"{machine.address}/24", "dev", cable],
        ["-n", machine.name, "link", "set", cable, "up"],
    ]
    for step in steps:
        assert run_ip(*step) == 0, step
