import type { Instant } from "../../base/clock.ts";
import type { Issue } from "../issues/issues.ts";
import { NO_FILTER } from "../issues/query.ts";
import type { Sort } from "../issues/sort.ts";

/** The views in the order in which a key cycles through them. `states` and `owners` are lanes. */
export const USUAL_VIEWS = ["nested", "flat", "states", "owners"] as const;

/** The views that are a list with headings, in the order in which another key cycles through them. */
export const GROUPED_VIEWS = ["by-state", "by-owner", "by-priority", "by-project"] as const;
export type GroupedView = (typeof GROUPED_VIEWS)[number];

export const VIEWS = [...USUAL_VIEWS, ...GROUPED_VIEWS];
export type View = (typeof VIEWS)[number];

/** The card on which the cursor left a lane: its uid, its index in the lane, and the number of lines drawn above it. */
export interface LanePlace {
  readonly uid: string;
  readonly at: number;
  readonly line: number;
}

export interface Search {
  readonly words: string;
  /** The number of the search; an answer with another number is dropped. */
  readonly serial: number;
  /** The uids of the issues that were found, the best match first; `undefined` until the answer comes. */
  readonly found: readonly string[] | undefined;
  /** The uids of those that were found by their meaning only. */
  readonly meant: ReadonlySet<string>;
  /** How the daemon searched, as it reports: by words, by meaning or both. */
  readonly how: string;
}

export interface SavedView {
  readonly name: string;
  readonly query: string;
}

export interface BoardState {
  /** A search in the daemon, whose results are shown instead of the rows of the filter. */
  readonly search: Search | undefined;
  readonly query: string;
  readonly view: View;
  readonly order: Sort;
  readonly cursor: string | undefined;
  /** The line of the list or lane on which the cursor's issue is drawn; it stays the same when the rows change. */
  readonly line: number;
  /** For each lane by its name, the card that the cursor was on when it last left the lane. */
  readonly places: ReadonlyMap<string, LanePlace>;
  /** The number of the leftmost lane that is drawn. */
  readonly left: number;
  /** The uid of the issue that was marked last, where the next range of marks begins. */
  readonly anchor: string | undefined;
  readonly folded: ReadonlySet<string>;
  /** The folded groups of the grouped views, by the names that `foldName` makes. */
  readonly foldedGroups: ReadonlySet<string>;
  /** The key of the line under the cursor of the browse pane. */
  readonly browse: string | undefined;
  readonly views: readonly SavedView[];
  readonly changed: ReadonlyMap<string, Instant>;
}

declare module "../state.ts" {
  interface ScreenStates {
    readonly board: BoardState;
  }
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
    anchor: undefined,
    folded: new Set(),
    foldedGroups: new Set(),
    browse: undefined,
    views,
    changed: new Map(),
  };
}

declare module "../message.ts" {
  interface ScreenMessages {
    readonly board: {
      readonly views: {
        readonly views: readonly SavedView[];
        /** The view that was saved or removed. */
        readonly name: string;
        readonly isKept: boolean;
      };
      readonly found:
        | {
            readonly serial: number;
            /** The issues that were found, the best match first. */
            readonly issues: readonly Issue[];
            /** The uids of those that were found by their meaning only. */
            readonly meant: readonly string[];
            readonly how: string;
          }
        | { readonly serial: number; readonly error: string };
      /**
       * For each lane by its name, how many cards are above its visible part. Only the browser page sends this message,
       * because it scrolls its lanes by itself.
       */
      readonly "lanes-scrolled": { readonly above: ReadonlyMap<string, number> };
    };
  }
}
