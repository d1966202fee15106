// Types that the modules of the explorer share.

import type { Answer } from "../shared/types.js";
import type { Camera } from "./camera.js";
import type { Pane } from "./pane.js";

/** Numbers of one kind, one per node, per node with moves never tried or per such move. */
export type Column = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** A column's name, its type and its length. */
export type Described = [name: string, type: string, count: number];

/** A move's name, its place in the game, and whether it is a probe. */
export type Move = [name: string, place: number, probe: boolean];

/** A piece of text; one about a node contains its number. */
export type Piece = [text: string, node?: number | null];

/** A trace as Python packs it (packing.py). */
export interface Packed {
  title: string;
  nodes: number;
  full: number;
  spared: number;
  width: number[];
  widest: number;
  windows: boolean;
  numbers: (number | null)[];
  texts: string[];
  brief: string[];
  asks: Record<string, string>;
  moves: Move[];
  root: string;
  board: {
    pits: number;
    south: string;
    north: string;
    names?: { south: string[]; north: string[] };
  } | null;
  byHand: boolean;
  /** The nodes of the best line, of a search whose values do not show it. */
  line?: number[];
  /** What the values are; a probability is that MAX wins. */
  unit: "value" | "probability";
  /** How the value of each node follows; null if values follow by minimax. */
  reasons: DataView<ArrayBuffer> | null;
  words: { why: string; hold: Record<string, string>; special: Record<number, Piece[]> };
  positions: { columns: Described[]; data: DataView<ArrayBuffer> };
  columns: Described[];
  data: DataView<ArrayBuffer>;
}

/** A trace as columns. Places are those of numbers in `numbers`; nodes count in order of visits. */
export interface Trace extends Omit<Packed, "data" | "reasons"> {
  reasons: string[] | null;
  /** Released after unpacking. */
  data: null;
  n: number;
  steps: number;
  plies: number;
  items: number;
  addsUp: boolean;
  /** The place of infinity; that of minus infinity is 0. */
  high: number;
  endless: boolean;
  /** The greatest distance of a finite number from 0. */
  span: number;
  asking: boolean;
  /** All flags of all nodes. */
  flags: number;
  ply: Column;
  move: Column;
  flag: Column;
  alpha: Column;
  beta: Column;
  value: Int32Array;
  owner: Column;
  holds: Column;
  count: Column;
  ghost: Column;
  extra: Column;
  cost: Column;
  /** Present once the positions are unpacked. */
  cells?: Column;
  parent: Int32Array;
  size: Int32Array;
  /** Per node with moves never tried: its place among such. */
  untriedOf: Int32Array;
  innerOf: Int32Array;
  cutSteps: Int32Array;
  firstGhost: Int32Array;
  /** Nodes never searched, by the number of cuts so far. */
  sparedAfter: Float64Array;
}

/** What positions and names are read from; a tree that grows has it, too. */
export interface Shown {
  board: Packed["board"];
  moves: Move[];
  positions: Packed["positions"];
  n: number;
  parent: Int32Array;
  move: Column;
  flag: Column;
  cells?: Column;
}
/** Of a node i, in either kind of tree. */
export type OfShown<T> = (t: Shown, i: number) => T;

export type OfTrace<T> = (t: Trace) => T;
/** Of a node i, or after k events. */
export type OfNode<T> = (t: Trace, i: number) => T;
/** Of a node i after k events. */
export type AtStep<T> = (t: Trace, i: number, k: number) => T;
/** The places of alpha and beta. */
export type Window = [alpha: number, beta: number];
/** The same and the best value so far, -1 if there is none. */
export type Bar = [alpha: number, beta: number, value: number];

/** A move that was generated and never tried. */
export type Ghost = { move: number; cost: number; extraTurn: boolean };

/** A node in the picture, or a move never tried: then `id` is its parent's. */
export interface Item {
  id: number;
  key: Key;
  level: number;
  ghost: Ghost | null;
  leafy: boolean;
  kids: Item[];
  /** Whether its children are in a column. */
  column: boolean;
  x: number;
  y: number;
  dx: number;
  dy: number;
  up: Item | null;
  /** Its place among its siblings, from 1. */
  pos: number;
  /** The number of nodes below it, if it is closed. */
  hidden: number;
  /** Half of the width of its window as text, 0 if it shows none. */
  window: number;
  /** How far the name of the move to it reaches to its left; 0 if that needs no room. */
  name: number;
  /** The width of the bound at its cut, 0 without a cut. */
  cut: number;
}

/** Left, right, top and bottom. */
export type Box = { l: number; r: number; t: number; b: number };
/** The rows of a subtree: how far each reaches, undefined where there is nothing. */
export type Outline = { left: number[]; right: number[] };
export type Key = number | string;
export interface Layout {
  items: Item[];
  box: Box;
  across: boolean;
  at: Map<Key, Item>;
  /** Whether the windows are hidden. */
  quizzing?: boolean;
  /** Whether nodes not generated yet are shown, too. */
  whole?: boolean;
}

/** The appearance of a node. */
export interface Look {
  kind: string;
  text: string;
  ahead?: boolean;
  open?: boolean;
  cut?: boolean;
  finished?: boolean;
  mark?: string;
  bar?: Bar | null;
}

/** A row of the table that is saved. */
export type Row = { [column: string]: string | number | undefined };
/** The row of a node that was visited. */
export interface VisitedRow extends Row {
  id: number;
  path: string;
  player: string;
  sows: number;
  turns: number;
}

/** The figure around a frame: its id, and the address of its page. */
export type Figure = { id: string; location: { href: string; search: string; hash: string } };

/** The part of the view that the links use; `live`: whether there is a Python that answers. */
export interface LinksHost {
  state: { last: number; projecting: boolean };
  live: boolean;
  root: HTMLElement;
  go(k: number): unknown;
  showWhole(on: boolean): unknown;
  project(on: boolean, alone: boolean): unknown;
  ask(request: object): Promise<{ error?: string } | null>;
  complain: Complain;
}

/** The place of a window, the middle of its upper edge, and its bar. */
export type Placed = [x: number, y: number, bar: Bar];

export type Point = { x: number; y: number };

/** The nodes to be kept in sight: one, and the owner of the bound that cuts it. */
/** beside: the camera of a tree that is shown beside this one. */
/** projected: the least zoom in projector mode, else 0. */
export type Sight = { layout: Layout; item?: Item; owner?: Item; slide?: boolean; projected?: number; beside?: Camera[] };
/** A press of the mouse or the fingers on the tree. */
export interface Press extends Point {
  cx: number;
  cy: number;
  moved: boolean;
  target: Element;
  pair: (Point & { gap: number }) | null;
}

export interface Grip {
  click(target: Element): void;
  grab(target: Element): Held | null;
}
/** A node that the pointer drags. */
export type Held = { move(dx: number, dy: number): void; drop(done: boolean): void };

/** The marks in the picture, by key or by node. */
export interface Marks {
  current: number;
  focus: Key;
  cutter: number;
  owner: number;
  quizNode: number | null;
  bound: string;
  path: Set<Key>;
  blame: Set<Key>;
  best: Set<Key>;
  /** The branches that are crossed out. */
  crossed?: number[];
}

/** The elements of a node, with the values that they show. */
export interface Drawn {
  element: any;
  inside: any;
  shape: any;
  move: any;
  value: any;
  shown: string;
  label: string;
  size: string;
  table: boolean;
  alone: boolean;
  place?: string;
  triangle?: string;
  /** Elements that few nodes have, by tag and class. */
  extras: Record<string, any>;
}
export type Seen = { item: Item; look: Look };
/** The view of one search. */
export interface View {
  t: Trace;
  /** The selected node; null is the current one. */
  focus: Key | null;
  /** The nodes that are open: `all`, those on the `path`, the best `line`, or a number of plies. */
  show: string;
  /** Nodes opened (true) or closed by hand. */
  byHand: Map<number, boolean>;
}

/** The state of the explorer. Actions return the next state, and `render` draws it. */
export interface State {
  views: View[];
  /** The index of the active view. */
  active: number;
  /** The number of events that have happened, of `last`. */
  k: number;
  last: number;
  /** Whether nodes not generated yet are shown, too. */
  whole: boolean;
  playing: boolean;
  /** Whether the tree fills the screen, for a class. */
  projecting: boolean;
  speed: string;
  quiz: Quiz | null;
  crossing: Crossing | null;
}

/** The index of a view in the state. */
export type Place = number;

/** The part of the state that one tree shows. */
export interface Scene {
  view: View;
  k: number;
  quizzing: boolean;
  whole: boolean;
  projecting: boolean;
  /** The node whose value is the question. */
  quizNode: number | null;
  crossing: Crossing | null;
}

/** A node's branch that alpha-beta cuts, by its highest node, or -1; and the reason. */
export type Branch = [top: number, why: string];
/** The branches that a reader crosses out of the only view, and the state to go back to. */
export interface Crossing {
  before: State;
  branches: Branch[];
  found: Set<number>;
  wrong: Set<number>;
  /** Branches that the reader did not find. */
  rest: Set<number>;
  reply: Reply;
}
/** A reply to the reader; for an answer, whether it was right. */
export type Reply = { text: string; right?: boolean };

/** A quiz: its questions and the answers. */
export interface Quiz {
  t: Trace;
  kind: string;
  /** The search as in an address, or "". */
  link: string;
  question: Question | null;
  /** The step from which the next question is searched. */
  from: number;
  /** The reply to the answer; null until there is one. */
  reply: Reply | null;
  set: { seed: number; remaining: SetQuestion[]; answers: Given[] } | null;
  /** Missed: cuts answered with no. Superfluous: answers of a cut where there is none. */
  score: { right: number; asked: number; missed: number; superfluous: number };
}

/** Applies an action to the state, and draws the result. */
export type Act = <A extends any[]>(action: (state: State, ...args: A) => State, ...args: A) => void;
/** The part of the view that trees, keys and the clock use. */
export interface Host {
  state: State;
  act: Act;
  pane(): Pane;
  panes: Pane[];
  click(pane: Pane, item: Item): void;
  grab(pane: Pane, item?: Item): Held | null;
  enter(item: Item): void;
  unselect(): void;
  project(on: boolean): void;
  reorder(by: number): void;
  showWhole(on: boolean): void;
}
/** A request to Python. */
export type Ask = (request: object) => Promise<Answer | null>;
export type Pick = (key: Key) => unknown;
export type Picture = { svg: any; text: string; width: number; height: number };
export type Complain = (message: string) => void;

/** The part of a pane of which a picture is made. */
export interface Pictured {
  k: number;
  t: { title: string; steps: number };
  layout: Layout;
  painter: { camera: any };
  stage: HTMLElement;
  paint(): void;
  redraw(): void;
}

/** The part of the view that export uses. */
export interface SavingHost {
  pane(): Pictured;
  csv(): string;
  page(): Promise<string | undefined>;
  complain: Complain;
}

/** A question after k events: its node, and its answer, the place of a number or whether there is a cut. */
export interface Question {
  kind: string;
  node: number;
  answer: number | boolean;
  reply?: number;
}
/** A number, or whether there is a cut. */
export type Given = number | boolean;
export type SetQuestion = Question & { k: number };
