import type { Instant } from "../../base/clock.ts";

/** A pane of the board. */
export type Focus = "browse" | "list" | "detail";

export interface WindowState {
  /** The size that the painter reported, in its own units. */
  readonly columns: number;
  readonly rows: number;
  readonly focus: Focus;
  /** Which spot was clicked last, and when. */
  readonly clicked: { readonly spot: string; readonly at: Instant } | undefined;
}

export function initialWindow(columns: number, rows: number): WindowState {
  return { columns, rows, focus: "list", clicked: undefined };
}
