"""The language server: what the protocol asks, handed on to whoever knows the answer.

Everything is answered on one thread; only loading runs beside it (`desk`). Requests about meanings
wait until the stack is loaded as the texts are now; completion does not, and uses the last names.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from ziggurat import (
    MANIFEST,
    Diagnostic,
    NamePlace,
    Names,
    Search,
    __version__,
    format_source,
)
from ziggurat.studio.editor import navigation
from ziggurat.studio.editor.completion import complete, resolve, signature_help
from ziggurat.studio.editor.desk import Bench, Desk, Document, syntax_findings
from ziggurat.studio.editor.drawing import LEGEND, folding, hints, semantic_tokens
from ziggurat.studio.editor.findings import by_file, shown
from ziggurat.studio.editor.hover import hover
from ziggurat.studio.editor.lenses import Trials, lenses
from ziggurat.studio.editor.places import offset, path_of, position, span_range, uri_of
from ziggurat.studio.editor.remedies import actions, scenario_action
from ziggurat.studio.editor.renaming import renaming
from ziggurat.studio.editor.settings import Settings


@attrs.frozen(eq=False)
class Spot:
    """A place in a document, with the names of its stack."""

    document: Document
    offset: int
    names: Names | None

    @property
    def places(self) -> list[NamePlace]:
        if self.names is None or self.names.source(self.document.source.path) is None:
            return []
        return self.names.at(self.document.source.path, self.offset)


class RulesServer(LanguageServer):
    """A server with its desk."""

    def __init__(self) -> None:
        super().__init__(
            "ziggurat", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental
        )
        self.desk = Desk(self.publish)
        self.trials: dict[Bench, Trials] = {}
        self._told: dict[Bench, set[Path]] = {}
        self.snippets = False
        self.can_refresh_lenses = False

    # ---- findings ---------------------------------------------------------------------------

    def publish(self, bench: Bench) -> None:
        """Show the findings of a stack in every file that has some, or had."""
        result = bench.result
        if result is None:
            return
        home = next(
            (one.path.parent / MANIFEST if one.path.name != MANIFEST else one.path
             for one in self.desk.documents.values() if one.bench is bench), None,
        )  # fmt: skip
        found = by_file(result.diagnostics, self._locator(bench), home)
        for path in {*found, *self._told.get(bench, ())}:
            self.show(path, found.get(path, []))
        self._told[bench] = set(found)

    def _locator(self, bench: Bench) -> Callable[[str], Path | None]:
        """Where a file lies; of packs that could not be stacked, where open documents lie."""
        open_ = {
            one.source.path: one.path for one in self.desk.documents.values() if one.bench is bench
        }
        return lambda file: bench.path_of(file) or open_.get(file)

    def show(self, path: Path, found: list[lsp.Diagnostic]) -> None:
        uri = uri_of(path)
        uri = next((one.uri for one in self.desk.documents.values() if one.path == path), uri)
        document = self.desk.documents.get(uri)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri, found, document.version if document else None)
        )

    def show_syntax(self, document: Document) -> None:
        """A file outside of packs."""
        found = [shown(one, lambda _: None) for one in syntax_findings(document).diagnostics]
        self.show(document.path, found)

    # ---- where somebody points --------------------------------------------------------------

    def document(self, uri: str) -> Document | None:
        return self.desk.documents.get(uri)

    async def spot(self, uri: str, place: lsp.Position) -> Spot | None:
        """A place, once the stack is loaded as it is now."""
        document = self.document(uri)
        if document is None:
            return None
        names = await self.desk.up_to_date(document.bench) if document.bench else None
        return Spot(document, offset(document.source, place), names)

    def trials_of(self, bench: Bench) -> Trials:
        return self.trials.setdefault(bench, Trials())

    def findings_at(self, document: Document, start: int, end: int) -> list[Diagnostic]:
        bench = document.bench
        result = bench.result if bench is not None else syntax_findings(document)
        return [
            one for one in (result.diagnostics if result is not None else ())
            if one.span is not None and one.span.source.path == document.source.path
            and one.span.start <= end and start <= one.span.end
        ]  # fmt: skip


def build() -> RulesServer:
    """A server with all it can do."""
    server = RulesServer()
    _texts(server)
    _words(server)
    _places(server)
    _looks(server)
    _deeds(server)
    from ziggurat.studio.editor.commands import commands

    commands(server)
    return server


def _texts(server: RulesServer) -> None:
    """What the editor tells of its documents, files and settings."""

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        server.desk.settings = Settings.read(params.initialization_options)
        completion = getattr(params.capabilities.text_document, "completion", None)
        item = getattr(completion, "completion_item", None)
        server.snippets = bool(getattr(item, "snippet_support", False))
        lens = getattr(params.capabilities.workspace, "code_lens", None)
        server.can_refresh_lenses = bool(getattr(lens, "refresh_support", False))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        opened(params.text_document.uri, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        opened(params.text_document.uri, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.desk.on_disk()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        document = server.desk.close(params.text_document.uri)
        if document is not None and document.bench is None:
            server.show(document.path, [])

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_disk(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.desk.on_disk()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: lsp.DidChangeConfigurationParams) -> None:
        server.desk.configure(Settings.read(params.settings))

    def opened(uri: str, version: int | None) -> None:
        path = path_of(uri)
        if path is not None:
            text = server.workspace.get_text_document(uri).source
            document = server.desk.show(uri, path, text, version)
            if document.bench is None:
                server.show_syntax(document)


def _words(server: RulesServer) -> None:
    """Completion and what a call takes."""

    options = lsp.CompletionOptions(trigger_characters=[".", '"'], resolve_provider=True)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        document = server.document(params.text_document.uri)
        if document is None:
            return None
        bench = document.bench
        search = bench.workspace.search if bench is not None else Search.default()
        names = bench.names if bench is not None else None
        place = offset(document.source, params.position)
        return complete(names, search, document.source, place, server.snippets)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def details(item: lsp.CompletionItem) -> lsp.CompletionItem:
        for bench in server.desk.benches:
            item = resolve(bench.names, item)
        return item

    @server.feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","])
    )
    def signatures(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        document = server.document(params.text_document.uri)
        if document is None or document.bench is None:
            return None
        place = offset(document.source, params.position)
        return signature_help(document.bench.names, document.source, place)


def _places(server: RulesServer) -> None:
    """Hover, declarations, references, other names, symbols."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        spot = await server.spot(params.text_document.uri, params.position)
        if spot is None:
            return None
        findings = server.findings_at(spot.document, spot.offset, spot.offset)
        return hover(spot.names, spot.places, findings)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        return await at(params, navigation.declared)

    @server.feature(lsp.TEXT_DOCUMENT_DECLARATION)
    async def declaration(params: lsp.DeclarationParams) -> list[lsp.Location]:
        return await at(params, navigation.declared)

    @server.feature(lsp.TEXT_DOCUMENT_IMPLEMENTATION)
    async def implementation(params: lsp.ImplementationParams) -> list[lsp.Location]:
        return await at(params, navigation.amended)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        with_declaration = params.context.include_declaration
        return await at(params, partial(navigation.references, declaration=with_declaration))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        spot = await server.spot(params.text_document.uri, params.position)
        if spot is None or spot.names is None:
            return []
        return navigation.highlights(spot.names, spot.places, spot.document.source.path)

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        spot = await server.spot(params.text_document.uri, params.position)
        if spot is None or spot.names is None or not spot.places:
            return None
        try:
            navigation.renamable(spot.names, spot.places)
        except navigation.CannotRenameError:
            return None
        return span_range(spot.places[0].span)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        spot = await server.spot(params.text_document.uri, params.position)
        if spot is None or spot.names is None or spot.document.bench is None:
            return None
        try:
            document = spot.document
            return renaming(
                spot.document.bench, spot.names, spot.places, params.new_name, document.path
            )
        except navigation.CannotRenameError as error:
            raise JsonRpcInvalidParams(str(error)) from None

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        spot = await server.spot(params.text_document.uri, lsp.Position(0, 0))
        if spot is None or spot.names is None:
            return []
        return navigation.document_symbols(spot.names, spot.document.source.path)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def everywhere(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        found: list[lsp.WorkspaceSymbol] = []
        for bench in server.desk.benches:
            names = await server.desk.up_to_date(bench)
            if names is not None:
                found += navigation.workspace_symbols(bench, names, params.query)
        return found

    async def at(params: Any, answer: Callable[..., list[lsp.Location]]) -> list[lsp.Location]:
        spot = await server.spot(params.text_document.uri, params.position)
        if spot is None or spot.names is None or spot.document.bench is None:
            return []
        return answer(spot.document.bench, spot.names, spot.places)


def _looks(server: RulesServer) -> None:
    """Colours, folds and hints."""

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        spot = await server.spot(params.text_document.uri, lsp.Position(0, 0))
        if spot is None or spot.document.path.name == MANIFEST:
            return None
        return semantic_tokens(spot.names, spot.document.source)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        document = server.document(params.text_document.uri)
        if document is None or document.path.name == MANIFEST:
            return []
        return folding(document.source)

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        spot = await server.spot(params.text_document.uri, lsp.Position(0, 0))
        if spot is None or not server.desk.settings.hints:
            return []
        return hints(spot.names, spot.document.source, params.range)


def _deeds(server: RulesServer) -> None:
    """Formatting, code actions and lenses."""

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def layout(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        document = server.document(params.text_document.uri)
        if document is None or document.path.name == MANIFEST:
            return None
        source = document.source
        formatted = format_source(source)
        if formatted == source.text:
            return None
        whole = lsp.Range(lsp.Position(0, 0), position(source, len(source.text)))
        return [lsp.TextEdit(whole, formatted)]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    async def remedies(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        spot = await server.spot(params.text_document.uri, params.range.start)
        if spot is None or spot.document.bench is None:
            return []
        bench, source = spot.document.bench, spot.document.source
        end = offset(source, params.range.end)
        findings = server.findings_at(spot.document, spot.offset, end)
        found = actions(bench, spot.names, findings)
        if spot.names is not None:
            here = spot.names.declarations(source.path)
            found += scenario_action(bench, spot.names, source, here, spot.offset)
        return found

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def above(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        spot = await server.spot(params.text_document.uri, lsp.Position(0, 0))
        if spot is None or spot.names is None or spot.document.bench is None:
            return []
        bench, file = spot.document.bench, spot.document.source.path
        trials = server.trials_of(bench)
        return list(lenses(bench, spot.names, trials, file, spot.document.uri))
