"""Commands that an editor sends: run a scenario, try mutants, explain, preview, begin a pack."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ziggurat import Ruleset, page
from ziggurat.studio.editor.desk import Bench, Document
from ziggurat.studio.editor.hover import hover
from ziggurat.studio.editor.lenses import MUTANTS, RUN
from ziggurat.studio.editor.new_pack import new_pack
from ziggurat.studio.editor.places import path_of
from ziggurat.studio.editor.preview import preview
from ziggurat.studio.editor.remedies import EXPLAIN

if TYPE_CHECKING:
    from ziggurat.studio.editor.server import RulesServer

BROKEN = "The stack has errors; mend them first, then this can be run."


def commands(server: "RulesServer") -> None:
    """Register all commands."""

    def of(uri: str) -> tuple[Document, Bench] | None:
        document = server.document(uri)
        return (document, document.bench) if document and document.bench else None

    async def rules(bench: Bench) -> Ruleset | None:
        await server.desk.up_to_date(bench)
        ruleset = bench.result.ruleset if bench.result is not None else None
        if ruleset is None:
            server.say(BROKEN, lsp.MessageType.Warning)
        return ruleset

    async def beside(function: Any, *args: Any) -> Any:
        """Run something that takes a while beside the thread that answers."""
        found = await asyncio.get_running_loop().run_in_executor(None, function, *args)
        if server.can_refresh_lenses:
            server.workspace_code_lens_refresh(None)
        return found

    @server.command(RUN)
    async def run_scenario(uri: str, scenario: str) -> dict[str, Any] | None:
        """Run a scenario with all its cases."""
        found = of(uri)
        ruleset = await rules(found[1]) if found is not None else None
        if found is None or ruleset is None:
            return None
        results = await beside(server.trials_of(found[1]).run, ruleset, scenario)
        failures = [f"{one.scenario.title}\n{one.failure}" for one in results if one.failure]
        text = "\n\n".join(failures) or f"{len(results)} passed."
        server.say(text, lsp.MessageType.Error if failures else lsp.MessageType.Info)
        return {"passed": not failures, "run": len(results), "text": text}

    @server.command(MUTANTS)
    async def try_mutants(uri: str, scenario: str) -> dict[str, Any] | None:
        """Make small mistakes in what a scenario runs, and tell which it does not notice."""
        found = of(uri)
        ruleset = await rules(found[1]) if found is not None else None
        if found is None or ruleset is None:
            return None
        alive, tried = await beside(server.trials_of(found[1]).survivors, ruleset, scenario)
        text = f"{len(alive)} of {tried} small mistakes go unnoticed by this scenario alone."
        server.say("\n".join([text, *alive]), lsp.MessageType.Info)
        return {"survive": alive, "tried": tried}

    @server.command(EXPLAIN)
    def explain_finding(code: str) -> str | None:
        """The page of a code, as Markdown."""
        found = page(code)
        return found.markdown if found is not None else None

    @server.command("ziggurat.explainAt")
    async def explain_at(uri: str, line: int, character: int) -> str | None:
        """All there is to say about a place, as Markdown."""
        spot = await server.spot(uri, lsp.Position(line, character))
        if spot is None:
            return None
        findings = server.findings_at(spot.document, spot.offset, spot.offset)
        told = hover(spot.names, spot.places, findings)
        contents = told.contents if told is not None else None
        return contents.value if isinstance(contents, lsp.MarkupContent) else None

    @server.command("ziggurat.preview")
    async def show_preview(uri: str, line: int, character: int) -> dict[str, str] | None:
        """The map, or the card of the thing at a place, as a page."""
        spot = await server.spot(uri, lsp.Position(line, character))
        if spot is None or spot.names is None or spot.document.bench is None:
            return None
        ruleset = spot.document.bench.ruleset
        return preview(ruleset, spot.names, spot.places) if ruleset is not None else None

    @server.command("ziggurat.stackOf")
    def stack_of(uri: str) -> dict[str, Any] | None:
        """In which stack a file is checked, and where its packs are looked for."""
        found = of(uri)
        if found is None:
            return None
        workspace = found[1].workspace
        folders = [str(one) for one in workspace.search.folders]
        return {"stack": workspace.stack_text, "folders": folders}

    @server.command("ziggurat.newPack")
    def make_pack(folder: str, name: str, extends: str) -> dict[str, str]:
        """A new pack in a folder, with a rule and a scenario to begin with."""
        place = path_of(folder) or Path(folder)
        made, problem = new_pack(place, name, extends)
        if problem:
            server.say(problem, lsp.MessageType.Error)
        return {"file": made, "problem": problem}
