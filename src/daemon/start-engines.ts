import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Backups } from "../engines/backups.ts";
import { cronEngine } from "../engines/cron.ts";
import { dateEngine } from "../engines/dates.ts";
import { Engines } from "../engines/engines.ts";
import { eraseEngine } from "../engines/erase.ts";
import { leaseEngine } from "../engines/leases.ts";
import { textEngine } from "../engines/texts.ts";
import { tokenUseEngine } from "../engines/token-uses.ts";
import type { TokenUses } from "../ops/tokens/uses.ts";
import type { Store } from "../store/types/store.ts";
import type { IdleWatch } from "./idle-watch.ts";
import type { DaemonSettings } from "./settings.ts";

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly uses: TokenUses;
  readonly watch: IdleWatch | undefined;
}

export async function startEngines(
  settings: DaemonSettings,
  { store, clock, ids, log, uses, watch }: Needs,
): Promise<{ readonly engines: Engines; readonly backups: Backups | undefined }> {
  const engines = new Engines({ store, clock, log, beginWork: watch?.beginWork ?? (() => noop) });
  engines.start(leaseEngine({ log }));
  engines.start(dateEngine({ clock, log, settings: settings.ops }));
  engines.start(eraseEngine({ log }));
  engines.start(textEngine({ log }));
  engines.start(cronEngine({ clock, ids, log }));
  if (settings.authentication?.mode === "identity") engines.start(tokenUseEngine(uses));
  if (settings.backups === undefined) return { engines, backups: undefined };
  const { backupEngine } = await import("../engines/backups.ts");
  const planned = await settings.backups();
  const backups = backupEngine({ instanceUid: store.instanceUid, clock, log, settings: planned });
  engines.start(backups);
  return { engines, backups };
}

const noop = (): void => undefined;
