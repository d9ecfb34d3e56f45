"""What became of scenarios, for programs: JSON, and the XML that build servers read (JUnit)."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from xml.etree import ElementTree

import attrs

from ziggurat import KEPT, Diagnostic, Judgement, cites, findings_shape, human_text, ir, where
from ziggurat.studio.real_paths import RealPaths

JUNIT, JSON = "junit", "json"
VERSION = 2
_NOT_IN_XML = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@attrs.frozen
class TestReport:
    """A run of scenarios; or, with `findings`, a stack that could not be loaded."""

    stack: str
    paths: RealPaths
    judged: Sequence[Judgement] = ()
    unreadable: frozenset[str] = frozenset()  # ids of scenarios
    seconds: Sequence[float] = ()  # that each scenario took; the last ones may be missing
    findings: Sequence[Diagnostic] = ()

    def written(self, format: str) -> str:
        return _json(self) if format == JSON else _junit(self)


def _json(report: TestReport) -> str:
    """One object; `docs/test-json.md` describes it."""
    shape = {
        "version": VERSION,
        "stack": report.stack,
        "findings": findings_shape(report.findings, report.paths.of_source),
        "scenarios": [_scenario(one, report.paths) for one in report.judged],
    }
    return json.dumps(shape, indent=2, ensure_ascii=False)


def _scenario(one: Judgement, paths: RealPaths) -> dict[str, Any]:
    scenario, failure = one.result.scenario, one.result.failure
    changed = one.word != KEPT
    return {
        "title": scenario.title,
        "at": where(scenario.at),
        "location": _location(scenario.at, paths),
        "cites": cites(scenario.meta),
        "became": one.word,
        "fine": one.is_fine,
        "by": one.pack if changed else "",
        "clauses": list(one.clauses) if changed else [],
        "because": one.reason if changed else "",
        "blamed": {blame.pack: list(blame.clauses) for blame in one.blamed},
        "failure": None
        if failure is None
        else {
            "at": where(failure.at),
            "location": _location(failure.at, paths),
            "expected": failure.expected,
            "actual": failure.actual,
            "happened": list(failure.ran),
            "look_at": list(failure.look_at),
            "never_asked_for": list(failure.unused),
        },
    }


def _location(at: ir.At, paths: RealPaths) -> dict[str, Any] | None:
    if not at.file:
        return None
    pack, _, file = at.file.partition("/")
    return {
        "path": paths.of(at.file), "pack": pack, "file": file, "line": at.line, "column": at.column,
    }  # fmt: skip


def _junit(report: TestReport) -> str:
    """A suite of tests, a scenario each; those nobody needs to look at pass.

    A stack that cannot be loaded is a single test with an error.
    """
    wrong = [one for one in report.judged if not one.is_fine]
    errors = sum(one.result.scenario.id in report.unreadable for one in wrong)
    cases = len(report.judged)
    if report.findings:
        cases = errors = 1
    counts = {
        "tests": cases, "failures": len(wrong) - errors if wrong else 0, "errors": errors,
        "skipped": 0,
    }  # fmt: skip
    suite = ElementTree.Element("testsuite", {"name": f"ziggurat test {report.stack}"})
    for name, number in counts.items():
        suite.set(name, str(number))
    suite.set("time", f"{sum(report.seconds):.3f}")
    suite.set("timestamp", datetime.now().isoformat(timespec="seconds"))
    for number, one in enumerate(report.judged):
        _add_case(suite, report, one, report.seconds[number : number + 1])
    if report.findings:
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": report.stack, "name": "The stack can be loaded"}
        )
        first = report.findings[0]
        error = ElementTree.SubElement(
            case, "error", {"message": _xml_text(first.message), "type": first.code}
        )
        error.text = _xml_text(human_text(report.findings, locate=report.paths.of_source))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True)


def _add_case(
    suite: ElementTree.Element, report: TestReport, one: Judgement, seconds: Sequence[float]
) -> None:
    at, failure = one.result.scenario.at, one.result.failure
    title = _xml_text(one.result.scenario.title)
    case = ElementTree.SubElement(suite, "testcase", {"classname": at.file, "name": title})
    case.set("time", f"{sum(seconds):.3f}")
    case.set("file", report.paths.of(at.file))
    case.set("line", str(at.line))
    if one.is_fine or failure is None:
        return
    is_unreadable = one.result.scenario.id in report.unreadable
    message = failure.actual if is_unreadable else f"expected {failure.expected}: {failure.actual}"
    details = {"message": _xml_text(message), "type": one.word}
    told = ElementTree.SubElement(case, "error" if is_unreadable else "failure", details)
    by = [f"{one.word} by {one.pack}"] if one.pack else []
    told.text = _xml_text("\n".join([*by, *one.clauses, str(failure)]))


def _xml_text(text: str) -> str:
    """Return a text without characters that no XML may have."""
    return _NOT_IN_XML.sub("", text)
