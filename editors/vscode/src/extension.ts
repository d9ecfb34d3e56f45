// Starts the language server, and gives its commands a place in VS Code.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

const LANGUAGE = "ziggurat-rules";
let client: LanguageClient | undefined;

interface Stack {
  stack: string;
  folders: string[];
}

/** How Ziggurat is started, as the settings say. */
function command(): [string, string[]] {
  const [first, ...rest] = vscode.workspace.getConfiguration("ziggurat").get<string[]>("command") ?? [];
  return [first ?? "ziggurat", rest];
}

function settings(): Record<string, unknown> {
  const found = vscode.workspace.getConfiguration("ziggurat");
  return { stack: found.get("stack"), packs: found.get("packs"), inlayHints: found.get("inlayHints") };
}

async function start(): Promise<void> {
  const [program, args] = command();
  const server: ServerOptions = { command: program, args: [...args, "lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", language: LANGUAGE }, { scheme: "file", pattern: "**/pack.toml" }],
    initializationOptions: settings(),
    synchronize: { configurationSection: "ziggurat" },
    middleware: {
      // What the server knows as places, VS Code shows as a list beside the text.
      executeCommand: async (name, given, next) => {
        if (name === "ziggurat.explainFinding") return explainFinding(String(given[0]), next);
        return next(name, given);
      },
    },
  };
  client = new LanguageClient("ziggurat", "Ziggurat", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const asked = "Open settings";
    const told = `Ziggurat could not be started as \`${program}\`: ${String(error)}`;
    if ((await vscode.window.showErrorMessage(told, asked)) === asked) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "ziggurat.command");
    }
  }
}

async function ask<T>(name: string, ...given: unknown[]): Promise<T | undefined> {
  if (!client) return undefined;
  const found: T | null = await client.sendRequest("workspace/executeCommand", { command: name, arguments: given });
  return found ?? undefined;
}

type Next = (name: string, given: unknown[]) => unknown;

async function explainFinding(code: string, next: Next): Promise<unknown> {
  const text = await next("ziggurat.explainFinding", [code]);
  if (typeof text === "string") await showMarkdown(text);
  return text;
}

async function showMarkdown(text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
  await vscode.commands.executeCommand("markdown.showPreviewToSide", document.uri);
}

/** The text in front, if it is one of ours. */
function editor(): vscode.TextEditor | undefined {
  const active = vscode.window.activeTextEditor;
  if (active?.document.languageId === LANGUAGE || active?.document.fileName.endsWith("pack.toml")) return active;
  void vscode.window.showInformationMessage("Open a file of rules first.");
  return undefined;
}

async function stackOf(uri: vscode.Uri): Promise<Stack | undefined> {
  const found = await ask<Stack>("ziggurat.stackOf", uri.toString());
  if (!found) void vscode.window.showInformationMessage("This file belongs to no pack.");
  return found;
}

/** Run Ziggurat in a terminal of its own, with the packs of the stack in front of it. */
async function inTerminal(words: (stack: Stack) => string[]): Promise<void> {
  const active = editor();
  const stack = active && (await stackOf(active.document.uri));
  if (!stack) return;
  await vscode.tasks.executeTask(task("Ziggurat", stack.stack, words(stack), stack.folders));
}

function task(name: string, stack: string, words: string[], folders: string[]): vscode.Task {
  const [program, args] = command();
  const packs = folders.flatMap((folder) => ["--packs", folder]);
  const run = new vscode.ProcessExecution(program, [...args, ...words, ...packs]);
  const definition = { type: "ziggurat", task: words[0], stack };
  return new vscode.Task(definition, vscode.TaskScope.Workspace, name, "ziggurat", run, "$ziggurat");
}

async function testHere(): Promise<void> {
  const active = editor();
  if (!active) return;
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider", active.document.uri, 1000,
  );
  const line = active.selection.active.line;
  const above = (lenses ?? [])
    .filter((lens) => lens.command?.command === "ziggurat.runScenario" && lens.range.start.line <= line)
    .pop();
  if (above?.command) await vscode.commands.executeCommand(above.command.command, ...(above.command.arguments ?? []));
  else void vscode.window.showInformationMessage("There is no scenario above the cursor.");
}

async function explainHere(): Promise<void> {
  const active = editor();
  if (!active) return;
  const { line, character } = active.selection.active;
  const text = await ask<string>("ziggurat.explainAt", active.document.uri.toString(), line, character);
  if (text) await showMarkdown(text);
  else void vscode.window.showInformationMessage("There is nothing to say about this place.");
}

let shown: vscode.WebviewPanel | undefined;

async function previewHere(): Promise<void> {
  const active = editor();
  if (!active) return;
  const { line, character } = active.selection.active;
  const uri = active.document.uri.toString();
  const page = await ask<{ title: string; html: string }>("ziggurat.preview", uri, line, character);
  if (!page) {
    void vscode.window.showInformationMessage("There is nothing to show here yet; mend the errors of the stack first.");
    return;
  }
  if (!shown) {
    shown = vscode.window.createWebviewPanel("ziggurat", page.title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    shown.onDidDispose(() => (shown = undefined));
  }
  shown.title = page.title;
  shown.webview.html = page.html;
}

async function createPack(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) {
    void vscode.window.showInformationMessage("Open a folder for packs first.");
    return;
  }
  const name = await vscode.window.showInputBox({ prompt: "The id of the pack", placeHolder: "my_pack" });
  const extended = name && (await vscode.window.showInputBox({ prompt: "The pack it builds on", value: "west" }));
  if (!name || !extended) return;
  const made = await ask<{ file: string }>("ziggurat.newPack", folder.uri.toString(), name, extended);
  if (made?.file) await vscode.window.showTextDocument(vscode.Uri.file(made.file));
}

/** Arguments of the server's commands come as plain data; the list of places wants objects. */
async function showPlaces(uri: string, at: vscode.Position, places: { uri: string; range: vscode.Range }[]): Promise<void> {
  const locations = places.map((one) => {
    const { start, end } = one.range;
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    return new vscode.Location(vscode.Uri.parse(one.uri), range);
  });
  const place = new vscode.Position(at.line, at.character);
  await vscode.commands.executeCommand("editor.action.showReferences", vscode.Uri.parse(uri), place, locations);
}

async function explainScenario(uri: string, title: string): Promise<void> {
  const stack = await stackOf(vscode.Uri.parse(uri));
  const asked = stack && (await vscode.window.showInputBox({ prompt: "What to explain where the scenario ends", placeHolder: "attack_tokens(rome, hellas)" }));
  if (!stack || !asked) return;
  const words = ["explain", stack.stack, asked, "--scenario", title];
  await vscode.tasks.executeTask(task("Explain", stack.stack, words, stack.folders));
}

class Tasks implements vscode.TaskProvider {
  async provideTasks(): Promise<vscode.Task[]> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const stack = uri && (await ask<Stack>("ziggurat.stackOf", uri.toString()));
    if (!stack) return [];
    return ["check", "test", "watch"].map((word) => task(`${word} ${stack.stack}`, stack.stack, [word, stack.stack], stack.folders));
  }

  resolveTask(given: vscode.Task): vscode.Task | undefined {
    const { task: word, stack } = given.definition as { task?: string; stack?: string };
    return word && stack ? task(given.name, stack, [word, stack], []) : undefined;
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const commands: Record<string, (...given: never[]) => unknown> = {
    "ziggurat.check": () => inTerminal((found) => ["check", found.stack]),
    "ziggurat.testHere": testHere,
    "ziggurat.diffHead": () => inTerminal((found) => ["diff", `${found.stack}@HEAD`, found.stack]),
    "ziggurat.explainHere": explainHere,
    "ziggurat.previewHere": previewHere,
    "ziggurat.createPack": createPack,
    "ziggurat.showPlaces": showPlaces,
    "ziggurat.explainScenario": explainScenario,
    "ziggurat.restart": async () => {
      await client?.stop();
      await start();
    },
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  context.subscriptions.push(vscode.tasks.registerTaskProvider("ziggurat", new Tasks()));
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
