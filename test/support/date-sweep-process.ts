import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { DateSweep } from "../../src/ops/inbox/date-sweep.ts";
import { openStore } from "../../src/store/open.ts";
import { type Death, mortalStore } from "./mortal-store.ts";

/**
 * Runs one pass over the planning dates of a database, in a process that is killed at a given moment: `node
 * date-sweep-process.ts <dsn> <schema or ""> <append | commit | none> <how many before that>`.
 */
const [, , dsn = "", schema = "", moment = "none", count = "0"] = process.argv;

const store = await openStore({
  dsn,
  ...(schema === "" ? {} : { schema }),
  clock: systemClock,
  ids: systemIds(),
  timezone: "UTC",
});

const death: Death | undefined =
  moment === "append" || moment === "commit" ? { moment, events: Number(count) } : undefined;
const mortal = mortalStore(store, death);

const settings = {
  timezone: "UTC",
  close_throttle: { enabled: false, window_ms: 60_000, limit: 3 },
};
const sweep = new DateSweep({ store: mortal, clock: systemClock, settings }, (_uid, error) => {
  throw error;
});
await sweep.pass(new AbortController().signal);
await store.close();
