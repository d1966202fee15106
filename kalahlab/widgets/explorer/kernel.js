// Asking Python: a wish goes out with a number, and the answer carries the same number. A kernel
// that does not answer is waited for only so long.

export function makeKernel(model) {
  const waiting = new Map();
  let number = 0;

  const hear = () => {
    const answer = model.get("answer");
    const asked = waiting.get(answer?.number);
    if (!asked) return;
    waiting.delete(answer.number);
    clearTimeout(asked.timer);
    if (answer.error) asked.refuse(new Error(answer.error));
    else asked.accept(answer);
  };
  model.on("change:answer", hear);

  function ask(wish) {
    // Another view of the same widget counts for itself: the time makes the numbers differ.
    const id = `${Date.now()}-${number++}`;
    return new Promise((accept, refuse) => {
      const seconds = model.get("patience");
      const silent = () => {
        waiting.delete(id);
        refuse(new Error(
          `Python has not answered for ${seconds} s: it is busy, or its kernel has died. ` +
          "What is shown here goes on working; run the notebook's cell again for more.",
        ));
      };
      waiting.set(id, { accept, refuse, timer: setTimeout(silent, 1000 * seconds) });
      model.set("wish", { ...wish, number: id });
      model.save_changes();
    });
  }

  const end = () => {
    model.off("change:answer", hear);
    for (const { timer } of waiting.values()) clearTimeout(timer);
  };
  return { ask, end };
}
