"""Titles of rulesets."""

from pathlib import Path

from ziggurat import Ruleset


def title_of(ruleset: Ruleset) -> str:
    """Return the titles of the packs that were asked for, without those they build on."""
    asked = {Path(part).name for part in ruleset.stack.split("+")}
    titles = [pack.title for pack in ruleset.packs if pack.id in asked]
    return " + ".join(titles) or ruleset.stack
