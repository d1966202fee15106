// The tree on the front page: the positions that a search has visited after so many steps.
(() => {
  const SECONDS = 4; // of the whole search when it plays
  /** @type {<T extends Element>(selector: string) => T} */
  const find = (selector) => /** @type {any} */ (document.querySelector(selector));
  /** @type {number[][]} For each search the step of each box, as `FrontSearch.steps`. */
  const searches = JSON.parse(find("#steps").textContent);
  const boxes = [...document.querySelectorAll(".front-tree rect")];
  const [choices, playback] = [".choices", ".playback"].map((name) => find(name));
  /** @type {HTMLInputElement} */
  const slider = find(".playback input");
  /** @type {HTMLButtonElement} */
  const button = find(".playback button");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let steps = searches[searches.length - 1];
  let playing = 0; // the request of the next frame; 0 while nothing plays

  /** Draw the boxes, the number of visits and the answer after `step` visits. */
  function render() {
    const step = Number(slider.value);
    const isOver = slider.value === slider.max;
    boxes.forEach((box, place) => {
      const at = steps[place];
      box.classList.toggle("never", at < 0 && step >= -at);
      box.classList.toggle("later", at > step || (at < 0 && step < -at));
    });
    find(".tally strong").textContent = step.toLocaleString("en");
    find(".tally .answer").classList.toggle("unseen", !isOver);
    button.textContent = playing ? "❚❚ Pause" : "▶ Play";
  }

  function pause() {
    cancelAnimationFrame(playing);
    playing = 0;
    render();
  }

  function play() {
    const total = Number(slider.max);
    const first = slider.value === slider.max ? 0 : Number(slider.value);
    const begin = performance.now();
    /** @param {number} now */
    const frame = (now) => {
      const step = first + Math.floor(((now - begin) / 1000 / SECONDS) * total);
      slider.value = String(Math.min(step, total));
      if (step >= total) pause();
      else {
        playing = requestAnimationFrame(frame);
        render();
      }
    };
    playing = requestAnimationFrame(frame);
  }

  choices.addEventListener("change", (event) => {
    const { value } = /** @type {HTMLInputElement} */ (event.target);
    steps = searches[Number(value)];
    const visited = Math.max(...steps);
    slider.max = String(visited);
    slider.value = calm.matches ? slider.max : "0";
    pause();
    if (!calm.matches) play();
  });
  slider.addEventListener("input", pause);
  button.addEventListener("click", () => (playing ? pause() : play()));
  for (const part of [choices, playback]) part.removeAttribute("hidden");
})();
