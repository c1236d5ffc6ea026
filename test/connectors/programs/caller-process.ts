import { systemClock } from "../../../src/base/clock.ts";
import { silentLog } from "../../../src/base/log.ts";
import { runProgram } from "../../../src/connectors/process.ts";
import { Reaper } from "../../../src/connectors/reaper.ts";

// Stands for a daemon: calls the program of its arguments, which it ends only after a minute.
const [command = "", ...args] = process.argv.slice(2);
await runProgram({ command, args, timeoutMs: 60_000, env: {}, settings: {} }, Buffer.from("{}"), {
  ...{ clock: systemClock, environment: {}, signal: new AbortController().signal },
  reaper: new Reaper(silentLog),
});
