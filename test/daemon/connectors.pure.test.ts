import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { LazyConnectors } from "../../src/daemon/connectors.ts";

test("a daemon that stops gives no connectors to requests that come after, whether it had loaded them or not", async () => {
  for (const isLoaded of [false, true]) {
    const connectors = new LazyConnectors({ entries: [], environment: {} }, silentLog);
    if (isLoaded) expect((await connectors.get()).instances()).toEqual([]);
    await connectors.stop();
    await expect(connectors.get()).rejects.toMatchObject({ code: "daemon_stopping" });
  }
});
