import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../support/daemon.ts";
import { MOMENTS, waitRounds } from "../support/wait-rounds.ts";
import { box, ended } from "./box.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "run.js");
/** Several for each moment; `npm run bench -- wait` runs 1,000. */
const ROUNDS = 4 * MOMENTS.length;

test("svc wait never misses that an issue is closed, whenever the daemon is restarted", async () => {
  const folder = tempFolder();
  const rounds = await waitRounds(folder);
  onTestFinished(async () => await rounds.stop());
  // Another process waits through all rounds for two issues, one of which is closed already.
  const [first, last] = [await rounds.create("the first"), await rounds.create("the last")];
  await rounds.close(first);
  const waiting = spawn(process.execPath, [LAUNCHER, "wait", first, last], {
    cwd: folder,
    env: rounds.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void waiting.kill("SIGKILL"));
  const through = ended(waiting);
  await Promise.race([once(waiting.stdout, "data"), through]);
  for (let number = 0; number < ROUNDS; number++) {
    const moment = MOMENTS[number % MOMENTS.length] ?? MOMENTS[0];
    expect(await rounds.run(moment), `round ${number}`).toMatchObject({ moment, missed: 0 });
  }
  await rounds.close(last);
  expect(await through).toEqual({
    code: 0,
    stdout: `${first}  closed  the first\n${last}  closed  the last\n`,
    stderr: "",
  });
}, 240_000);

test("svc wait starts the daemon that it needs, and an interrupt ends the wait", async () => {
  const b = box();
  await b.svc("init");
  const { stdout } = await b.svc("create", "one", "-q");
  const ref = stdout.trim();
  await b.svc("daemon", "stop");
  expect((await b.svc("wait", ref, "--until", "open", "-q")).stdout).toBe(`${ref}\n`);
  // The first issue exists before the second is waited for; its line shows that the wait has begun.
  const { stdout: other } = await b.svc("create", "another", "-q", "--force-new", "--owner", "bea");
  const waiting = b.start("wait", ref, other.trim(), "--until", "owner");
  const [line] = (await once(waiting.stdout?.setEncoding("utf8") ?? waiting, "data")) as [string];
  expect(line).toContain(other.trim());
  waiting.kill("SIGINT");
  expect((await once(waiting, "exit"))[1]).toBe("SIGINT");
});
