import type { Engines } from "../engines/engines.ts";
import type { IdleWatch } from "./idle/watch.ts";

export interface DaemonInfo {
  readonly version: string;
  readonly startedAt: string;
  /** The ms since the start, by a monotonic clock. */
  readonly uptimeMs: () => number;
  /** The DSN without credentials. */
  readonly dbPath: string;
  readonly idle: Pick<IdleWatch, "health"> | undefined;
  /** Returns the engines, which start only after the daemon listens. */
  readonly engines?: () => Pick<Engines, "health"> | undefined;
}
