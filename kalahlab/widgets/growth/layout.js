// The open part of the tree, whose places `layOut` of the explorer computes.

/** @import { Item } from "../explorer/types.js" */
/** @import { Growth } from "./types.js" */

import { makeItem, roomForName } from "../explorer/layout.js";
import { isExtra, isFinished, moveName } from "../explorer/trace.js";
import { NODE_NAME } from "../shared/metrics.js";

// Returns the nodes below open ones, whether they are made yet or not: so nothing moves when the
// tree grows. `hidden` is the number of children of a closed node.
/** @type {(t: Growth, isOpen: (id: number) => boolean, across: boolean) => Item} */
export function openTree(t, isOpen, across) {
  /** @type {(id: number, level: number) => Item} */
  const grow = (id, level) => {
    const item = makeItem(id, id, level, null, isFinished(t, id));
    item.hidden = t.kids[id];
    if (!across && id && !item.leafy)
      item.name = roomForName(NODE_NAME, moveName(t, id), isExtra(t, id));
    if (item.hidden && isOpen(id)) {
      item.hidden = 0;
      for (let place = 0; place < t.kids[id]; place++)
        item.kids.push(grow(t.firstChild[id] + place, level + 1));
      item.column = !across && item.kids.every((kid) => kid.leafy);
    }
    return item;
  };
  return grow(0, 1);
}
