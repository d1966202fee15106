// Shows the widgets of a page without a kernel. A model does what anywidget's does for one view;
// what is sent goes nowhere.

const parts = JSON.parse(document.getElementById("parts").textContent, revived);

function revived(key, value) {
  if (typeof value?.base64 !== "string") return value;
  const text = atob(value.base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new DataView(bytes.buffer);
}

function modelOf(state) {
  const heard = new Map();
  const listeners = (event) => heard.get(event) ?? heard.set(event, new Set()).get(event);
  return {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const hear of [...listeners(`change:${name}`)]) hear();
    },
    on: (event, hear) => void listeners(event).add(hear),
    off: (event, hear) => void (hear ? listeners(event).delete(hear) : heard.delete(event)),
    save_changes() {},
    send() {},
  };
}

async function imported(packed) {
  const flow = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const code = await new Response(flow).blob();
  return import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
}

const modules = await Promise.all(parts.modules.map(imported));
for (const [place, { module, state }] of parts.widgets.entries()) {
  const { default: widget } = modules[module];
  const model = modelOf(state);
  const el = document.getElementById(`widget-${place}`);
  await widget.initialize?.({ model });
  await widget.render({ model, el });
}
