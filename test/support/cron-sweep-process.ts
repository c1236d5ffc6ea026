import { systemIds } from "../../src/base/ids.ts";
import { silentLog } from "../../src/base/log.ts";
import { sweepJobs } from "../../src/engines/cron-sweep.ts";
import { openStore } from "../../src/store/open.ts";
import { FakeClock } from "./clock.ts";
import { type Death, mortalStore } from "./mortal-store.ts";

/**
 * Sweeps a database at intervals of half a minute, in a process that may kill itself: `node cron-sweep-process.ts <dsn>
 * <schema or ""> <first instant> <sweeps> [<append | commit> <events before that>]`.
 */
const [, , dsn = "", schema = "", start = "", sweeps = "0", moment, events = "0"] = process.argv;

const clock = new FakeClock(start);
const ids = systemIds();
const store = await openStore({
  dsn,
  ...(schema === "" ? {} : { schema }),
  clock,
  ids,
  timezone: "UTC",
});
const death: Death | undefined =
  moment === "append" || moment === "commit" ? { moment, events: Number(events) } : undefined;
const mortal = mortalStore(store, death);
for (let at = 0; at < Number(sweeps); at++) {
  await sweepJobs({ store: mortal, clock, ids, log: silentLog });
  clock.advance(30_000);
}
await store.close();
