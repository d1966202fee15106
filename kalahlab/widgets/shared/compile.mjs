// Run by node: lets Pyodide's Python compile modules of its library: those named, and those
// imported.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file, ...names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
const made = python.runPython(`
import sys
used = {*sys.modules}  # before more is imported

import io, marshal, zipfile
from importlib.util import MAGIC_NUMBER, source_hash

UNCHECKED = b"\\1\\0\\0\\0"  # a flag of PEP 552: the source, which is left out, is not looked at

def compiled(packed, names):
    made, wanted = io.BytesIO(), used | {*names}
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith(".py") and name[:-3].removesuffix("/__init__").replace("/", ".") in wanted:
                code = compile(data, name, "exec", dont_inherit=True)
                name, data = f"{name}c", MAGIC_NUMBER + UNCHECKED + source_hash(data) + marshal.dumps(code)
            new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return made.getvalue()

compiled`)(python.toPy(new Uint8Array(readFileSync(`${folder}${file}`))), python.toPy(names));
process.stdout.write(made.toJs());
