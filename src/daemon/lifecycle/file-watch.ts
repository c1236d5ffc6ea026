import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { SvcError } from "../../contract/errors.ts";
import type { AdminStore } from "../../store/admin-store.ts";
import { DATABASE_UNSEEN } from "../../store/sqlite/open-file-guard.ts";

/** How often the files are checked. In addition, each write checks them. */
const LOOK_MS = 1000;

export interface FileWatch {
  /** Resolves with the reason if the database is lost; the daemon must then stop. */
  readonly lost: Promise<SvcError>;
  stop(): Promise<void>;
}

export function watchFiles({
  store,
  clock,
  log,
}: {
  readonly store: Pick<AdminStore, "requireHeld" | "lost">;
  readonly clock: Clock;
  readonly log: Log;
}): FileWatch {
  const ended = new AbortController();
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await clock.sleep(LOOK_MS, ended.signal);
      if (ended.signal.aborted) return;
      try {
        store.requireHeld();
      } catch (error) {
        const isOver = error instanceof SvcError && error.data["reason"] !== DATABASE_UNSEEN;
        if (isOver) return;
        log.error("daemon.file_watch_failed", { error });
      }
    }
  };
  const watching = watch();
  const lost = store.lost.then((fault) => {
    log.error("daemon.database_lost", { reason: fault.data["reason"], message: fault.message });
    return fault;
  });
  return {
    lost,
    stop: async () => {
      ended.abort();
      await watching;
    },
  };
}
