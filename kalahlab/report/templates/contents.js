// The list of contents is folded where it stands above the text, not beside it.
const contents = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".toc details"));
const beside = matchMedia("(min-width: 72rem)");
const fold = () => contents?.toggleAttribute("open", beside.matches);
beside.addEventListener("change", fold);
fold();

// A link to a cell, a table or a listing opens what is folded there.
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1));
  target?.querySelector(":is(.outputs, figure) details:not(.exercise *)")?.setAttribute("open", "");
};
addEventListener("hashchange", unfold);
unfold();
