import { closeSync, openSync } from "node:fs";
import { systemClock } from "../../../src/base/clock.ts";
import { runProgram } from "../../../src/connectors/process.ts";
import { Reaper } from "../../../src/connectors/reaper.ts";

// Stands for a daemon without free file descriptors: prints how a call of a program ends, and what was logged.
const files: number[] = [];
const logged: string[] = [];
const reaper = new Reaper({ warn: (event) => void logged.push(event) });
try {
  for (;;) files.push(openSync("/dev/null", "r"));
} catch {
  // No descriptor is free now.
}
const ran = await runProgram(
  { command: process.execPath, args: ["-e", ""], timeoutMs: 5000, env: {}, settings: {} },
  Buffer.from("{}"),
  {
    ...{ clock: systemClock, environment: {}, signal: new AbortController().signal },
    reaper,
  },
).catch(String);
for (const file of files) closeSync(file);
process.stdout.write(JSON.stringify({ ran, logged }));
