// What the modules of the explorer hand each other.

/** Numbers of one kind, one per node, per cut or per move never tried. */
export type Column = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float64Array;

/** A column's name, its type and its length. */
export type Described = [name: string, type: string, count: number];

/** A move's name, its place in the game, and whether it is a probe. */
export type Move = [name: string, place: number, probe: boolean];

/** Text; what is about a node carries its number. */
export type Piece = { text: string; node?: number };

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
    names: { south: string[]; north: string[] };
  } | null;
  words: { why: string; hold: Record<string, string>; said: Record<number, [string, number | null][]> };
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
  cutOf: Int32Array;
  innerOf: Int32Array;
  cutSteps: Int32Array;
  firstGhost: Int32Array;
  sparedAfter?: Float64Array;
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
  key: number | string;
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
export type Layout = { items: Item[]; box: Box; across: boolean; at: Map<number | string, Item> };

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
export interface Row {
  path: string;
  sows: number;
  turns: number;
  extra_turn: string;
  [column: string]: string | number | undefined;
}
/** The row of a node that was visited. */
export interface VisitedRow extends Row {
  id: number;
  player: string;
}

/** Where a frame is shown: the figure's id, and the address of its page. */
export type Figure = { id: string; location: { href: string; search: string; hash: string } };

/** What the links need of the view. */
export interface LinksHost {
  go(k: number): unknown;
  showWhole(on: boolean): unknown;
  last(): number;
  live(): boolean;
  wait(): boolean;
  ask(request: object): Promise<{ error?: string } | null>;
  complain(said: { message: string }): void;
}

/** Where a window stands, the middle of its upper edge, and what it shows. */
export type Placed = [x: number, y: number, bar: Bar];
