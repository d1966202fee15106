// The list of contents is folded where it stands above the text, not beside it.
const contents = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".toc details"));
const beside = matchMedia("(min-width: 72rem)");
const fold = () => contents?.toggleAttribute("open", beside.matches);
beside.addEventListener("change", fold);
fold();
