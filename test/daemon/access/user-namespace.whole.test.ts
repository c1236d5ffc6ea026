import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, tempFolder } from "../../support/daemon.ts";
import { isRoot, STRANGER_UID } from "../../support/stranger.ts";

const NOBODY = 65_534;
/** The daemon's user is root in the namespace, which has no id for any other user. */
const AS_ROOT = ["-U", "-r"];
/** The daemon's user has the id that the kernel also shows for every user whom the namespace has no id for. */
const AS_NOBODY = ["-U", `--map-user=${NOBODY}`];

const canMake = (words: readonly string[]): boolean =>
  process.platform === "linux" && spawnSync("unshare", [...words, "true"]).status === 0;

/** A real daemon without a token in a user namespace of its own; the network is that of the test. */
async function daemonIn(words: readonly string[]) {
  const script = join(import.meta.dirname, "..", "..", "support", "namespaced-daemon-process.ts");
  const child = spawn("unshare", [...words, process.execPath, script, tempFolder()], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
  });
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  const [socket = "", port = ""] = JSON.parse(line) as string[];
  const read = async (network: "unix" | "tcp", address: string): Promise<number> =>
    (await call({ network, address }, "GET", "/projects")).status;
  return {
    bySocket: async () => await read("unix", socket),
    byPort: async () => await read("tcp", port),
    strangerByPort: async (): Promise<number> => {
      const script = `fetch("http://${port}/api/v1/projects").then(({ status }) => console.log(status));`;
      const run = { uid: STRANGER_UID, gid: STRANGER_UID, cwd: "/", env: {} };
      return Number((await promisify(execFile)(process.execPath, ["-e", script], run)).stdout);
    },
  };
}

describe.runIf(canMake(AS_ROOT))("a daemon in a user namespace", () => {
  test("answers its own user from outside the namespace on its port", async () => {
    const { byPort, bySocket } = await daemonIn(AS_ROOT);
    expect([await byPort(), await bySocket()]).toEqual([200, 200]);
  });

  test.runIf(isRoot)("refuses a user who has no id in the namespace", async () => {
    const { strangerByPort } = await daemonIn(AS_ROOT);
    expect(await strangerByPort()).toBe(401);
  });
});

describe.runIf(canMake(AS_NOBODY))("a daemon that runs as nobody in a user namespace", () => {
  test("refuses everybody on its port, since it cannot tell its own user from others, but answers on its socket", async () => {
    const { byPort, bySocket } = await daemonIn(AS_NOBODY);
    expect([await byPort(), await bySocket()]).toEqual([401, 200]);
  });

  test.runIf(isRoot)("refuses another user on its port too", async () => {
    const { strangerByPort } = await daemonIn(AS_NOBODY);
    expect(await strangerByPort()).toBe(401);
  });
});
