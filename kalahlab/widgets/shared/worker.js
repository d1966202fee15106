// Python in a web worker: the package itself on Pyodide, with no network. A request comes with a
// `flag`, a blob's address, which the page takes back to stop the search: a worker that computes
// hears no messages, but it can look whether the address still leads somewhere.

let answer;
let flag = "";

const textOf = (bytes) => URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));

self.onmessage = async ({ data }) => {
  flag = data.flag ?? "";
  try {
    if (data.files) await boot(data.files, data.recipe);
    else self.postMessage({ answer: answer(data.request) });
  } catch (error) {
    self.postMessage({ failed: String(error.message ?? error) });
  }
};

// Pyodide refuses a classic worker, which it knows by `importScripts`. A page opened from a file
// can make no other, and all that Pyodide needs of a module worker is `import()`, which both have.
self.importScripts = () => {
  throw new Error("nothing is loaded here");
};

async function boot(files, recipe) {
  const fetched = self.fetch;
  self.fetch = (url, ...rest) =>
    String(url).endsWith("pyodide.asm.wasm")
      ? Promise.resolve(new Response(files.wasm, { headers: { "Content-Type": "application/wasm" } }))
      : fetched(url, ...rest);
  const { default: createPyodideModule } = await import(textOf(files.asm));
  const { loadPyodide } = await import(textOf(files.loader));
  const python = await loadPyodide({
    createPyodideModule, indexURL: "blob:x/", packageBaseUrl: "blob:x/",
    stdLibURL: URL.createObjectURL(new Blob([files.stdlib], { type: "application/zip" })),
    lockFileContents: files.lock,
  });
  self.postMessage({ up: true });
  python.unpackArchive(files.package, "zip", { extractDir: "/kalahlab" });
  python.runPython("import sys; sys.path.insert(0, '/kalahlab')");
  const { open_model } = python.pyimport("kalahlab.widgets.live");
  answer = open_model(recipe, tell, look);
  self.postMessage({ ready: true });
}

const tell = (traits) => self.postMessage({ traits });

// Whether the search is to stop, which has entered so many nodes.
function look(nodes) {
  self.postMessage({ progress: nodes });
  const request = new XMLHttpRequest();
  request.open("GET", flag, false);
  try {
    request.send();
  } catch {
    return true;
  }
  return request.status !== 200;
}
