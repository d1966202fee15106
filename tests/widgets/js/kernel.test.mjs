// The messages of a view if Python does not answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeKernel } from "../../../kalahlab/widgets/shared/kernel.js";

test("a view waits for a kernel while it works, and no longer", async ({ mock }) => {
  let now = 0;
  const later = (milliseconds) => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  };
  mock.timers.enable({ apis: ["setInterval"] });
  mock.method(performance, "now", () => now);
  const messages = [];
  const sent = [];
  const heard = new Map();
  const traits = { thinking: "" };
  const kernel = { status: "idle" };
  const model = {
    get: (name) => traits[name],
    on: (event, hear) => heard.set(event, hear),
    off: (event) => heard.delete(event),
    send: (request) => sent.push(request),
    widget_manager: { kernel },
  };
  const answer = (id, error = "") => heard.get("msg:custom")({ id, error });
  const { ask, alive, end, waits } = makeKernel(model, 10, (text) => messages.push(text));

  const first = ask({ ask: "play" });
  later(9000);
  assert.deepEqual([messages, waits()], [[], true]);
  later(2000);
  assert.match(messages.at(-1), /Python has not answered for 10 s/);
  assert.deepEqual([await first, waits()], [null, false]);
  answer(sent[0].id, "too late, and wrong");
  assert.equal(messages.at(-1), "too late, and wrong");

  kernel.status = "busy";
  const second = ask({ ask: "play" });
  later(11_000);
  assert.match(messages.at(-1), /The kernel is busy with something else/);
  assert.equal(await second, null);

  traits.thinking = "North is thinking";
  const third = ask({ ask: "play" });
  later(61_000);
  assert.equal(waits(), true);
  kernel.status = "dead";
  later(1000);
  assert.match(messages.at(-1), /The kernel has died/);
  assert.equal(await third, null);

  traits.thinking = "";
  kernel.status = "idle";
  alive();
  assert.equal(messages.at(-1), "");
  const fourth = ask({ ask: "play" });
  answer(sent[3].id);
  assert.deepEqual(await fourth, { id: sent[3].id, error: "" });
  end();
  assert.equal(heard.size, 0);
});

test("an unreachable kernel is reported", async () => {
  const messages = [];
  const send = () => {
    throw new Error("gone");
  };
  const model = { get: () => "", on() {}, off() {}, send };
  assert.equal(await makeKernel(model, 10, (text) => messages.push(text)).ask({}), null);
  assert.match(messages[0], /cannot be reached \(gone\)/);
});
