import type { Connection } from "./connection.ts";
import type { Loaded } from "./loaded.ts";

/** What folding an event works on. */
export interface FoldContext {
  readonly connection: Connection;
  readonly loaded: Loaded;
  /** The daemon's zone, for planning dates without one. */
  readonly timezone: string;
  /** Issues whose full-text row must be written before the commit. */
  readonly texts: { add(uid: string): void };
}
