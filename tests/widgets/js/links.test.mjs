// Links: a step, another search, or a text that cannot be parsed.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { makeLinks } from "../../../kalahlab/widgets/explorer/links.js";

const OWN = "game=kalah&position=1,2,3";
let host;
let asked;
let moved;
let messages;
let live;
let answer;
let ahead;
let asleep;
let wanted;
const address = { hash: "" };
const events = new EventTarget();

beforeEach(() => {
  [asked, moved, messages, live, answer] = [[], [], [], true, { error: "" }];
  [ahead, asleep] = [false, false];
  Object.assign(globalThis, {
    location: address,
    history: { replaceState: (_, __, hash) => Object.assign(address, { hash }) },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  });
  host = {
    go: (k) => moved.push(k),
    showWhole: (on) => (ahead = on),
    state: { last: 62 },
    root: { toggleAttribute: (_, on) => (wanted = on) },
    get live() {
      return live;
    },
    ask: async (request) => {
      asked.push(request);
      return answer;
    },
    complain: (text) => void messages.push(text),
  };
});

async function followLink(hash, on = true) {
  address.hash = hash;
  const links = makeLinks(
    { get: (name) => ({ link: OWN, ahead, live: asleep ? "asleep" : live })[name] },
    on,
    host,
  );
  await links.follow();
  return links;
}

test("a link leads to its step, and a step past the end is reported", async () => {
  (await followLink("#step=39")).end();
  (await followLink(`#${OWN}&step=7`)).end();
  assert.deepEqual([moved, asked, messages], [[39, 7], [], []]);
  (await followLink("#step=63")).end();
  assert.equal(moved.at(-1), 63);
  assert.match(messages[0], /has 62 steps.*step 63/);
});

test("a step that is not a number is reported, and the clock does not move", async () => {
  for (const step of ["1e9", "-5", "NaN", "<img src=x onerror=alert(1)>"])
    (await followLink(`#step=${step}`)).end();
  assert.deepEqual(moved, []);
  assert.equal(messages.length, 4);
  for (const each of messages) assert.match(each, /damaged/);
});

test("another search is requested, and then its step is shown", async () => {
  (await followLink("#game=kalah&position=x&step=3")).end();
  assert.deepEqual([asked, moved], [[{ link: "game=kalah&position=x" }], [3]]);
  answer = { error: "no such position" };
  (await followLink("#game=kalah&position=y&step=3")).end();
  assert.equal(asked.length, 2);
  assert.deepEqual(moved, [3]);
});

test("a link is reported if there is no Python, or if it cannot be parsed", async () => {
  live = false;
  (await followLink("#game=kalah&position=x&step=3")).end();
  for (const hash of ["#elsewhere", "#step=NaN&position=%00%ff", "#__proto__[step]=7"])
    (await followLink(hash)).end();
  assert.deepEqual([asked, moved], [[], []]);
  assert.match(messages[0], /another search.*no Python/);
  assert.match(messages[1], /cannot be read: #elsewhere/);
  for (const each of messages.slice(2)) assert.match(each, /cannot be read/);
  assert.equal(messages.length, 4);
});

test("the address follows the last step, but only if it belongs to the explorer", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const links = await followLink("");
  links.write(1);
  links.write(2);
  mock.timers.tick(10_000);
  assert.equal(address.hash, `#${OWN}&step=2`);
  ahead = true;
  links.write(2);
  mock.timers.tick(10_000);
  assert.equal(address.hash, `#${OWN}&tree=whole&step=2`);
  links.write(3);
  links.end();
  const foreign = await followLink("#step=9", false);
  foreign.write(4);
  mock.timers.tick(10_000);
  assert.equal(address.hash, "#step=9");
  assert.deepEqual(moved, []);
  mock.timers.reset();
});

test("a link to the whole tree shows it, and does not request another search", async () => {
  (await followLink(`#${OWN}&tree=whole&step=4`)).end();
  assert.deepEqual([ahead, moved, asked, messages], [true, [4], [], []]);
  (await followLink("#tree=half")).end();
  assert.match(messages[0], /cannot be read/);
});

test("a link waits for a Python that has not been started", async () => {
  [live, asleep] = [false, true];
  const links = await followLink("#game=kalah&position=x&step=3");
  assert.ok(links.wanted() && wanted);
  assert.match(messages[0], /another search.*as soon as Python/);
  assert.deepEqual([asked, moved], [[], []]);
  address.hash = `#${OWN}&step=3`;
  assert.ok(!links.wanted());
  links.end();
});

test("in a figure, the link is that of the report's page, and only that figure follows it", async () => {
  const page = { href: "file:///report/03.html?old#top", search: "?tree=whole&step=9" };
  const at = (hash) =>
    makeLinks({ get: (name) => ({ link: OWN, ahead })[name] }, false, host, {
      id: "figure-x",
      location: { ...page, hash },
    });
  await at("#figure-y").follow();
  assert.deepEqual([ahead, moved], [false, []]);
  const links = at("#figure-x");
  await links.follow();
  assert.deepEqual([ahead, moved], [true, [9]]);
  assert.equal(links.address(4), "file:///report/03.html?tree=whole&step=4#figure-x");
});

test("the view follows changes of the address until it ends", async () => {
  const links = await followLink("");
  address.hash = "#step=5";
  events.dispatchEvent(new Event("hashchange"));
  await Promise.resolve();
  links.end();
  address.hash = "#step=6";
  events.dispatchEvent(new Event("hashchange"));
  await Promise.resolve();
  assert.deepEqual(moved, [5]);
});
