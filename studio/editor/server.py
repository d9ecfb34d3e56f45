"""The language server: what the protocol asks, handed on to whoever knows the answer.

Everything is answered on one thread; only loading runs beside it (`desk`). Requests about meanings
wait until the stack is loaded as the texts are now; completion does not, and uses the last names.
"""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import attrs
from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from ziggurat import (
    MANIFEST,
    Diagnostic,
    NamePlace,
    Names,
    Search,
    __version__,
    format_source,
    real_path,
)
from ziggurat.studio.editor import navigation
from ziggurat.studio.editor.completion import complete, resolve, signature_help
from ziggurat.studio.editor.desk import Bench, Desk, Document, syntax_findings
from ziggurat.studio.editor.drawing import LEGEND, folding, hints, semantic_tokens
from ziggurat.studio.editor.edits import workspace_edit
from ziggurat.studio.editor.findings import Locate, by_file, shown
from ziggurat.studio.editor.hover import hover
from ziggurat.studio.editor.lenses import Trials, lenses
from ziggurat.studio.editor.places import OutsideTextError, offset, path_of, position, span_range
from ziggurat.studio.editor.remedies import actions, scenario_action
from ziggurat.studio.editor.renaming import refuse_changed, renaming
from ziggurat.studio.editor.settings import Settings, pack_folder
from ziggurat.studio.editor.time_limits import limited
from ziggurat.studio.editor.watching import FolderWatch

Findings = dict[Path, list[lsp.Diagnostic]]
F = TypeVar("F", bound=Callable[..., Any])

# The desk keeps texts itself: the library counts more characters as line ends than editors do.
KEPT_HERE = (
    lsp.TEXT_DOCUMENT_DID_OPEN, lsp.TEXT_DOCUMENT_DID_CHANGE, lsp.TEXT_DOCUMENT_DID_CLOSE,
)  # fmt: skip
UNITS = (
    "This editor counts columns as {} only, but Ziggurat counts them in UTF-16 units, as every"
    " editor should be able to. Behind letters that are not English, places are wrong."
)
OUT_OF_STEP = (
    "An edit of `{}` lies outside of its text, so Ziggurat does not know the text any more. Close"
    " the file and open it again."
)


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


class RulesProtocol(LanguageServerProtocol):
    """The protocol as this server speaks it."""

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(
        self, params: lsp.InitializeParams
    ) -> Generator[Any, Any, lsp.InitializeResult]:
        """Count columns in UTF-16 units, whatever the client would like best."""
        general = params.capabilities.general or lsp.GeneralClientCapabilities()
        offered = general.position_encodings or [lsp.PositionEncodingKind.Utf16]
        general.position_encodings = [lsp.PositionEncodingKind.Utf16]
        if lsp.PositionEncodingKind.Utf16 not in offered:
            text = UNITS.format(", ".join(offered))
            self._server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, text))
        return (yield from super().lsp_initialize(params))


class RulesServer(LanguageServer):
    """A server with its desk."""

    def __init__(self) -> None:
        super().__init__(
            "ziggurat",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            protocol_cls=RulesProtocol,
        )
        for method in KEPT_HERE:
            del self.protocol.fm.builtin_features[method]
        self.desk = Desk(self.publish, self.show, self._lose, self.report_failure)
        self._deep_watch = FolderWatch(self.on_disk, self._cannot_watch, deep=True)
        self._flat_watch = FolderWatch(self.on_disk, self._cannot_watch, deep=False)
        self._gone: set[Path] = set()
        self.trials: WeakKeyDictionary[Bench, Trials] = WeakKeyDictionary()
        self._findings: WeakKeyDictionary[Bench, Findings] = WeakKeyDictionary()
        self.snippets = False
        self.can_refresh_lenses = False
        self.is_told_of_files = False  # the client watches the folders of its workspace

    def feature(self, feature_name: str, options: Any | None = None) -> Callable[[F], F]:
        """Register the handler of a request or a notification, with a limit of time."""
        register = super().feature(feature_name, options)
        return lambda handler: register(limited(handler))  # type: ignore[return-value]

    def command(self, command_name: str) -> Callable[[F], F]:
        """Register a command, with a limit of time."""
        register = super().command(command_name)
        return lambda handler: register(limited(handler))  # type: ignore[return-value]

    # ---- findings ---------------------------------------------------------------------------

    def report_failure(self, bench: Bench, error: Exception) -> None:
        """Say that a stack could not be checked; what was known of it before stays."""
        message = f"`{bench.workspace.stack_text}` could not be checked: {error}"
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, message))

    def publish(self, bench: Bench) -> None:
        """Show the findings of a stack in every file that has some, or had; none of a stack that
        is no longer in use."""
        before = self._findings.pop(bench, {})
        mine = [one for one in self.desk.documents.values() if one.bench is bench]
        found: Findings = {}
        if mine and bench.result is not None:
            home = (pack_folder(mine[0].path) or mine[0].path.parent) / MANIFEST
            diagnostics = bench.result.diagnostics
            found = by_file(diagnostics, self._locator(bench), self.desk.uri_of, home)
            self._findings[bench] = found
        for path in {*before, *found, *(Path(real_path(one.path)) for one in mine)}:
            self.show(path)
        self.watch()

    def _locator(self, bench: Bench) -> Locate:
        """Where a file lies; of packs that could not be stacked, where open documents lie."""
        open_ = {
            one.source.path: one.path for one in self.desk.documents.values() if one.bench is bench
        }
        return lambda file: bench.path_of(file) or open_.get(file)

    def show(self, path: Path) -> None:
        """Show what all stacks in use find in a file."""
        document = self.desk.document_of(path)
        found: list[lsp.Diagnostic] = []
        if document is not None and document.bench is None:
            syntax = syntax_findings(document).diagnostics
            found = [shown(one, lambda _: None, self.desk.uri_of) for one in syntax]
        for bench in self.desk.benches:
            more = self._findings.get(bench, {}).get(Path(real_path(path)), ())
            found += [one for one in more if one not in found]
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                self.desk.uri_of(path), found, document.version if document else None
            )
        )

    # ---- files outside of the editor --------------------------------------------------------

    def on_disk(self) -> None:
        """Files have changed on the disk."""
        self.desk.on_disk()
        self.watch()

    def watch(self) -> None:
        """Watch the folders that matter, except those that the client watches."""
        self._deep_watch.follow(filter(self._is_mine_to_watch, self.desk.pack_folders()))
        self._flat_watch.follow(filter(self._is_mine_to_watch, self.desk.folders_above()))

    def _is_mine_to_watch(self, folder: Path) -> bool:
        if not self.is_told_of_files:
            return True
        roots = [path_of(one.uri) for one in self.workspace.folders.values()]
        root = self.workspace.root_path
        roots += [Path(root)] if root else []
        return not any(one is not None and folder.is_relative_to(one) for one in roots)

    def _cannot_watch(self, reason: str) -> None:
        text = f"Changes outside of this editor go unnoticed until the next save: {reason}."
        self.say(text, lsp.MessageType.Warning)

    def _lose(self, path: Path) -> None:
        """Say that the pack of an open file is gone, once for all files of a folder."""
        if path.parent not in self._gone:
            self._gone.add(path.parent)
            text = f"`{path.name}` is in no pack any more: no `pack.toml` is above it."
            self.say(text, lsp.MessageType.Warning)

    def say(self, text: str, kind: lsp.MessageType = lsp.MessageType.Info) -> None:
        self.window_show_message(lsp.ShowMessageParams(kind, text))

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
        can = partial(get_capability, params.capabilities)
        server.snippets = bool(can("text_document.completion.completion_item.snippet_support"))
        server.can_refresh_lenses = bool(can("workspace.code_lens.refresh_support"))
        server.desk.takes_versions = bool(can("workspace.workspace_edit.document_changes"))

        watched = can("workspace.did_change_watched_files.dynamic_registration")
        server.is_told_of_files = bool(watched)

    @server.feature(lsp.INITIALIZED)
    def initialized(params: lsp.InitializedParams) -> None:
        if server.is_told_of_files:
            patterns = ("**/*.rules", f"**/{MANIFEST}")
            options = lsp.DidChangeWatchedFilesRegistrationOptions(
                [lsp.FileSystemWatcher(pattern) for pattern in patterns]
            )
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            server.client_register_capability(
                lsp.RegistrationParams([lsp.Registration("files", method, options)])
            )

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        path = path_of(document.uri)
        if path is not None:
            server.desk.open(document.uri, path, document.text, document.version)
            server.watch()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        try:
            server.desk.change(document.uri, params.content_changes, document.version)
        except OutsideTextError:
            name = document.uri.rpartition("/")[2]
            server.say(OUT_OF_STEP.format(name), lsp.MessageType.Error)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.on_disk()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.desk.close(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def on_disk(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.on_disk()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: lsp.DidChangeConfigurationParams) -> None:
        server.desk.configure(Settings.read(params.settings))


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
        spot = await server.spot(params.text_document.uri, params.position)
        if spot is None or spot.names is None or spot.document.bench is None:
            return []
        home, places, found = spot.document.bench, spot.places, []
        for bench in await server.desk.all_up_to_date():
            if bench.names is None:
                continue
            there = places
            if bench is not home:
                there = navigation.places_elsewhere(home, spot.names, places, bench)
            found += navigation.references(
                bench, bench.names, there, params.context.include_declaration
            )
        return [one for at, one in enumerate(found) if one not in found[:at]]

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
        before = dict(server.desk.texts)
        spot = await server.spot(params.text_document.uri, params.position)
        if spot is None or spot.names is None or spot.document.bench is None:
            return None
        document, home = spot.document, spot.document.bench
        try:
            others = await server.desk.all_up_to_date()
            refuse_changed(server.desk, [document.path], before)
            changes = renaming(
                server.desk, home, others, spot.places, params.new_name, document.path
            )
            refuse_changed(server.desk, changes, before)
        except navigation.CannotRenameError as error:
            raise JsonRpcInvalidParams(str(error)) from None
        return workspace_edit(server.desk, changes)

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
        return [lsp.TextEdit(whole, formatted.replace("\n", document.line_end))]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    async def remedies(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        spot = await server.spot(params.text_document.uri, params.range.start)
        if spot is None or spot.document.bench is None:
            return []
        bench, source = spot.document.bench, spot.document.source
        end = offset(source, params.range.end)
        findings = server.findings_at(spot.document, spot.offset, end)
        found = actions(server.desk, bench, spot.names, findings)
        if spot.names is not None:
            here = spot.names.declarations(source.path)
            found += scenario_action(server.desk, bench, spot.names, source, here, spot.offset)
        return found

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def above(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        spot = await server.spot(params.text_document.uri, lsp.Position(0, 0))
        if spot is None or spot.names is None or spot.document.bench is None:
            return []
        bench, file = spot.document.bench, spot.document.source.path
        trials = server.trials_of(bench)
        return list(lenses(bench, spot.names, trials, file, spot.document.uri))
