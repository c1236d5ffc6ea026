import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { box } from "./box.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "run.js");

test("a daemon whose disk takes no more refuses the write, stays up and loses nothing", async () => {
  const place = box();
  await place.json("init", "--project", "tools");
  await place.svc("daemon", "stop");
  // A limit of the kernel on the length of files: a full disk that needs no disk (units of 512 or 1,024 bytes).
  const start = ["-c", 'ulimit -f 1600 && exec "$@"', "sh", process.execPath, LAUNCHER];
  const started = spawn("sh", [...start, "daemon", "start"], {
    cwd: place.work,
    env: {
      PATH: process.env["PATH"],
      HOME: place.folder,
      SVC_HOME: place.home,
      XDG_RUNTIME_DIR: join(place.folder, "run"),
      TMPDIR: join(place.folder, "tmp"),
    },
    stdio: "ignore",
  });
  expect(await once(started, "exit")).toEqual([0, null]);
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
