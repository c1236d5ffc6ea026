import type { IdleWatch } from "./idle/watch.ts";
import type { Scheduled } from "./start-engines.ts";

export interface DaemonInfo {
  readonly version: string;
  readonly startedAt: string;
  /** The ms since the start, by a monotonic clock. */
  readonly uptimeMs: () => number;
  /** The DSN without credentials. */
  readonly dbPath: string;
  readonly idle: Pick<IdleWatch, "health"> | undefined;
  /** A function, because scheduled backups are set up only after the daemon listens. */
  readonly scheduled?: () => Scheduled | undefined;
}
