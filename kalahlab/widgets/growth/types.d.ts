// Types that the modules of the view of a growing tree share.

import type { Column, Described, Item, Key, Layout, Packed, Reply, Shown } from "../explorer/types.js";

/** A search as Python packs it (growth_packing.py). */
export interface PackedGrowth {
  title: string;
  nodes: number;
  steps: number;
  fields: string[];
  terms: number;
  evaluatesChildren: boolean;
  hows: string[];
  result: string;
  moves: Packed["moves"];
  board: Packed["board"];
  byHand: boolean;
  positions: Packed["positions"];
  explained: number;
  reasons: DataView<ArrayBuffer>;
  columns: Described[];
  data: DataView<ArrayBuffer>;
}

/** The sentences of each part of an iteration. */
export type Reasons = string[][];

/** A search as columns. Nodes are in the order of their creation. */
export interface Growth extends Omit<PackedGrowth, "data" | "reasons" | "terms">, Shown {
  /** The number of states: four an iteration. */
  last: number;
  born: Column;
  leaf: Column;
  expanded: Column;
  valued: Column;
  value_id: Column;
  value_how: Column;
  value: Column;
  step: Column;
  numbers: Column[];
  terms: Column[];
  level: Int32Array;
  firstChild: Int32Array;
  kids: Int32Array;
  /** By node: the place of its first entry in `step` and `numbers`; the last one is their end. */
  historyStart: Int32Array;
  /** By iteration: the place of its first value. */
  valueStart: Int32Array;
  /** The steps at which each node is on the path, node by node, and where those of a node begin. */
  visits: Int32Array;
  visitStart: Int32Array;
  /** By node: the place of its first row of terms. */
  termStart: Int32Array;
  /** By node: the index of its first visit that has a row of terms. */
  termFrom: Int32Array;
  width: number[];
  widest: number;
  plies: number;
  /** What stands in a node. */
  kind: "mean" | "proof" | "value";
  /** By step, the sentences that have been loaded. */
  reasons: Map<number, Reasons>;
}

/** A state of the search: a step, and the part of the iteration, 0 to 3. */
export type Moment = { step: number; part: number };

/** The numbers of a node by field. */
export type Numbers = { [field: string]: number };
/** A child as a candidate for selection. */
export type Candidate = { id: number; numbers: Numbers; terms: number[]; appeal: number };

/** The appearance of a node. */
export interface Look {
  kind: string;
  text: string;
  count: string;
  note: string;
  appeal: string;
}

export interface Quiz {
  kind: string;
  question: Question | null;
  reply: Reply | null;
  score: { right: number; asked: number };
}
/** answer: the id of a child, or a number. */
export interface Question {
  kind: string;
  k: number;
  node: number;
  field: string;
  answer: number;
}

export interface State {
  t: Growth;
  k: number;
  last: number;
  focus: number | null;
  show: string;
  byHand: Map<number, boolean>;
  playing: boolean;
  speed: string;
  series: string;
  quiz: Quiz | null;
  /** Whether the tree fills the screen, for a class. */
  projecting: boolean;
}

export type Act = <A extends any[]>(action: (state: State, ...args: A) => State, ...args: A) => void;

/** What is marked in the picture. */
export interface Marks {
  focus: Key;
  current: number;
  path: Set<Key>;
  /** Whether the numbers on the path have just changed. */
  backedUp: boolean;
}
export type GrownLayout = Layout & { at: Map<Key, Item> };
