// Run by node: Pyodide's Python compiles the modules of a zip, in place; see bytecode.py.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, module, file, names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
const own = python.runPython("import sys; '\\n'.join(sys.modules)"); // before it imports more
python.runPython(readFileSync(module, "utf8").replaceAll("__file__", "''"));
const packed = new Uint8Array(readFileSync(file));
const compiled = python.globals.get("compiled").callKwargs(
  python.runPython("lambda packed: packed.to_bytes()")(packed),
  python.runPython("lambda text: {*text.split()}")(`${own}\n${names}`), {},
);
writeFileSync(file, compiled.toJs());
