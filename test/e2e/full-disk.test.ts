import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Box, box, ended } from "./box.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "run.js");

/**
 * Runs a command with the kernel's limit on the length of files, which acts like a full disk. A unit is 512 or 1,024
 * bytes.
 */
function limited(place: Box, units: number, ...words: string[]): ChildProcess {
  const start = ["-c", `ulimit -f ${units} && exec "$@"`, "sh", process.execPath, LAUNCHER];
  return spawn("sh", [...start, ...words], {
    cwd: place.work,
    env: place.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

test("a first start on a full disk says so and leaves no partial database", async () => {
  const place = box();
  const refused = await ended(limited(place, 100, "daemon", "start"));
  expect(refused.code).toBe(7);
  expect(refused.stderr).toMatch(/no database (could be|was) made at .*svc\.db/);
  expect(refused.stderr).toMatch(/space/);
  expect(readdirSync(place.home).filter((name) => /^svc\.db(?!\.daemon\.lock)/.test(name))).toEqual(
    [],
  );
  await place.json("init", "--project", "tools");
});

test("a daemon on a full disk refuses the write, keeps running and loses nothing", async () => {
  const place = box();
  await place.json("init", "--project", "tools");
  await place.svc("daemon", "stop");
  expect(await once(limited(place, 1600, "daemon", "start"), "exit")).toEqual([0, null]);
  const before = await place.json<{ daemons: readonly { pid: number }[] }>("daemon", "status");

  await place.json("create", "fits");
  const body = join(place.folder, "body");
  writeFileSync(body, "long ".repeat(180_000));
  const refused = await place.svc("create", "does not fit", "--body-file", body, "--json");
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(JSON.parse(refused.stderr).error).toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/nothing was written$/),
  });

  await place.json("create", "fits as well");
  const { issues } = await place.json<{ issues: readonly { title: string }[] }>("list");
  expect(issues.map(({ title }) => title).toSorted()).toEqual(["fits", "fits as well"]);
  expect(await place.json("daemon", "status")).toEqual(before);
  expect((await place.svc("doctor")).code).toBe(0);
}, 60_000);
