// Search in the whole report. The box on each page leads to the page of results, which finds as one
// types: it holds the parts of all pages.
const { MiniSearch } = /** @type {any} */ (globalThis);
const form = /** @type {HTMLFormElement} */ (document.querySelector(".find"));
const box = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const results = document.querySelector(".results");
const MOST = 30;
const BEGIN = "#q=";
const hash = () => BEGIN + encodeURIComponent(box.value);

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = results?.querySelector("a");
  if (first) first.click();
  else if (!results) location.href = `search.html${hash()}`;
});
document.addEventListener("keydown", (event) => {
  const typing = /** @type {Element} */ (event.target).closest("input, select, textarea");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
  event.preventDefault();
  box.focus();
  box.select();
});

if (results) {
  const index = new MiniSearch({
    fields: ["heading", "text", "page"],
    storeFields: ["href", "heading", "text", "page"],
    searchOptions: {
      boost: { heading: 4 },
      combineWith: "AND",
      prefix: true,
      processTerm: stem,
      // the sources come after what the report itself says
      boostDocument: (
        /** @type {number} */ _,
        /** @type {string} */ __,
        /** @type {any} */ part,
      ) => (part.page === "References" ? 0.1 : 1),
    },
  });
  /** @type {object[]} */
  const parts = JSON.parse(document.getElementById("parts")?.textContent ?? "[]");
  index.addAll(parts.map((part, id) => ({ id, ...part })));

  const show = () => {
    const whole = [{}, { fuzzy: misspelt }].map((how) => index.search(box.value, how));
    const all = whole.find((places) => places.length);
    const found = all ?? someOf(index.search(box.value, { combineWith: "OR", fuzzy: misspelt }));
    const count = `${found.length} ${found.length === 1 ? "place" : "places"}`;
    const words =
      all || !found.length ? count : `No place has all words; ${count} with some of them`;
    const shown = found.length > MOST ? `${words}; the first ${MOST} are shown` : words;
    const said = /** @type {HTMLElement} */ (document.querySelector(".found"));
    said.textContent = box.value.trim() ? shown : "";
    results.replaceChildren(...found.slice(0, MOST).map(item));
    history.replaceState(null, "", hash());
  };
  const typed = () => {
    if (!location.hash.startsWith(BEGIN)) return;
    box.value = decodeURIComponent(location.hash.slice(BEGIN.length));
    show();
  };
  box.addEventListener("input", show);
  addEventListener("hashchange", typed);
  typed();
  box.focus();
}

// The places with the most of the words come first.
/** @type {(places: any[]) => any[]} */
function someOf(places) {
  return places.sort((a, b) => b.queryTerms.length - a.queryTerms.length || b.score - a.score);
}

// A word that is found nowhere may be one with another letter.
/** @type {(term: string) => number} */
function misspelt(term) {
  return term.length > 4 ? 0.2 : 0;
}

// Without its ending, “prune” finds “pruning”, too.
/** @type {(term: string) => string} */
function stem(term) {
  return term.toLowerCase().replace(/(?<=.{3})(?:ing|ed|es|e|s)$/, "");
}

// A result: its heading, its page, and the words around what was found.
/** @type {(found: { href: string, heading: string, page: string, text: string, terms: string[] }) => HTMLElement} */
function item({ href, heading, page, text, terms }) {
  const place = document.createElement("li");
  const link = document.createElement("a");
  link.href = href;
  link.append(...marked(heading, terms));
  const [where, snippet] = [document.createElement("span"), document.createElement("p")];
  where.className = "on";
  where.textContent = page;
  snippet.append(...marked(around(text, terms), terms));
  place.append(link, " ", where, snippet);
  return place;
}

/** @type {(terms: string[]) => RegExp} */
function wordsOf(terms) {
  const escaped = terms.map((term) => term.replace(/[^\p{L}\p{N}]/gu, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})(?![\\p{L}\\p{N}])`, "giu");
}

/** @type {(text: string, terms: string[]) => string} */
function around(text, terms) {
  const at = Math.max(0, text.search(wordsOf(terms)));
  const begin = at < 80 ? 0 : text.indexOf(" ", at - 80) + 1;
  const end = text.length < at + 160 ? text.length : text.lastIndexOf(" ", at + 160);
  return `${begin ? "… " : ""}${text.slice(begin, end)}${end < text.length ? " …" : ""}`;
}

/** @type {(text: string, terms: string[]) => (string | HTMLElement)[]} */
function marked(text, terms) {
  return text.split(wordsOf(terms)).map((piece, place) => {
    if (place % 2 === 0) return piece;
    const mark = document.createElement("mark");
    mark.textContent = piece;
    return mark;
  });
}
