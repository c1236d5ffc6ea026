import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { DateSweep } from "../../src/ops/inbox/date-sweep.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/types.ts";

/**
 * One pass over the planning dates of a database, in a process that is killed at a moment of the test's choice:
 * `node date-sweep-process.ts <dsn> <schema or ""> <append | commit | none> <how many before that>`.
 */
const [, , dsn = "", schema = "", moment = "none", count = "0"] = process.argv;

const store = await openStore({
  dsn,
  ...(schema === "" ? {} : { schema }),
  clock: systemClock,
  ids: systemIds(),
  timezone: "UTC",
});

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
}

let appended = 0;
const write: Store["write"] = async (work) =>
  await store.write(
    async (tx) =>
      await work({
        ...tx,
        append: async (draft) => {
          const event = await tx.append(draft);
          appended += 1;
          if (moment === "append" && appended > Number(count)) die();
          return event;
        },
      }),
  );
store.onCommit(() => {
  if (moment === "commit" && appended > Number(count)) die();
});
const mortal = new Proxy(store, {
  get: (target, key) => {
    if (key === "write") return write;
    const value: unknown = Reflect.get(target, key, target);
    return typeof value === "function" ? value.bind(target) : value;
  },
});

const settings = {
  timezone: "UTC",
  close_throttle: { enabled: false, window_ms: 60_000, limit: 3 },
};
const sweep = new DateSweep({ store: mortal, clock: systemClock, settings }, (_uid, error) => {
  throw error;
});
await sweep.pass(new AbortController().signal);
await store.close();
