// The tooltip of the node under the pointer: its description and its position.

import { h } from "../shared/dom.js";
import { isWaiting } from "./appearance.js";
import { describeNode, nameOf } from "./explanation.js";
import { makePosition } from "./position.js";

/** @import { Pane } from "./pane.js" */
/** @import { Item, Look, Trace } from "./types.js" */

/** @type {(root: HTMLElement, body: HTMLElement, host: { panes: Pane[] }) => any} */
export function makeTooltip(root, body, host) {
  const element = h("div.kx-card", { hidden: true });
  const hide = () => (element.hidden = true);

  body.addEventListener("pointerleave", hide);
  body.addEventListener("pointerover", (event) => {
    hide();
    const target = /** @type {Element} */ (event.target);
    const node = /** @type {(Element & { item: Item }) | null} */ (target.closest?.(".node"));
    const pane = node && host.panes.find((candidate) => candidate.tree.contains(node));
    if (!node || !pane || node.item.ghost || event.buttons) return;
    const look = pane.look(node.item);
    if (!isWaiting(look)) show(pane.t, node, look);
  });

  /** @type {(t: Trace, node: Element & { item: Item }, look: Look) => void} */
  function show(t, node, look) {
    const { item } = node;
    const position = makePosition(t);
    position?.update(item.id);
    element.replaceChildren(
      h("b", nameOf(t, item.id)),
      h("span", describeNode(t, item, look)),
      position?.element ?? "",
    );
    element.hidden = false;
    const box = root.getBoundingClientRect();
    const nodeBox = node.getBoundingClientRect();
    const left = Math.min(nodeBox.right - box.left + 8, box.width - element.offsetWidth - 8);
    const below = nodeBox.bottom - box.top + 6;
    const above = nodeBox.top - box.top - element.offsetHeight - 6;
    element.style.left = `${Math.max(8, left)}px`;
    element.style.top = `${below + element.offsetHeight > box.height ? above : below}px`;
  }

  return { element, hide };
}
