import type { Connection } from "../connection.ts";
import type { Loaded } from "../load/loaded.ts";
import type { PendingTexts } from "../text/pending.ts";

export interface FoldContext {
  readonly connection: Connection;
  readonly loaded: Loaded;
  /** The daemon's time zone, for planning dates that name none. */
  readonly timezone: string;
  /** Collects the issues whose full-text row must be written before the commit. */
  readonly texts: Pick<PendingTexts, "add" | "addNew">;
  /**
   * The id from which on the events of the log are not folded yet. Absent if the events that are folded come after all
   * others.
   */
  readonly unfoldedFrom?: number;
}
