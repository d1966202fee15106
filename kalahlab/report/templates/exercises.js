// Checks a reader's answer to an exercise, as kalahlab/exercises.py does.
(() => {
  /** @typedef {{ answer: string[], hint: string }} Mistake What it has, as Python prints it. */
  /** @typedef {Mistake & { several: boolean, set: boolean, mistakes: Mistake[] }} Exercise */

  /**
   * What a reader typed: one thing, or, if there may be several, those between the commas.
   * @param {string} text @param {boolean} several
   */
  function parsed(text, several) {
    if (!several) return [bare(text)];
    const inside = text.trim().replace(/^[[({](.*)[\])}]$/s, "$1");
    return (inside.match(/"[^"]*"|'[^']*'|[^\s,][^,]*/g) ?? []).map(bare);
  }

  /** A text without blanks and quotes around it, in small letters. @param {string} text */
  const bare = (text) =>
    text
      .trim()
      .replace(/^(["'])(.*)\1$/s, "$2")
      .trim()
      .toLowerCase();

  /** The number that a text is, also a fraction as 10/3; NaN if it is none. @param {string} text */
  function number(text) {
    const words = text
      .replaceAll("−", "-")
      .replace(/(inf|∞)$/, "Infinity")
      .split("/");
    const [over, under = 1, more] = words.map((word) => (word.trim() ? Number(word) : Number.NaN));
    return more === undefined ? over / under : Number.NaN;
  }

  /** @param {string} given @param {string} right with a decimal point if three digits are enough */
  function same(given, right) {
    const [found, wanted] = [number(given), number(right)];
    if (Number.isNaN(wanted)) return given === bare(right);
    return found === wanted || (right.includes(".") && Math.abs(found / wanted - 1) <= 5e-3);
  }

  /** @param {string[]} given @param {string[]} right @param {boolean} set */
  function alike(given, right, set) {
    if (!set)
      return given.length === right.length && right.every((each, i) => same(given[i], each));
    const known = given.every((each) => right.some((other) => same(each, other)));
    return known && right.every((each) => given.some((other) => same(other, each)));
  }

  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll("form.check");
  for (const form of forms) {
    /** @type {Exercise} */
    const exercise = JSON.parse(form.dataset.exercise ?? "");
    form.hidden = false;
    const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
    const output = /** @type {HTMLOutputElement} */ (form.querySelector("output"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = input.value.trim();
      const given = parsed(text, exercise.several);
      /** @type {(mistake: Mistake) => boolean} */
      const fits = ({ answer }) => alike(given, answer, exercise.set);
      const { hint } = exercise.mistakes.find(fits) ?? exercise;
      const right = fits(exercise);
      const said = right ? "Right." : `Not right. ${hint}`;
      output.textContent = text && said;
      form.parentElement?.classList.toggle("right", text !== "" && right);
      form.parentElement?.classList.toggle("not-right", text !== "" && !right);
    });
  }
})();
