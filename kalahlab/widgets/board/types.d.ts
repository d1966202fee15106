// A game as Python tells it (record.py), the board's state, and what its modules hand each other.

import type { Answer } from "../shared/types.js";

/** What a move is worth: `part` of the longest bar, and how it is written. */
export type Bar = { index: number; part: number; text: string; best: boolean };

/** A move: where it began, where each stone fell, which pits were captured into which store. */
export interface Move {
  words: string;
  from: number;
  drops: number[];
  emptied: number[];
  store: number;
}

/** A position of the game, and the move that led to it. */
export interface Step {
  board: number[];
  player: number;
  over: boolean;
  legal: number[];
  turn: string;
  text: string;
  move: Move | null;
  bars?: Bar[];
  why_not?: string;
  review?: { said: string; marked: boolean };
  worth?: string;
  /** Where undo and redo go. */
  back: number;
  on: number;
  /** Whether a program moves here. */
  ours: boolean;
}

export interface Game {
  game: number;
  steps: Step[];
  text: string;
  values: string;
  depth: number;
  rules: string;
  players: string[];
  before: boolean;
  opens: boolean;
  review?: { said: string; worst: number } | null;
  suggested: string[][];
  evaluators: string[];
}

/** What the board shows. Actions make the next one of it, and `render` draws it. */
export interface State {
  record: Game;
  /** So many moves are on the board, and so many are to be once all stones lie. */
  shown: number;
  target: number;
  /** The stones of the next move are on their way. */
  moving: boolean;
  /** There is a Python that answers, and what it is at. */
  live: boolean;
  thinking: string;
  /** Seconds for which it has said nothing. */
  waited: number;
  /** Nodes that its search has visited. */
  progress: number;
  /** Moving stones are wanted. */
  animate: boolean;
  hints: string[];
  fault: string;
  editing: Editing | null;
  /** The pit that a reader went to. */
  here: number | null;
}

/** A position that is set up by hand. */
export interface Editing {
  board: number[];
  mover: string;
  /** A press takes a stone. */
  take: boolean;
  /** What Python says of it. */
  said: string;
  playable: boolean;
}

/** What pits and stores show. */
export interface Seen {
  board: number[];
  move: Pick<Move, "from" | "drops" | "emptied"> | null;
  legal: number[];
  bars: Bar[];
  /** There is room for bars. */
  valued: boolean;
  /** Whose turn it is, -1 for nobody's. */
  turn: number;
  editing: boolean;
}

/** A moment of a move: the board, and the hand that goes from one place to another. */
export interface Hand {
  board: number[];
  move: Seen["move"];
  from: number;
  to: number;
  held: number;
  /** Milliseconds that the hand takes. */
  pace: number;
}

/** A pit or a store on the page. */
export interface Spot {
  index: number;
  store: boolean;
  box: any;
  count: any;
  stones: any;
  value?: any;
  bar?: any;
  /** Where the bar stands, as a style. */
  place?: string;
  /** What the page has of it, in this order. */
  parts: HTMLElement[];
  /** So many stones are drawn. */
  drawn?: number;
}
/** Does an action, and draws what it makes of the state. */
export type Act = <A extends any[]>(action: (state: State, ...given: A) => State, ...given: A) => void;
/** What the list of moves needs of the board. */
export interface MovesHost {
  go(at: number): unknown;
  review(): unknown;
  /** Whether the search of that position can be opened. */
  opens(at: number): boolean;
  openAt(at: number): unknown;
}
export type Way = "back" | "on";
export type Request = { ask: string; [name: string]: any };
export type Ask = (request: Request) => Promise<Answer | null | undefined>;
