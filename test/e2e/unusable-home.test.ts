import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isRoot } from "../support/stranger.ts";
import { type Box, box, type Ended, ended } from "./box.ts";

interface Diagnosis {
  readonly checks: readonly { readonly id: string; readonly status: string }[];
}

/** Root can write even where the mode forbids it, so root gives up that right first. */
function start(home: Box, words: readonly string[], cwd = home.work): ChildProcess {
  const command = [process.execPath, home.launcher, ...words];
  const bounded = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", ...command];
  const [program = "", ...args] = isRoot && process.platform === "linux" ? bounded : command;
  return spawn(program, args, { cwd, env: home.env, stdio: ["ignore", "pipe", "pipe"] });
}

const run = async (home: Box, ...words: string[]): Promise<Ended> =>
  await ended(start(home, words));

/** Runs a command whose folder is deleted before the command looks at it. */
async function runInDeletedFolder(home: Box, ...words: string[]): Promise<Ended> {
  const gone = join(home.work, "gone");
  mkdirSync(gone);
  const script = 'rmdir "$0"; exec "$@"';
  const args = ["-c", script, gone, process.execPath, home.launcher, ...words];
  return await ended(
    spawn("sh", args, { cwd: gone, env: home.env, stdio: ["ignore", "pipe", "pipe"] }),
  );
}

function failedIn({ code, stdout }: Ended): readonly string[] {
  expect(code).toBe(1);
  const { checks } = JSON.parse(stdout) as Diagnosis;
  return checks.filter(({ status }) => status === "failed").map(({ id }) => id);
}

describe("a home that became read-only", () => {
  const prepare = async (): Promise<Box> => {
    const home = box();
    await home.svc("init", "--project", "tools");
    await home.svc("create", "one");
    await home.svc("daemon", "stop");
    for (const folder of folders(home)) chmodSync(folder, 0o500);
    return home;
  };
  const folders = ({ home }: Box): string[] => {
    const runtime = join(home, "runtime");
    return [...readdirSync(runtime).map((name) => join(runtime, name)), runtime, home];
  };

  test("is an error with a remedy for each command, and doctor reports it", async () => {
    const home = await prepare();
    for (const words of [
      ["list"],
      ["list", "--json"],
      ["create", "two"],
      ["daemon", "start"],
      ["daemon", "start", "--foreground"],
      ["backup"],
    ]) {
      const { code, stdout, stderr } = await run(home, ...words);
      expect([words, code, stdout]).toEqual([words, words[0] === "backup" ? 3 : 7, ""]);
      expect(stderr).toMatch(/cannot be (?:written to|made|opened)/);
      expect(stderr).toContain("hint");
      expect(stderr).not.toContain("permission denied");
    }
    expect(failedIn(await run(home, "doctor", "--json"))).toContain("config.home");
    for (const folder of folders(home).reverse()) chmodSync(folder, 0o700);
    expect((await run(home, "list")).stdout).toContain("one");
  });
});

test("a current folder that was deleted is an error with a remedy", async () => {
  const home = box();
  for (const words of [["list"], ["list", "--json"], ["whoami"], ["daemon", "start"]]) {
    const { code, stdout, stderr } = await runInDeletedFolder(home, ...words);
    expect([words, code, stdout]).toEqual([words, 3, ""]);
    expect(stderr).toContain("the current folder was deleted");
    expect(stderr).toContain("cd ~");
    if (words.includes("--json")) expect(JSON.parse(stderr)).toHaveProperty("error.hint");
  }
  expect(failedIn(await runInDeletedFolder(home, "doctor", "--json"))).toEqual(["config.daemon"]);
  for (const words of [["version"], ["--help"], ["list", "--help"]]) {
    expect(await runInDeletedFolder(home, ...words)).toMatchObject({ code: 0 });
  }
});

test.runIf(process.platform === "linux")(
  "a home below /proc, where no folder can be created, is an error with a remedy at once",
  async () => {
    const home = box({ SVC_HOME: "/proc/svc", HOME: "/proc" });
    for (const words of [["list"], ["list", "--json"], ["daemon", "start", "--foreground"]]) {
      const { code, stdout, stderr } = await home.svc(...words);
      expect([words, code, stdout]).toEqual([words, 7, ""]);
      expect(stderr).toContain("/proc/svc");
      expect(stderr).toContain("set SVC_HOME");
    }
    expect(failedIn(await home.svc("doctor", "--json"))).toContain("config.home");
  },
  20_000,
);
