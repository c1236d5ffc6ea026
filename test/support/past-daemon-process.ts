import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseHostPort } from "../../src/config/addresses.ts";
import { loadConfig } from "../../src/config/load.ts";
import { startDaemon } from "../../src/daemon/index.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { FakeClock } from "./clock.ts";

/**
 * A daemon whose clock stands at an instant, on the home that the environment names: `node past-daemon-process.ts
 * <host:port> <instant>`. It prints `ready`, and ends after SIGTERM.
 */
const [, , address = "", instant = ""] = process.argv;

const ended = once(process, "SIGTERM");
const manifest = join(import.meta.dirname, "..", "..", "package.json");
const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
const config = await loadConfig({ env: process.env, cwd: process.cwd() });
const daemon = await startDaemon({
  ...settingsFrom(config, version),
  listen: [parseHostPort(address) ?? { host: "127.0.0.1", port: 0 }],
  clock: new FakeClock(instant),
});
process.stdout.write("ready\n");
await ended;
await daemon.stop();
