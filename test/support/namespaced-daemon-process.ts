import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load.ts";
import { settingsFrom, startDaemon } from "../../src/daemon/index.ts";

// Serves a socket and a loopback port in the folder of the argument, and prints both addresses, until standard input ends.
const [folder = ""] = process.argv.slice(2);
const home = join(folder, "home");
mkdirSync(home, { mode: 0o700 });
const listen = JSON.stringify([`unix://${join(home, "daemon.sock")}`, "127.0.0.1:0"]);
writeFileSync(join(home, "config.toml"), `listen = ${listen}\n`, { mode: 0o600 });
const config = await loadConfig({ env: { SVC_HOME: home, XDG_RUNTIME_DIR: home }, cwd: home });
const daemon = await startDaemon(settingsFrom(config, "1.2.3"));
console.log(JSON.stringify(daemon.endpoints.map(({ address }) => address)));
process.stdin.once("end", () => void daemon.stop()).resume();
