// Does what a task says with the libraries that VS Code speaks to servers with.
const fs = require("fs");
const path = require("path");
const { spawn } = require("child_process");
const { pathToFileURL, fileURLToPath } = require("url");
const rpc = require("vscode-jsonrpc/node");
const { TextDocument } = require("vscode-languageserver-textdocument");

const task = JSON.parse(fs.readFileSync(process.env.TASK, "utf8"));
const result = {};
const documents = new Map();
const findings = new Map();
let connection;

function open(file) {
  const uri = pathToFileURL(file).href;
  const document = TextDocument.create(uri, "ziggurat-rules", 1, fs.readFileSync(file, "utf8"));
  documents.set(uri, document);
  connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: document.languageId, version: 1, text: document.getText() },
  });
  return uri;
}

function edit(uri, edits) {
  const before = documents.get(uri);
  const version = before.version + 1;
  // From the end on, as every change is meant for the text that those before it have left.
  const last = [...edits].sort((one, other) => before.offsetAt(other.range.start) - before.offsetAt(one.range.start));
  const contentChanges = last.map((one) => ({ range: one.range, text: one.newText }));
  const text = TextDocument.applyEdits(before, edits);
  documents.set(uri, TextDocument.create(uri, before.languageId, version, text));
  connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
}

function apply(workspaceEdit) {
  for (const { textDocument, edits } of workspaceEdit.documentChanges) {
    if (textDocument.version !== documents.get(textDocument.uri).version) throw new Error("edits for another version");
    edit(textDocument.uri, edits);
  }
}

const place = (uri, words, inner) => {
  const document = documents.get(uri);
  return document.positionAt(document.getText().indexOf(words) + inner);
};
const stretch = (uri, words) => ({ start: place(uri, words, 0), end: place(uri, words, words.length) });
const ask = (method, uri, more) => connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, ...more });
const lineWith = (uri) => documents.get(uri).getText().split(/\r?\n/).find((line) => line.includes(task.mark));

async function errors(uri) {
  await ask("documentSymbol", uri);
  return (findings.get(uri) || []).filter((one) => one.severity === 1);
}

async function run() {
  const server = spawn("ziggurat", ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  connection.onNotification("textDocument/publishDiagnostics", (one) => findings.set(one.uri, one.diagnostics));
  connection.onRequest("client/registerCapability", () => null);
  connection.listen();
  const root = { uri: pathToFileURL(task.root).href, name: "root" };
  const { capabilities } = await connection.sendRequest("initialize", {
    processId: process.pid, rootUri: root.uri, workspaceFolders: [root],
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      workspace: { workspaceEdit: { documentChanges: true }, didChangeWatchedFiles: { dynamicRegistration: true } },
      textDocument: { completion: { completionItem: { snippetSupport: true } } },
    },
  });
  if (capabilities.positionEncoding !== "utf-16") throw new Error(capabilities.positionEncoding);
  connection.sendNotification("initialized", {});
  const upper = open(task.upper);
  const lower = open(task.lower);
  const used = task.word + task.after;
  const end = documents.get(lower).getText().includes("\r\n") ? "\r\n" : "\n";
  const top = { line: 0, character: 0 };
  edit(lower, [{ range: { start: top, end: top }, newText: task.unsaved + end }]);

  edit(lower, [{ range: stretch(lower, used), newText: task.slip + task.after }]);
  const [finding] = await errors(lower);
  result.finding = documents.get(lower).getText(finding.range);
  const actions = await ask("codeAction", lower, { range: finding.range, context: { diagnostics: [finding] } });
  apply(actions.find((one) => one.title === task.remedy).edit);
  if ((await errors(lower)).length) throw new Error("the remedy does not help");

  result.hover = (await ask("hover", lower, { position: place(lower, used, 1) })).contents.value;
  const offered = await ask("completion", lower, { position: place(lower, used, task.word.length) });
  const item = offered.items.find((one) => one.label === task.word);
  result.completed = TextDocument.applyEdits(documents.get(lower), [item.textEdit])
    .split(/\r?\n/).find((line) => line.includes(task.mark));

  edit(lower, [{ range: stretch(lower, task.format_from), newText: task.format_to }]);
  edit(lower, await ask("formatting", lower, { options: { tabSize: 2, insertSpaces: true } }));

  const [home] = await ask("definition", upper, { position: place(upper, task.above, 1) });
  const text = documents.get(home.uri).getText().split(/\r?\n/)[home.range.start.line];
  result.definition = [path.basename(fileURLToPath(home.uri)), text];
  apply(await ask("rename", upper, { position: place(upper, task.above, 1), newName: task.new }));
  for (const [uri, document] of documents) fs.writeFileSync(fileURLToPath(uri), document.getText());
  await connection.sendRequest("shutdown");
  connection.sendNotification("exit");
}

run()
  .catch((error) => { result.problem = String(error.stack); })
  .finally(() => { fs.writeFileSync(process.env.RESULT, JSON.stringify(result)); process.exit(0); });
