"""What `docs/compatibility.md` promises of the command line and the protocol.

    python -m tests.upgrades.promises

records the commands with their options, and the addresses of the server, as those of a release.
"""

import asyncio
import inspect
import json
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from ziggurat import Search
from ziggurat.studio.commands import COMMANDS
from ziggurat.studio.web.app import routes
from ziggurat.studio.web.hall import Hall
from ziggurat.studio.web.house import House
from ziggurat.studio.web.house_key import HouseKeys
from ziggurat.studio.web.limits import Limits

RECORD = Path(__file__).with_name("promises.json")


def commands() -> dict[str, list[str]]:
    """Return the options of every command."""
    found = {}
    for name, (place, _) in COMMANDS.items():
        module, _, function = place.partition(":")
        parameters = inspect.signature(getattr(import_module(module), function)).parameters
        found[name] = sorted(
            parameter.name.rstrip("_").replace("_", "-")
            for parameter in parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY
        )
    return found


def addresses() -> list[str]:
    """Return the addresses of the server with their methods."""
    return asyncio.run(_addresses())


async def _addresses() -> list[str]:
    with TemporaryDirectory() as folder:
        hall = Hall(Path(folder), Search(), Limits())
        found = sorted(
            f"{method} {getattr(route, 'path', '')}"
            for route in routes(House(hall, hall.limits, HouseKeys()))
            for method in getattr(route, "methods", None) or ()
        )
        await hall.close()
        return found


if __name__ == "__main__":
    data = {"commands": commands(), "addresses": addresses()}
    RECORD.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
