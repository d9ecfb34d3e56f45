"""Record what recorded rules mean as a hash: `python -m tests.upgrades.examples`."""

import json
from pathlib import Path

from tests.upgrades.recorded import VERSIONS, content, sidecar
from ziggurat import load, meaning_hash


def examples() -> dict[str, dict[str, str]]:
    """Return the hashes of the rules of all recorded games."""
    found: dict[str, dict[str, str]] = {}
    for version in VERSIONS:
        stacks = sorted({seen["stack"] for seen in sidecar(version).values()})
        rulesets = {stack: load(stack, content(version)).ruleset for stack in stacks}
        found[version] = {
            stack: meaning_hash(ruleset) for stack, ruleset in rulesets.items() if ruleset
        }
    return found


if __name__ == "__main__":
    text = json.dumps(examples(), indent=1)
    Path(__file__).with_name("meanings.json").write_text(f"{text}\n", "utf-8")
