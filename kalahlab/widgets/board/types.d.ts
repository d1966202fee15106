// A game as Python tells it (record.py), and what the board's modules hand each other.

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

/** A pit or a store on the page. */
export interface Spot {
  index: number;
  owner: number;
  pit: number;
  store: boolean;
  column: number;
  box: any;
  count: any;
  stones: any;
  number: any;
  value?: any;
  bar?: any;
  /** So many stones are drawn. */
  drawn?: number;
}
/** A press on a pit that is set up: whether it takes a stone, or how many are to be there. */
export type Edit = (index: number, fewer: boolean, to?: number | null) => void;
export type Way = "back" | "on";
export type Request = { ask: string; [name: string]: any };
export type Ask = (request: Request) => Promise<Answer | null | undefined>;
