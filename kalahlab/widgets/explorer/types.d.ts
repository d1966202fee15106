// What the modules of the explorer hand each other.

import type { Answer } from "../shared/types.js";
import type { Camera } from "./camera.js";
import type { Pane } from "./pane.js";

/** Numbers of one kind, one per node, per node with moves never tried or per such move. */
export type Column = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float64Array;

/** A column's name, its type and its length. */
export type Described = [name: string, type: string, count: number];

/** A move's name, its place in the game, and whether it is a probe. */
export type Move = [name: string, place: number, probe: boolean];

/** Text; what is about a node carries its number. */
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
  /** The nodes of the best line, of a search whose values do not say it. */
  line?: number[];
  words: { why: string; hold: Record<string, string>; said: Record<number, Piece[]> };
  positions: { columns: Described[]; data: DataView<ArrayBuffer> };
  columns: Described[];
  data: DataView<ArrayBuffer>;
}

/** A trace as columns. Places are those of numbers in `numbers`; nodes count in order of visits. */
export interface Trace extends Omit<Packed, "data"> {
  /** Unpacked, and let go. */
  data: null;
  n: number;
  steps: number;
  plies: number;
  items: number;
  addsUp: boolean;
  /** The place of infinity; that of minus infinity is 0. */
  high: number;
  endless: boolean;
  /** How far the finite numbers reach from 0. */
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
  again: Column;
  cost: Column;
  /** Once the positions are unpacked. */
  cells?: Column;
  parent: Int32Array;
  size: Int32Array;
  /** Per node with moves never tried: its place among such. */
  untriedOf: Int32Array;
  innerOf: Int32Array;
  cutSteps: Int32Array;
  firstGhost: Int32Array;
  /** Nodes never searched, after so many cuts. */
  sparedAfter: Float64Array;
}

export type OfTrace<T> = (t: Trace) => T;
/** Of a node i, or after k events. */
export type OfNode<T> = (t: Trace, i: number) => T;
/** Of a node i after k events. */
export type AtStep<T> = (t: Trace, i: number, k: number) => T;
/** The places of alpha and beta. */
export type Window = [alpha: number, beta: number];
/** The same and the best value so far, -1 if there is none. */
export type Bar = [alpha: number, beta: number, value: number];

/** A move that was made and never tried. */
export type Ghost = { move: number; cost: number; again: boolean };

/** A node in the picture, or a move never tried: then `id` is its parent's. */
export interface Item {
  id: number;
  key: Key;
  level: number;
  ghost: Ghost | null;
  leafy: boolean;
  kids: Item[];
  /** Whether its children stand in a column. */
  column: boolean;
  x: number;
  y: number;
  dx: number;
  dy: number;
  up: Item | null;
  /** Its place among its siblings, from 1. */
  pos: number;
  /** How many nodes below it are closed. */
  hidden: number;
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
  /** The windows are hidden. */
  quizzing?: boolean;
  /** What is not made yet is shown, too. */
  whole?: boolean;
}

/** How a node looks. */
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

/** Where a frame is shown: the figure's id, and the address of its page. */
export type Figure = { id: string; location: { href: string; search: string; hash: string } };

/** What the links need of the view; `live`: it has a Python that answers. */
export interface LinksHost {
  state: { last: number };
  live: boolean;
  root: HTMLElement;
  go(k: number): unknown;
  showWhole(on: boolean): unknown;
  ask(request: object): Promise<{ error?: string } | null>;
  complain: Complain;
}

/** Where a window stands, the middle of its upper edge, and what it shows. */
export type Placed = [x: number, y: number, bar: Bar];

export type Point = { x: number; y: number };

/** What is to be kept in sight: a node and the owner of the bound that cuts it. */
/** beside: the camera of a tree that is shown beside this one. */
export type Sight = { layout: Layout; item?: Item; owner?: Item; slide?: boolean; beside?: Camera[] };
/** The mouse or the fingers on the tree since they went down, and what they do to a node. */
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

/** What is marked in the picture, by key or by node. */
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
  /** In a tree to be crossed out, what is. */
  crossed?: number[];
}

/** The elements of a node, and what they show. */
export interface Drawn {
  element: any;
  inside: any;
  shape: any;
  move: any;
  value: any;
  shown: string;
  label: string;
  tight: string;
  table: boolean;
  alone: boolean;
  place?: string;
  triangle?: string;
  /** By tag and class: what few nodes have. */
  extras: Record<string, any>;
}
export type Seen = { item: Item; look: Look };
/** What is looked at in one search. */
export interface View {
  t: Trace;
  /** The selected node; null is the current one. */
  focus: Key | null;
  /** Which nodes are open: `all`, those on the `path`, the best `line`, or so many plies. */
  show: string;
  /** What was opened or closed by hand. */
  byHand: Map<number, boolean>;
}

/** What the explorer shows. Actions make the next one of it, and `render` draws it. */
export interface State {
  views: View[];
  /** The view that is looked at. */
  active: number;
  /** So many events have happened, of `last`. */
  k: number;
  last: number;
  /** Whether what the search has not made yet is shown, too. */
  whole: boolean;
  playing: boolean;
  speed: string;
  quiz: Quiz | null;
  crossing: Crossing | null;
}

/** Where a view stands in the state. */
export type Place = number;

/** What one tree shows of the state. */
export interface Scene {
  view: View;
  k: number;
  quizzing: boolean;
  whole: boolean;
  /** The node whose value is asked for. */
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
  /** What the reader did not find. */
  rest: Set<number>;
  said: Said;
}
/** What a reader is told; of an answer, whether it was right. */
export type Said = { text: string; right?: boolean };

/** A quiz: what is asked, and what was answered. */
export interface Quiz {
  t: Trace;
  kind: string;
  /** The search as an address has it, or "". */
  link: string;
  question: Question | null;
  /** The step from which on the next one is looked for. */
  from: number;
  /** What was said to the answer; null while it is waited for. */
  said: Said | null;
  set: { seed: number; left: SetQuestion[]; answers: Given[] } | null;
  /** Cuts that were missed, and cuts that were made where there are none. */
  score: { right: number; asked: number; missed: number; superfluous: number };
}

/** Does an action, and draws what it makes of the state. */
export type Act = <A extends any[]>(action: (state: State, ...given: A) => State, ...given: A) => void;
/** What trees, keys and clock need of the view. */
export interface Host {
  state: State;
  act: Act;
  pane(): Pane;
  panes: Pane[];
  click(pane: Pane, item: Item): void;
  grab(pane: Pane, item?: Item): Held | null;
  enter(item: Item): void;
  unselect(): void;
  reorder(by: number): void;
  showWhole(on: boolean): void;
}
/** A request to Python. */
export type Ask = (request: object) => Promise<Answer | null>;
export type Pick = (key: Key) => unknown;
export type Picture = { svg: any; text: string; width: number; height: number };
export type Complain = (said: string) => void;

/** What is not shown all the time needs of the view. */
export interface SavingHost {
  pane(): Pane;
  page(): Promise<string | undefined>;
  complain: Complain;
}

/** A question after k events: of which node, and what the answer is, a place or whether it is cut. */
export interface Question {
  kind: string;
  node: number;
  answer: number | boolean;
  reply?: number;
}
/** A number, or whether it is cut. */
export type Given = number | boolean;
export type SetQuestion = Question & { k: number };
