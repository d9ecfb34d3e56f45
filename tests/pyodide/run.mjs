// Run a Python program in Pyodide: node run.mjs ARCHIVE PROGRAM CACHE
// The archive becomes /site, on Python's path. The cache is read from the file CACHE and written to it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const require = createRequire(`${process.env.NODE_PATH}/`);
const { loadPyodide } = require("pyodide");
const [archive, program, cache] = process.argv.slice(2);
const read = (file) => new Uint8Array(readFileSync(file));
const python = await loadPyodide({ indexURL: dirname(require.resolve("pyodide")) });
try {
  python.unpackArchive(read(archive), "zip", { extractDir: "/site" });
  python.FS.mkdirTree("/home/pyodide/cache");
  if (existsSync(cache)) python.unpackArchive(read(cache), "zip", { extractDir: "/home/pyodide/cache" });
  python.runPython(`
import os, sys
sys.path.insert(0, "/site")
os.environ["ZIGGURAT_CACHE"] = "/home/pyodide/cache"
`);
  python.runPython(readFileSync(program, "utf8"));
  python.runPython("import shutil; shutil.make_archive('/kept', 'zip', '/home/pyodide/cache')");
  writeFileSync(cache, python.FS.readFile("/kept.zip"));
} catch (error) {
  console.error(error.message); // the stack names only the runtime
  process.exit(1);
}
