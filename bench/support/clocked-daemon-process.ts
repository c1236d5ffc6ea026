/**
 * A daemon on the home that the environment names, whose clock the parent moves: it sends a number of milliseconds, and gets
 * `moved`. At the start it gets `ready`. Ends after SIGTERM: `node clocked-daemon-process.ts <socket> <host:port>`.
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
