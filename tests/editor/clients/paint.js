// Reads {grammar, lines} and writes the scopes of every part of every line, as VS Code sees them.
const fs = require("fs");
const { Registry, parseRawGrammar } = require("vscode-textmate");
const onig = require("vscode-oniguruma");

async function main() {
  const { grammar, lines } = JSON.parse(fs.readFileSync(0, "utf8"));
  await onig.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns) => new onig.OnigScanner(patterns),
    createOnigString: (text) => new onig.OnigString(text),
  });
  const raw = parseRawGrammar(fs.readFileSync(grammar, "utf8"), grammar);
  const found = await new Registry({ onigLib, loadGrammar: async () => raw }).loadGrammar(raw.scopeName);
  const painted = lines.map((line) => {
    const started = process.cpuUsage();
    const { tokens } = found.tokenizeLine(line);
    const parts = tokens.map((one) => [line.slice(one.startIndex, one.endIndex), one.scopes.at(-1)]);
    return { parts, seconds: process.cpuUsage(started).user / 1e6 };
  });
  process.stdout.write(JSON.stringify(painted));
}

main();
