import type { Backups } from "../engines/backups.ts";
import type { IdleWatch } from "./idle-watch.ts";

export interface DaemonInfo {
  readonly version: string;
  readonly startedAt: string;
  /** Ms since the start, by a clock that cannot be set back. */
  readonly uptimeMs: () => number;
  /** The DSN without credentials. */
  readonly dbPath: string;
  readonly idle: Pick<IdleWatch, "health"> | undefined;
  /** A function, since backups begin only after the daemon listens. */
  readonly backups?: () => Pick<Backups, "health"> | undefined;
}
