// Checks a reader's answer to an exercise, as kalahlab/report/exercises.py does.
(() => {
  /** @typedef {{ answer: string[], hint: string }} Mistake What it has, as Python prints it. */
  /** @typedef {Mistake & { form: string, several: boolean, set: boolean, mistakes: Mistake[] }} Exercise */
  const FIGURE = String.raw`[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?`;
  const NUMBER = new RegExp(`^(${FIGURE}|[-+]?inf(inity)?)%?$`);
  // A number in brackets, a power, a product and a sum that can be computed at once.
  const BRACKETED = new RegExp(String.raw`(?<![\w.)])\(\s*(${FIGURE})\s*\)(?![\w.(^])`, "g");
  const POWER = /(?<![\w.^])([0-9]{1,3})\^([0-9]{1,2})(?![\w.(^])/g;
  const PRODUCT = new RegExp(
    String.raw`(?<![\w.)*/])${FIGURE}(?:[*/]${FIGURE})+(?![\w.(%*/])`,
    "g",
  );
  const SUM = new RegExp(String.raw`(?<![-+\w.)*/])${FIGURE}(?:[-+]${FIGURE})+(?![\w.(%*/])`, "g");
  const LONGEST_ANSWER = 1000; // characters
  const NESTED = 9; // brackets in brackets
  const CALL = /\w\(|\b(sqrt|ln|log[0-9]*|exp)\b/;
  const THOUSANDS = /\b[1-9][0-9]{0,2},[0-9]{3}\b/;
  const [TOLERANCE, CLOSE] = [5e-3, 5e-2];
  const NEARLY = "This is close. Give at least three digits.";

  /**
   * The members of an answer, or none if the text cannot be read.
   * @param {string} typed @param {Exercise} exercise
   */
  function parsed(typed, { answer, several }) {
    if (typed.trim().length > LONGEST_ANSWER) return undefined;
    const text = straight(typed).toLowerCase();
    if (!NUMBER.test(answer[0])) {
      if (several) return texts(text, answer);
      return /[/<>=]/.test(answer[0]) && !/[/<>=]/.test(text) ? undefined : [plain(text)];
    }
    const given = numbers(text, answer);
    return several || given?.length === 1 ? given : undefined;
  }

  /** @param {string} text */
  const straight = (text) =>
    text
      .replace(/[“”„«»]/g, '"')
      .replace(/[‘’`]/g, "'")
      .replace(/[−–]/g, "-")
      .replace(/[×·]/g, "*")
      .replaceAll("÷", "/")
      .replaceAll("²", "^2")
      .replaceAll("³", "^3")
      .replaceAll("≤", "<=")
      .replaceAll("≥", ">=")
      .replaceAll("∞", "inf");

  /** A text without what does not matter, as `plain` makes it. @param {string} text */
  const plain = (text) =>
    straight(text.toLowerCase())
      .replace(/\+?\binf(inity)?\b/g, "infinity")
      .replace(/[\s,;]+/g, " ")
      .replace(/ ?([/<>=]+) ?/g, "$1")
      .replace(/^[ ."'[\](){}]+|[ ."'[\](){}]+$/g, "")
      .replace(/^((the|to|move|node) )+/, "")
      .replace(/=([<>])/g, "$1=")
      .replace(/^(\d+)([<>=]+)([a-z])$/, (_, number, sign, name) => {
        const turned = sign.replace(/[<>]/g, (/** @type {string} */ each) =>
          each === "<" ? ">" : "<",
        );
        return name + turned + number;
      });

  /**
   * A comma between digits is a decimal point if only so there are as many numbers as are right.
   * @param {string} text @param {string[]} right
   */
  function numbers(text, right) {
    const found = separated(text);
    if (!right[0].includes(".") && THOUSANDS.test(text)) return found;
    const computed = /[0-9)] *[-+*/^]/.test(text);
    if (found?.length === 1 && right.length > 1 && computed) return undefined;
    const decimal = separated(text.replace(/(?<=[0-9]),(?=[0-9])/g, "."));
    const fits = decimal?.length === right.length && found?.length !== right.length;
    return fits ? decimal : found;
  }

  /** The numbers in a text of numbers, words and signs of equality. @param {string} text */
  function separated(text) {
    const parts = computed(text.replace(/^-\s+|\bminus\s+(?=[0-9.])/g, "-"))
      .replace(/[[\](){}]/g, " ")
      .split(/[\s,;&="']+/);
    const given = parts.filter((each) => NUMBER.test(each) || (each && !/^\p{L}/u.test(each)));
    const read = given.length > 0 && !CALL.test(text) && given.every((each) => NUMBER.test(each));
    return read ? given : undefined;
  }

  /**
   * A text in which each sum, product and power, such as 2*(3^2-1), is its value; 3 -1 are two numbers.
   * @param {string} text
   */
  function computed(text) {
    let found = text
      .replace(/(?<=[0-9.)])\s+([-+])\s+(?=[0-9.(])/g, "$1")
      .replaceAll("**", "^")
      .replace(/\s*([*/^])\s*|\s+(%)/g, "$1$2")
      .replace(POWER, (_, base, power) => String(Number(base) ** Number(power)));
    for (let level = 0; level < NESTED; level++)
      found = found.replace(BRACKETED, "$1").replace(PRODUCT, value).replace(SUM, value);
    return found;
  }

  /** What a chain of numbers and signs is worth. @param {string} chain */
  function value(chain) {
    let total = 0;
    for (const [, sign, digits] of chain.matchAll(new RegExp(`([-+*/]?)(${FIGURE})`, "g"))) {
      const number = Number(digits);
      if (sign === "/" && number === 0) return chain;
      if (sign === "*") total *= number;
      else if (sign === "/") total /= number;
      else total += sign === "-" ? -number : number;
    }
    return String(total).toLowerCase();
  }

  /**
   * Names, such as a1, among other words; or texts with blanks, each one of those in `right`.
   * @param {string} text @param {string[]} right
   */
  function texts(text, right) {
    const blanks = right.some((each) => each.includes(" "));
    const parts = text
      .replace(/[[\](){}]/g, " ")
      .split(blanks ? /[,;&]|\band\b/ : /[\s,;&]|\band\b/)
      .filter((each) => blanks || /[0-9]/.test(each));
    const given = parts.map(plain).filter(Boolean);
    const readable = given.length || ["[]", "()", "{}"].includes(text.replace(/\s/g, ""));
    const known = (/** @type {string} */ each) =>
      blanks ? right.includes(each) : /^[a-z]+[0-9]+$/.test(each);
    return readable && given.every(known) ? given : undefined;
  }

  /** The number that a text is, also as 5%; NaN if it is none. @param {string} text */
  function number(text) {
    if (!NUMBER.test(text)) return Number.NaN;
    const digits = text.replace("%", "").replace(/inf(inity)?/, "Infinity");
    return Number(digits) / (text.endsWith("%") ? 100 : 1);
  }

  /**
   * @param {string} given @param {string} right with a decimal point if it need not be exact
   * @param {number} tolerance
   */
  function same(given, right, tolerance) {
    const [found, wanted] = [number(given), number(right)];
    if (Number.isNaN(wanted)) return given === plain(right);
    return found === wanted || (right.includes(".") && Math.abs(found / wanted - 1) <= tolerance);
  }

  /** @param {string[]} given @param {string[]} right @param {boolean} set */
  function alike(given, right, set, tolerance = TOLERANCE) {
    /** @type {(one: string, other: string) => boolean} */
    const fits = (one, other) => same(one, other, tolerance);
    if (!set)
      return given.length === right.length && right.every((each, i) => fits(given[i], each));
    const known = given.every((each) => right.some((other) => fits(each, other)));
    return known && right.every((each) => given.some((other) => fits(other, each)));
  }

  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll("form.check[data-number]");
  const handIn = /** @type {HTMLFormElement | null} */ (document.querySelector("form.hand-in"));
  if (!handIn) return;
  /** @param {HTMLFormElement} form */
  const inputOf = (form) => /** @type {HTMLInputElement} */ (form.querySelector("input"));
  /** @param {HTMLFormElement} form */
  const outputOf = (form) => /** @type {HTMLOutputElement} */ (form.querySelector("output"));
  /** What is typed, by the number of the exercise or "name". @returns {[string, string][]} */
  const typed = () =>
    [handIn, ...forms].map((form) => [form.dataset.number ?? "name", inputOf(form).value.trim()]);

  /** Answers of this page that the browser keeps. @returns {Record<string, string>} */
  function kept(keep = false) {
    const page = `kalahlab-answers:${location.pathname}`;
    try {
      if (keep) localStorage.setItem(page, JSON.stringify(Object.fromEntries(typed())));
      return JSON.parse(localStorage.getItem(page) ?? "") ?? {};
    } catch {
      return {}; // It keeps nothing for a page that is a file, or none that is whole.
    }
  }

  /** @param {HTMLFormElement} form @param {string} unanswered what is said if nothing is typed */
  function checkAnswer(form, unanswered = "") {
    /** @type {Exercise} */
    const exercise = JSON.parse(form.dataset.exercise ?? "");
    const text = inputOf(form).value.trim();
    const given = parsed(text, exercise);
    /** @type {(mistake: Mistake) => boolean} */
    const fits = ({ answer }) => given !== undefined && alike(given, answer, exercise.set);
    const close = given !== undefined && alike(given, exercise.answer, false, CLOSE);
    const one = exercise.several && !exercise.set && given?.length === 1;
    const more = `More than one value is asked: write ${exercise.form}.`;
    const usual = close ? NEARLY : one ? more : exercise.hint;
    const hint = exercise.mistakes.find(fits)?.hint ?? usual;
    const right = fits(exercise);
    const wrong = given ? `Not right. ${hint}` : `This cannot be read; write ${exercise.form}.`;
    outputOf(form).textContent = text ? (right ? "Right." : wrong) : unanswered;
    form.parentElement?.classList.toggle("right", text !== "" && right);
    form.parentElement?.classList.toggle("not-right", text !== "" && given !== undefined && !right);
  }

  const before = kept();
  inputOf(handIn).value = before.name ?? "";
  for (const form of forms) {
    form.hidden = false;
    inputOf(form).value = before[form.dataset.number ?? ""] ?? "";
    checkAnswer(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      checkAnswer(form, "Write an answer first.");
      kept(true);
    });
  }

  forms[forms.length - 1]?.parentElement?.after(handIn);
  handIn.hidden = false;
  handIn.addEventListener("submit", (event) => {
    event.preventDefault();
    kept(true);
    const lines = typed().filter(([, text]) => text);
    const answered = lines.some(([name]) => name !== "name");
    const named = lines.some(([name]) => name === "name");
    const lacking = named ? "" : "Write your name first.";
    outputOf(handIn).textContent = answered ? lacking : "There are no answers yet.";
    if (answered && !named) inputOf(handIn).focus();
    if (!answered || !named) return;
    // A string of JSON is one of TOML, too.
    const toml = lines.map(([name, text]) => `${JSON.stringify(name)} = ${JSON.stringify(text)}\n`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(toml, { type: "application/toml" }));
    const name = inputOf(handIn).value.replace(/[^\p{L}\p{N}]+/gu, "-");
    link.download = `${name}-${location.pathname
      .split("/")
      .at(-1)
      ?.replace(/\.html$/, "")}.toml`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
})();
