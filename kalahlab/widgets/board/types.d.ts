// Types of a game's record as Python serializes it, of the board's state, and of its modules.

import type { Answer } from "../shared/types.js";

/** The value of a move: as a `part` of the longest bar, and as text. */
export type Bar = { index: number; part: number; text: string; best: boolean };

/**
 * A move: the pit sown, the place of each stone, and the pits captured into a store. In a relay, the
 * stones of a place are taken up if the hand is empty and more places follow.
 */
export interface Move {
  words: string;
  from: number;
  mover: number;
  /** The number of the pit, as players name it. */
  pit: number;
  drops: number[];
  emptied: number[];
  store: number;
}

/** What a review found about a move: its sign as in chess, the stones it gives up, a better move. */
export interface ReviewedMove {
  text: string;
  marked: boolean;
  sign: string;
  regret: number;
  sentence: string;
  better: Move | null;
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
  review?: ReviewedMove;
  /** The value of the position for South, if it was reviewed. */
  value?: number;
  worth?: string;
  /** The steps to which undo and redo lead. */
  back: number;
  on: number;
  /** Whether a program moves here. */
  ours: boolean;
}

/** The moves that can be made before Python runs: by the place of a pit, what they lead to. */
export type Turn = { [place: string]: { step: Step; moves: Turn } };

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
  review?: { text: string; worst: number } | null;
  suggested: string[][];
  rule_sets: string[];
  evaluators: string[];
}

/** The state of the board. Actions return the next state, and `render` draws it. */
export interface State {
  record: Game;
  /** The number of moves on the board, and the number once the animation ends. */
  shown: number;
  target: number;
  /** Whether the next move is being animated. */
  moving: boolean;
  /** The moves that can be made from the last position without Python, and those made so. */
  turn: Turn;
  played: number[];
  /** Whether there is a Python that answers, and what it is doing. */
  live: boolean;
  thinking: string;
  /** Seconds since its last message. */
  waited: number;
  /** The number of nodes that its search has visited. */
  progress: number;
  /** Whether moves are animated. */
  animate: boolean;
  hints: string[];
  fault: string;
  editing: Editing | null;
  /** The pit that has the focus. */
  here: number | null;
}

/** A position that is set up by hand. */
export interface Editing {
  board: number[];
  mover: string;
  /** Whether a press removes a stone. */
  take: boolean;
  /** Python's description of the position. */
  verdict: string;
  playable: boolean;
}

/** The data that the pits and stores show. */
export interface Seen {
  board: number[];
  move: Pick<Move, "from" | "drops" | "emptied"> | null;
  legal: number[];
  bars: Bar[];
  /** Whether there is room for bars. */
  valued: boolean;
  /** The player to move, -1 for none. */
  turn: number;
  editing: boolean;
  /** A better move than the last one, which is drawn as an arc. */
  better?: Move | null;
}

/** A moment of a move: the board, and the hand that goes from one place to another. */
export interface Hand {
  board: number[];
  move: Seen["move"];
  from: number;
  to: number;
  held: number;
  /** The duration in milliseconds. */
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
  /** The place of the bar, as a style. */
  place?: string;
  /** Its elements in the page, in this order. */
  parts: HTMLElement[];
  /** The number of stones that are drawn. */
  drawn?: number;
}
/** Applies an action to the state, and draws the result. */
export type Act = <A extends any[]>(action: (state: State, ...args: A) => State, ...args: A) => void;
/** The part of the board that the list of moves uses. */
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
