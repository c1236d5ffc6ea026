import type { Connection } from "../connection.ts";
import type { Loaded } from "../load/loaded.ts";
import type { PendingTexts } from "../text/pending.ts";

export interface FoldContext {
  readonly connection: Connection;
  readonly loaded: Loaded;
  /** The daemon's time zone, for planning dates without a zone of their own. */
  readonly timezone: string;
  /** Collects the issues whose full-text row must be written before the commit. */
  readonly texts: Pick<PendingTexts, "add" | "addNew">;
  /**
   * Events of the log with this id or a higher one are not folded yet. Absent if the events to fold come after all
   * others.
   */
  readonly unfoldedFrom?: number;
}
