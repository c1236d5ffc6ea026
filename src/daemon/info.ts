import type { Backups } from "../engines/backups.ts";
import type { IdleWatch } from "./idle-watch.ts";

export interface DaemonInfo {
  readonly version: string;
  readonly startedAt: string;
  /** The ms since the start, by a clock that nobody can set back. */
  readonly uptimeMs: () => number;
  /** The DSN without credentials. */
  readonly dbPath: string;
  readonly idle: Pick<IdleWatch, "health"> | undefined;
  /** A function, because the backups begin only when the daemon already listens. */
  readonly backups?: () => Pick<Backups, "health"> | undefined;
}
