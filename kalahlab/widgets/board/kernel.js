const PATIENCE = 10000; // milliseconds without a word from the kernel
export const NO_KERNEL =
  "No kernel answers here, so no move can be made. This is the record of a game: " +
  "step through it with Undo, Redo, or its list of moves.";

// What is asked of Python: each question has an answer, or a reader is told that there is none.
export class Kernel {
  constructor(model, { answered, silent, waiting }) {
    Object.assign(this, { model, answered, silent, waiting, asked: 0, open: 0, heard: 0 });
    this.there = model.get("live"); // a page without a kernel says that it is none
    this.listen = (message) => this.hear(message);
    model.on("msg:custom", this.listen);
  }

  ask(question) {
    if (!this.there) {
      this.silent(NO_KERNEL);
      return 0;
    }
    const id = ++this.asked;
    try {
      this.model.send({ ...question, id });
    } catch (error) {
      this.silent(`The kernel cannot be reached (${error.message}). Run the board's cell again.`);
      return 0;
    }
    this.open = id;
    this.news();
    this.attend();
    return id;
  }

  hear(message) {
    if (!("answers" in message)) return;
    if (message.answers >= this.open) this.open = 0;
    this.answered(message.answers, message.fault);
  }

  // A sign of life: the wait begins anew.
  news() {
    this.heard = performance.now();
    if (this.there && this.model.get("thinking")) this.attend();
  }

  attend() {
    this.clock ??= setInterval(() => this.watch(), 500);
  }

  watch() {
    const status = this.model.widget_manager?.kernel?.status;
    const thinking = this.model.get("thinking") !== "";
    const waited = performance.now() - this.heard;
    if (!thinking && !this.open) return this.stop();
    if (status === "dead" || status === "terminating") {
      return this.give_up("The kernel has died. Restart it and run the notebook to play on.");
    }
    if (waited > PATIENCE && (!thinking || status === "idle")) {
      return this.give_up(
        status === "busy"
          ? "The kernel is busy with something else; the board goes on when it answers."
          : "The kernel does not answer. If it was restarted, run the board's cell again.",
      );
    }
    this.waiting(waited);
  }

  give_up(words) {
    this.stop();
    this.silent(words);
  }

  stop() {
    this.open = 0;
    clearInterval(this.clock);
    this.clock = undefined;
  }

  close() {
    this.stop();
    this.model.off("msg:custom", this.listen);
  }
}
