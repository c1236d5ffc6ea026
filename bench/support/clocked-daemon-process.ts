/**
 * A daemon whose clock the parent process moves: `node clocked-daemon-process.ts <socket> <host:port>`. The environment
 * names its home. The process sends `ready` when the daemon has started. For each number of milliseconds that the
 * parent sends, it moves the clock ahead and answers `moved`. It ends after SIGTERM.
 */
import { once } from "node:events";
import { parseHostPort } from "../../src/config/addresses.ts";
import { loadConfig } from "../../src/config/load.ts";
import { startDaemon } from "../../src/daemon/index.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { ShiftedClock } from "./shifted-clock.ts";

const [, , socketPath = "", address = ""] = process.argv;
const ended = once(process, "SIGTERM");
const clock = new ShiftedClock();
const config = await loadConfig({ env: process.env, cwd: process.cwd() });
const daemon = await startDaemon({
  ...settingsFrom(config, "0.0.0"),
  ...{ socketPath, clock },
  listen: [parseHostPort(address) ?? { host: "127.0.0.1", port: 0 }],
});
process.on("message", (ms: number) => {
  clock.advance(ms);
  process.send?.("moved");
});
process.send?.("ready");
await ended;
await daemon.stop();
process.disconnect();
