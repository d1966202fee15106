// The camera keeps relevant nodes in sight, and does not move without need.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera } from "../../../kalahlab/widgets/explorer/camera.js";

const at = (x, y) => ({ x, y, kids: [], up: null });
const controls = { offsetHeight: 30 };
const stage = { clientWidth: 800, clientHeight: 480, querySelector: () => controls };

function looking(box, item, across = false, on = stage) {
  const sight = { layout: { box, across }, item };
  const moves = [];
  const camera = new Camera(
    on,
    () => sight,
    (_, smooth) => moves.push(smooth),
  );
  camera.follow();
  return { camera, moves, sight };
}

const inside = (camera, { x, y }) => {
  const { l, r, t, b } = camera.seen();
  return l < x && x < r && t < y && y < b;
};

test("a small tree is shown whole, at once, and does not move", () => {
  const box = { l: -100, r: 100, t: -40, b: 200 };
  const { camera, moves, sight } = looking(box, at(0, 0));
  const { l, r, t, b } = camera.seen();
  assert.ok(l <= box.l && r >= box.r && t <= box.t && b >= box.b);
  sight.item = at(90, 150);
  camera.follow();
  assert.deepEqual(moves, [false]);
});

test("the camera follows a large tree smoothly, until a reader moves it", () => {
  const box = { l: 0, r: 90_000, t: 0, b: 9000 };
  const { camera, moves, sight } = looking(box, at(100, 100));
  assert.ok(inside(camera, sight.item) && camera.z >= 0.6);
  sight.item = at(50_000, 4000);
  camera.follow();
  assert.ok(inside(camera, sight.item));
  camera.pan(0, 0);
  camera.follow();
  assert.ok(!inside(camera, sight.item));
  assert.deepEqual(moves, [false, true, false]);
  camera.anew();
  camera.follow();
  assert.ok(inside(camera, sight.item));
});

test("zoom keeps the place under the pointer, and has its limits", () => {
  const { camera } = looking({ l: 0, r: 9000, t: 0, b: 9000 }, at(500, 500));
  const under = () => [(300 - camera.x) / camera.z, (200 - camera.y) / camera.z];
  const before = under();
  camera.zoom(1.5, 300, 200);
  for (const [place, value] of under().entries()) assert.ok(Math.abs(value - before[place]) < 1e-9);
  camera.zoom(1e9);
  assert.equal(camera.z, 3);
  camera.zoom(1e-9);
  assert.equal(camera.z, 0.2);
});

test("fitting resumes following, and a point can be centred", () => {
  const box = { l: 0, r: 2000, t: 0, b: 1000 };
  const { camera } = looking(box, at(500, 500));
  camera.centre(1900, 900);
  assert.ok(inside(camera, at(1900, 900)) && !camera.following);
  camera.refit();
  assert.ok(camera.following);
  for (const corner of [at(0, 0), at(2000, 1000)]) assert.ok(inside(camera, corner));
});

test("two trees beside each other have the same zoom, and are zoomed together", () => {
  const small = looking({ l: 0, r: 300, t: 0, b: 200 }, at(100, 100));
  const large = looking({ l: 0, r: 900, t: 0, b: 600 }, at(100, 100));
  small.sight.beside = [large.camera];
  large.sight.beside = [small.camera];
  for (const change of [(camera) => camera.refit(), (camera) => camera.zoom(1.25)]) {
    const before = small.camera.z;
    change(large.camera);
    assert.equal(small.camera.z, large.camera.z);
    assert.notEqual(small.camera.z, before);
  }
});

test("on a telephone a node is shown with its parent, and with the root if there is room", () => {
  const [clientWidth, clientHeight] = [356, 314];
  const root = at(0, 0);
  const line = [root];
  for (let ply = 1; ply < 6; ply++) line.push({ ...at(60 * ply, 108 * ply), up: line[ply - 1] });
  for (const [ply, item] of line.entries()) {
    const box = { l: -600, r: 600, t: -34, b: 700 };
    const { camera } = looking(box, item, false, { ...stage, clientWidth, clientHeight });
    for (const each of [item, item.up ?? item]) assert.ok(inside(camera, each));
    assert.equal(inside(camera, root), ply < 4);
  }
});
