import { systemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { authenticator } from "../../src/daemon/access/authenticate.ts";
import type { AppHost } from "../../src/daemon/app.ts";

const openToAll = authenticator({ mode: "open" });

/** The host of an app without a daemon: it never stops, and has no idle shutdown. */
export const DETACHED_HOST: AppHost = {
  clock: systemClock,
  log: silentLog,
  refusals: silentLog,
  /** Whoever calls counts as the proven owner, like a request over the own socket of a daemon. */
  authenticate: async (...request) => ({ ...(await openToAll(...request)), local: true }),
  stopping: () => false,
  beginForeground: () => () => undefined,
};
