import type { Instant } from "../../base/clock.ts";

export type Focus = "browse" | "list" | "detail";

export interface WindowState {
  /** The size that the painter reported, in its own units. */
  readonly columns: number;
  readonly rows: number;
  readonly focus: Focus;
  readonly clicked: { readonly spot: string; readonly at: Instant } | undefined;
}

export function initialWindow(columns: number, rows: number): WindowState {
  return { columns, rows, focus: "list", clicked: undefined };
}
