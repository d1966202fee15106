// Python in a web worker: the package on Pyodide, without a network. A running search pauses now
// and then for a message that stops it, if the browser lets Python wait (JavaScript Promise
// Integration); otherwise the page terminates the worker.

/** @type {any} */
let answer;
let stop = false;

/** @type {(bytes: BlobPart) => string} */
const textOf = (bytes) => URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
const waits = "Suspending" in WebAssembly;

/** @type {(event: { data: any }) => Promise<void>} */
self.onmessage = async ({ data }) => {
  stop = Boolean(data.stop);
  if (stop) return;
  try {
    if (data.files) await boot(data.files, data.recipe);
    else if (waits) self.postMessage({ answer: await answer.callPromising(data.request) });
    else self.postMessage({ answer: answer(data.request) });
  } catch (error) {
    const text = String(/** @type {Error} */ (error).message ?? error).trim(); // Python's is a traceback
    self.postMessage({ failed: text.split("\n").at(-1) });
  }
};

// Pyodide refuses classic workers, which it recognizes by `importScripts`. A page opened from a
// file can make no other, and Pyodide needs only `import()`, which both have.
Object.assign(self, {
  importScripts() {
    throw new Error("nothing is loaded here");
  },
});

/** @type {(files: Record<string, any>, recipe: string) => Promise<void>} */
async function boot(files, recipe) {
  const fetched = self.fetch;
  /** @type {typeof fetch} */
  self.fetch = (url, ...rest) =>
    String(url).endsWith("pyodide.asm.wasm")
      ? Promise.resolve(
          new Response(files.wasm, { headers: { "Content-Type": "application/wasm" } }),
        )
      : fetched(url, ...rest);
  const { default: createPyodideModule } = await import(textOf(files.asm));
  const { loadPyodide } = await import(textOf(files.loader));
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: "blob:x/",
    packageBaseUrl: "blob:x/",
    stdLibURL: URL.createObjectURL(new Blob([files.stdlib], { type: "application/zip" })),
    lockFileContents: files.lock,
  });
  self.postMessage({ up: true });
  python.unpackArchive(files.package, "zip", { extractDir: "/kalahlab" });
  python.runPython("import sys; sys.path.insert(0, '/kalahlab')");
  const { open_model } = python.pyimport("kalahlab.widgets.live");
  const waiting =
    "from pyodide.ffi import run_sync; lambda ask: lambda nodes: run_sync(ask(nodes))";
  answer = waits
    ? await open_model.callPromising(recipe, send, python.runPython(waiting)(waitAndAsk))
    : open_model(recipe, send, shouldStop);
  self.postMessage({ ready: true, waits });
}

/** @type {(traits: string) => void} */
const send = (traits) => self.postMessage({ traits });

/** @type {(nodes: number) => boolean} */
function shouldStop(nodes) {
  self.postMessage({ progress: nodes });
  return stop;
}

// Like `shouldStop`, but lets messages arrive first.
/** @type {(nodes: number) => Promise<boolean>} */
const waitAndAsk = (nodes) => new Promise((done) => setTimeout(() => done(shouldStop(nodes))));
