// Check a reader's answer to an exercise, in the same way as kalahlab/report/exercises.py.
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
  const RELATION = /[/<>=]/;
  const LONGEST_ANSWER = 1000; // characters
  const NESTED = 9; // brackets in brackets
  const CALL = /\w\(|\b(sqrt|ln|log[0-9]*|exp)\b/;
  const THOUSANDS = /\b[1-9][0-9]{0,2},[0-9]{3}\b/;
  const [TOLERANCE, CLOSE] = [5e-3, 5e-2];
  const NEARLY = "This is close. Give at least three digits.";

  /**
   * Return the members of an answer, or undefined if the text cannot be read.
   * @param {string} typed @param {Exercise} exercise
   */
  function parseAnswer(typed, { answer, several }) {
    if (typed.trim().length > LONGEST_ANSWER) return undefined;
    const text = replaceSigns(typed).toLowerCase();
    if (!NUMBER.test(answer[0])) {
      if (several) return parseTextList(text, answer);
      const lacksRelation = RELATION.test(answer[0]) && !RELATION.test(text);
      return lacksRelation ? undefined : [normalizeText(text)];
    }
    const members = parseNumberList(text, answer);
    return several || members?.length === 1 ? members : undefined;
  }

  /** @param {string} text */
  const replaceSigns = (text) =>
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

  /** Remove what does not matter, like `normalize_text`. @param {string} text */
  const normalizeText = (text) =>
    replaceSigns(text.toLowerCase())
      .replace(/\+?\binf(inity)?\b/g, "infinity")
      .replace(/[\s,;]+/g, " ")
      .replace(/ ?([/<>=]+) ?/g, "$1")
      .replace(/^[ ."'[\](){}]+|[ ."'[\](){}]+$/g, "")
      .replace(/^((the|to|move|node) )+/, "")
      .replace(/=([<>])/g, "$1=")
      .replace(/^(\d+)([<>=]+)([a-z])$/, (_, number, sign, name) => {
        const mirrored = sign.replace(/[<>]/g, (/** @type {string} */ letter) =>
          letter === "<" ? ">" : "<",
        );
        return name + mirrored + number;
      });

  /**
   * Parse as many numbers as the solution has; a comma is a decimal point if only then it fits.
   * @param {string} text @param {string[]} solution
   */
  function parseNumberList(text, solution) {
    const numbers = parseNumbers(text);
    if (!solution[0].includes(".") && THOUSANDS.test(text)) return numbers;
    const isCalculation = /[0-9)] *[-+*/^]/.test(text);
    if (numbers?.length === 1 && solution.length > 1 && isCalculation) return undefined;
    const decimals = parseNumbers(text.replace(/(?<=[0-9]),(?=[0-9])/g, "."));
    const fits = decimals?.length === solution.length && numbers?.length !== solution.length;
    return fits ? decimals : numbers;
  }

  /** Return the numbers between words and signs of equality. @param {string} text */
  function parseNumbers(text) {
    const parts = evaluateArithmetic(text.replace(/^-\s+|\bminus\s+(?=[0-9.])/g, "-"))
      .replace(/[[\](){}]/g, " ")
      .split(/[\s,;&="']+/);
    const numbers = parts.filter((part) => NUMBER.test(part) || (part && !/^\p{L}/u.test(part)));
    if (numbers.length === 0 || CALL.test(text)) return undefined;
    return numbers.every((part) => NUMBER.test(part)) ? numbers : undefined;
  }

  /**
   * Replace each sum, product and power, such as 2*(3^2-1), by its value; 3 -1 are two numbers.
   * @param {string} text
   */
  function evaluateArithmetic(text) {
    let result = text
      .replace(/(?<=[0-9.)])\s+([-+])\s+(?=[0-9.(])/g, "$1")
      .replaceAll("**", "^")
      .replace(/\s*([*/^])\s*|\s+(%)/g, "$1$2")
      .replace(POWER, (_, base, power) => String(Number(base) ** Number(power)));
    for (let level = 0; level < NESTED; level++)
      result = result
        .replace(BRACKETED, "$1")
        .replace(PRODUCT, evaluateChain)
        .replace(SUM, evaluateChain);
    return result;
  }

  /** Evaluate a sum or a product from left to right. @param {string} chain */
  function evaluateChain(chain) {
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
   * Parse names, such as a1, among other words; or texts with blanks that are in the solution.
   * @param {string} text @param {string[]} solution
   */
  function parseTextList(text, solution) {
    const hasBlanks = solution.some((member) => member.includes(" "));
    const parts = text
      .replace(/[[\](){}]/g, " ")
      .split(hasBlanks ? /[,;&]|\band\b/ : /[\s,;&]|\band\b/)
      .filter((part) => hasBlanks || /[0-9]/.test(part));
    const names = parts.map(normalizeText).filter(Boolean);
    const isReadable = names.length || ["[]", "()", "{}"].includes(text.replace(/\s/g, ""));
    const isName = (/** @type {string} */ name) =>
      hasBlanks ? solution.includes(name) : /^[a-z]+[0-9]+$/.test(name);
    return isReadable && names.every(isName) ? names : undefined;
  }

  /** Convert a text, such as 3 or 5%, to a number; NaN if it is none. @param {string} text */
  function toNumber(text) {
    if (!NUMBER.test(text)) return Number.NaN;
    const digits = text.replace("%", "").replace(/inf(inity)?/, "Infinity");
    return Number(digits) / (text.endsWith("%") ? 100 : 1);
  }

  /**
   * @param {string} member @param {string} right with a decimal point if it need not be exact
   * @param {number} tolerance
   */
  function membersMatch(member, right, tolerance) {
    const [number, rightNumber] = [toNumber(member), toNumber(right)];
    if (Number.isNaN(rightNumber)) return member === normalizeText(right);
    if (number === rightNumber) return true;
    return right.includes(".") && Math.abs(number / rightNumber - 1) <= tolerance;
  }

  /** @param {string[]} answer @param {string[]} solution @param {boolean} set */
  function answersMatch(answer, solution, set, tolerance = TOLERANCE) {
    /** @type {(member: string, right: string) => boolean} */
    const match = (member, right) => membersMatch(member, right, tolerance);
    if (!set) {
      if (answer.length !== solution.length) return false;
      return solution.every((right, index) => match(answer[index], right));
    }
    const allRight = answer.every((member) => solution.some((right) => match(member, right)));
    return allRight && solution.every((right) => answer.some((member) => match(member, right)));
  }

  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll("form.check[data-number]");
  const handIn = /** @type {HTMLFormElement | null} */ (document.querySelector("form.hand-in"));
  if (!handIn) return;
  /** @param {HTMLFormElement} form */
  const inputOf = (form) => /** @type {HTMLInputElement} */ (form.querySelector("input"));
  /** @param {HTMLFormElement} form */
  const outputOf = (form) => /** @type {HTMLOutputElement} */ (form.querySelector("output"));
  /** Return the typed texts by the number of the exercise or "name". @returns {[string, string][]} */
  const typedAnswers = () =>
    [handIn, ...forms].map((form) => [form.dataset.number ?? "name", inputOf(form).value.trim()]);

  const storageKey = `kalahlab-answers:${location.pathname}`;

  /** Load the answers of this page from the browser. @returns {Record<string, string>} */
  function loadAnswers() {
    try {
      return JSON.parse(localStorage.getItem(storageKey) ?? "") ?? {};
    } catch {
      return {}; // nothing is stored, as for a page that is a file, or it is no valid JSON
    }
  }

  function storeAnswers() {
    try {
      localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(typedAnswers())));
    } catch {
      // The browser stores nothing for a page that is a file.
    }
  }

  /** @param {HTMLFormElement} form @param {string} unanswered the reply if nothing is typed */
  function checkAnswer(form, unanswered = "") {
    /** @type {Exercise} */
    const exercise = JSON.parse(form.dataset.exercise ?? "");
    const text = inputOf(form).value.trim();
    const parsed = parseAnswer(text, exercise);
    /** @type {(mistake: Mistake) => boolean} */
    const fits = ({ answer }) => parsed !== undefined && answersMatch(parsed, answer, exercise.set);
    const isRight = fits(exercise);
    let reply = unanswered;
    if (text && isRight) reply = "Right.";
    else if (text && parsed) reply = `Not right. ${findHint(parsed, exercise, fits)}`;
    else if (text) reply = `This cannot be read; write ${exercise.form}.`;
    outputOf(form).textContent = reply;
    form.parentElement?.classList.toggle("right", text !== "" && isRight);
    form.parentElement?.classList.toggle("not-right", text !== "" && !isRight && !!parsed);
  }

  /**
   * @param {string[]} answer @param {Exercise} exercise
   * @param {(mistake: Mistake) => boolean} fits whether the answer is that of a mistake
   */
  function findHint(answer, exercise, fits) {
    const mistake = exercise.mistakes.find(fits);
    if (mistake) return mistake.hint;
    if (answersMatch(answer, exercise.answer, false, CLOSE)) return NEARLY;
    if (exercise.several && !exercise.set && answer.length === 1)
      return `The exercise asks for more than one value: write ${exercise.form}.`;
    return exercise.hint;
  }

  const stored = loadAnswers();
  inputOf(handIn).value = stored.name ?? "";
  for (const form of forms) {
    form.hidden = false;
    inputOf(form).value = stored[form.dataset.number ?? ""] ?? "";
    checkAnswer(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      checkAnswer(form, "Write an answer first.");
      storeAnswers();
    });
  }

  forms[forms.length - 1]?.parentElement?.after(handIn);
  handIn.hidden = false;
  handIn.addEventListener("submit", (event) => {
    event.preventDefault();
    storeAnswers();
    const lines = typedAnswers().filter(([, text]) => text);
    const hasAnswers = lines.some(([name]) => name !== "name");
    const hasName = lines.some(([name]) => name === "name");
    let message = "";
    if (!hasAnswers) message = "There are no answers yet.";
    else if (!hasName) message = "Write your name first.";
    outputOf(handIn).textContent = message;
    if (hasAnswers && !hasName) inputOf(handIn).focus();
    if (!hasAnswers || !hasName) return;
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
