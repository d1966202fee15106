// Tables that are too wide for paper are made to fit before anyone prints: smaller, and where that
// could not be read, in several parts that each repeat the columns of names.
/** @typedef {{ widths: number[], names: number }} Columns */
(() => {
  const PAPER = 642; // 170 mm, the text's width on A4 with the margins of print.css; letter has more
  const SMALLEST = 0.76; // of 8.5 pt
  const sheet = /** @type {HTMLLinkElement} */ (document.getElementById("print"));
  const body = document.body;
  sheet.media = "all";
  body.style.width = `${PAPER}px`;
  const longest = /\S{25}/; // a word that may be broken, so that it does not squeeze its neighbours
  /** @type {NodeListOf<HTMLTableElement>} */
  const found = document.querySelectorAll(":is(.html-output, .prose) table");
  const tables = [...found];
  for (const cell of tables.flatMap((table) => [...table.querySelectorAll("td")]))
    cell.classList.toggle("breakable", longest.test(cell.textContent));
  const measured = tables.map((table) => ({
    table,
    width: table.offsetWidth,
    columns: columnsOf(table),
  }));
  sheet.media = "print";
  body.style.width = "";
  for (const { table, width, columns } of measured) if (width > PAPER) fit(table, width, columns);
  // What is written in a picture is at least so large, of its size on a wide screen. Where a tree goes
  // on at the sides, its root is seen first.
  addEventListener("load", () => {
    for (const image of document.images) {
      const tree = image.alt.startsWith("Search tree");
      image.style.setProperty("--readable", `${(tree ? 0.7 : 0.55) * image.naturalHeight}px`);
      image.style.setProperty("--narrow", `${0.65 * image.naturalWidth}px`);
      image.style.setProperty("--grown", `${1.3 * image.naturalWidth}px`);
      const box = image.closest(".picture");
      if (box && tree) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
    }
  });

  /** @type {(table: HTMLTableElement, width: number, columns: Columns) => void} */
  function fit(table, width, columns) {
    const shrunk = Math.max(SMALLEST, (PAPER / width) * 0.99);
    table.style.setProperty("--fit", String(shrunk));
    if (shrunk > SMALLEST) return;
    const parts = partsOf(columns, (PAPER / SMALLEST) * 0.98);
    if (parts.length > 1) split(table, parts);
  }

  // The width of each column, and how many columns of names are at the left.
  /** @type {(table: HTMLTableElement) => Columns} */
  function columnsOf(table) {
    const places = placesOf(table);
    /** @type {number[]} */
    const widths = [];
    for (const [cell, [column]] of places)
      if (cell.colSpan === 1) widths[column] = cell.offsetWidth;
    const names = [...places].filter(([cell]) => cell.closest("tbody") && cell.localName === "th");
    return {
      widths: Array.from(widths, (width) => width ?? 0),
      names: 1 + Math.max(-1, ...names.map(([, [column]]) => column)),
    };
  }

  // The columns that each cell stands in; a cell of several rows pushes those of the next ones on.
  /** @type {(table: HTMLTableElement) => Map<HTMLTableCellElement, number[]>} */
  function placesOf(table) {
    const places = new Map();
    for (const part of [table.tHead, ...table.tBodies]) {
      /** @type {number[]} */
      const taken = []; // for how many more rows each column is
      for (const row of part?.rows ?? []) {
        const free = taken.map((rows) => !rows);
        for (const each of taken.keys()) taken[each] = Math.max(0, (taken[each] ?? 0) - 1);
        let column = 0;
        for (const cell of row.cells) {
          while (free[column] === false) column++;
          const own = Array.from({ length: cell.colSpan }, () => column++);
          for (const each of own) taken[each] = cell.rowSpan - 1;
          places.set(cell, own);
        }
      }
    }
    return places;
  }

  // The columns of each part, as evenly wide as they come.
  /** @type {(columns: Columns, room: number) => Set<number>[]} */
  function partsOf({ widths, names }, room) {
    /** @type {(list: number[]) => number} */
    const sum = (list) => list.reduce((total, width) => total + width, 0);
    const free = room - sum(widths.slice(0, names));
    const others = widths.slice(names);
    const count = Math.ceil(sum(others) / free);
    const goal = sum(others) / count;
    /** @type {number[][]} */
    const parts = [];
    let filled = Infinity;
    others.forEach((width, place) => {
      if (filled + width > free || (filled + width / 2 > goal && parts.length < count)) {
        parts.push([]);
        filled = 0;
      }
      parts.at(-1)?.push(names + place);
      filled += width;
    });
    const kept = Array.from({ length: names }, (_, place) => place);
    return parts.map((part) => new Set([...kept, ...part]));
  }

  /** @type {(table: HTMLTableElement, parts: Set<number>[]) => void} */
  function split(table, parts) {
    const copies = parts.map((part, number) => {
      const copy = /** @type {HTMLTableElement} */ (table.cloneNode(true));
      copy.classList.add("paper-only");
      for (const [cell, columns] of placesOf(copy)) {
        const kept = columns.filter((each) => part.has(each)).length;
        if (kept) cell.colSpan = kept;
        else cell.remove();
      }
      if (number && copy.caption) copy.caption.append(" (continued)");
      for (const each of [copy, ...copy.querySelectorAll("[id]")]) each.removeAttribute("id");
      return copy;
    });
    table.after(...copies);
    table.classList.add("screen-only");
  }
})();
