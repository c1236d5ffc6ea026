import { systemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import type { AppHost } from "../../src/daemon/app.ts";
import { authenticator } from "../../src/daemon/authenticate.ts";

/** The host of an app without a daemon: it never stops, and has no idle shutdown. */
export const DETACHED_HOST: AppHost = {
  clock: systemClock,
  log: silentLog,
  refusals: silentLog,
  authenticate: authenticator({ mode: "open" }),
  stopping: () => false,
  beginForeground: () => () => undefined,
};
