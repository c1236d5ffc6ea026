import type { IdleWatch } from "./idle-watch.ts";

/** What a daemon can say of itself. */
export interface DaemonInfo {
  readonly version: string;
  readonly startedAt: string;
  /** Without credentials. */
  readonly dbPath: string;
  readonly idle: Pick<IdleWatch, "health"> | undefined;
}
