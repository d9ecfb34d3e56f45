"""What became of scenarios, for programs: JSON, and the XML that build servers read (JUnit)."""

import json
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from ziggurat import KEPT, Judgement, cites, where

JUNIT, JSON = "junit", "json"


def as_json(stack: str, judged: Sequence[Judgement]) -> str:
    """One object: the stack, and each scenario with its word and what is wrong with it."""
    told = {"stack": stack, "scenarios": [_plain(one) for one in judged]}
    return json.dumps(told, indent=2, ensure_ascii=False)


def _plain(one: Judgement) -> dict[str, Any]:
    scenario, failure = one.result.scenario, one.result.failure
    found: dict[str, Any] = {
        "title": scenario.title,
        "at": where(scenario.at),
        "cites": cites(scenario.meta),
        "became": one.word,
        "fine": one.is_fine,
    }
    if one.word != KEPT:
        found |= {"by": one.pack, "clauses": list(one.clauses), "because": one.reason}
    if failure is not None:
        found["failure"] = {
            "at": where(failure.at),
            "expected": failure.expected,
            "actual": failure.actual,
            "happened": list(failure.ran),
            "look_at": list(failure.look_at),
            "never_asked_for": list(failure.unused),
        }
    return found


def as_junit(stack: str, judged: Sequence[Judgement]) -> str:
    """A suite of tests, a scenario each; those nobody needs to look at pass."""
    wrong = [one for one in judged if not one.is_fine]
    counts = {"tests": str(len(judged)), "failures": str(len(wrong))}
    suite = ElementTree.Element("testsuite", {"name": f"ziggurat test {stack}", **counts})
    for one in judged:
        at = one.result.scenario.at
        about = {"classname": at.file, "name": one.result.scenario.title}
        case = ElementTree.SubElement(suite, "testcase", {**about, "file": at.file})
        case.set("line", str(at.line))
        if not one.is_fine:
            by = f" by {one.pack}" if one.pack else ""
            message = {"message": f"{one.word}{by}", "type": one.word}
            told = ElementTree.SubElement(case, "failure", message)
            told.text = _xml_text("\n".join([*one.clauses, str(one.result.failure)]))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True)


def _xml_text(text: str) -> str:
    """Without what no XML may have in it."""
    return "".join(one for one in text if one in "\t\n" or one >= " ")
