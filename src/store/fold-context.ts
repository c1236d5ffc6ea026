import type { Connection } from "./connection.ts";
import type { Loaded } from "./loaded.ts";

export interface FoldContext {
  readonly connection: Connection;
  readonly loaded: Loaded;
  /** The daemon's time zone, for planning dates that name none. */
  readonly timezone: string;
  /** Collects the issues whose full-text row must be written before the commit. */
  readonly texts: { add(uid: string): void };
}
