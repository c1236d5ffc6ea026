import type { Backups } from "../engines/backups.ts";
import type { IdleWatch } from "./idle-watch.ts";

/** What a daemon can say of itself. */
export interface DaemonInfo {
  readonly version: string;
  readonly startedAt: string;
  /** Of a clock that nobody sets. */
  readonly uptimeMs: () => number;
  /** Without credentials. */
  readonly dbPath: string;
  readonly idle: Pick<IdleWatch, "health"> | undefined;
  /** Asked when somebody asks: they begin when the daemon listens. */
  readonly backups?: () => Pick<Backups, "health"> | undefined;
}
