import type { Instant } from "../../base/clock.ts";
import type { Order } from "./order.ts";
import { NO_FILTER } from "./query.ts";

/** How the board shows its issues, in the order in which a key goes through them. */
export const VIEWS = ["nested", "flat", "states", "owners"] as const;
export type View = (typeof VIEWS)[number];

/** Where a lane was left: its card, which one in the lane that was, and how many lines were drawn above it. */
export interface LanePlace {
  readonly uid: string;
  readonly at: number;
  readonly line: number;
}

/** What the daemon found for these words. */
export interface Search {
  readonly words: string;
  /** An answer to another question is dropped. */
  readonly serial: number;
  /** The best match first; `undefined` until the answer comes. */
  readonly found: readonly string[] | undefined;
  /** By words, by meaning or both, as the daemon says. */
  readonly how: string;
}

/** A filter that the person saved under a name. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

export interface BoardState {
  /** Its rows are shown instead of those of the filter. */
  readonly search: Search | undefined;
  readonly query: string;
  readonly view: View;
  readonly order: Order;
  readonly cursor: string | undefined;
  /** On which line of the pane or lane the cursor is; it scrolls so that its issue stays there. */
  readonly line: number;
  /** The lanes where the cursor is not, by their names. */
  readonly places: ReadonlyMap<string, LanePlace>;
  /** Which lane is the leftmost that is drawn. */
  readonly left: number;
  readonly marks: ReadonlySet<string>;
  /** Where a range of marks began. */
  readonly anchor: string | undefined;
  readonly folded: ReadonlySet<string>;
  /** The key of the line of the browse pane that the cursor is on. */
  readonly browse: string | undefined;
  readonly views: readonly SavedView[];
  /** When each issue was last changed by somebody else. */
  readonly changed: ReadonlyMap<string, Instant>;
}

export function initialBoard(views: readonly SavedView[]): BoardState {
  return {
    search: undefined,
    query: NO_FILTER,
    view: "nested",
    order: "updated",
    cursor: undefined,
    line: 0,
    places: new Map(),
    left: 0,
    marks: new Set(),
    anchor: undefined,
    folded: new Set(),
    browse: undefined,
    views,
    changed: new Map(),
  };
}
