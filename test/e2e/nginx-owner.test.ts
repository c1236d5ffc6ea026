import { type ChildProcess, spawn } from "node:child_process";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { isRecordName, type RuntimeRecord } from "../../src/client/record.ts";
import { parseDsn } from "../../src/config/dsn.ts";
import { runtimeDir } from "../../src/config/paths.ts";
import { HAS_NGINX, nginxBefore } from "../support/nginx.ts";
import { browse } from "../support/page.ts";
import { blocksOf } from "../support/remote-page.ts";
import { isRoot, STRANGER_UID } from "../support/stranger.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "run.js");
const PAGE = blocksOf("Behind a reverse proxy").find(({ language }) => language === "nginx");
const OTHER_UID = STRANGER_UID + 1;

/** What the page said before it had forwarding headers, and what people have in their files. */
const OLD = (PAGE?.text ?? "").replaceAll(/ *proxy_set_header X-Forwarded.*\n/g, "");

/** Starts a daemon with a token as a user, and returns its address. */
async function daemonOf(uid: number, listen: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "svc-owner-"));
  const home = join(folder, "home");
  const run = join(folder, "run");
  for (const path of [home, run]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(
    join(home, "config.toml"),
    `${listen}[auth]\ntoken = "svc_a-token-of-the-owner"\n`,
    {
      mode: 0o600,
    },
  );
  for (const path of [folder, home, run, join(home, "config.toml")]) chownSync(path, uid, uid);
  const env = { HOME: folder, SVC_HOME: home, XDG_RUNTIME_DIR: run, TMPDIR: run };
  const words = [LAUNCHER, "daemon", "start", "--foreground"];
  const options = { uid, gid: uid, cwd: folder, env, stdio: "ignore" } as const;
  const child: ChildProcess = spawn(process.execPath, words, options);
  const closed = new Promise((resolve) => void child.once("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await closed;
    rmSync(folder, { recursive: true, force: true });
  });
  const runtime = runtimeDir(home, parseDsn(join(home, "svc.db"), folder));
  for (;;) {
    const origin = originIn(runtime);
    if (origin !== undefined) return new URL(origin).host;
    if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}`);
    await systemClock.sleep(20);
  }
}

/** `readRecords` would not read the folder, which belongs to another user than that of the test. */
function originIn(runtime: string): string | undefined {
  try {
    const name = readdirSync(runtime).find((one) => isRecordName(one));
    if (name === undefined) return undefined;
    const record: RuntimeRecord = JSON.parse(readFileSync(join(runtime, name), "utf8"));
    return record.metadata?.web_origin;
  } catch {
    return undefined;
  }
}

describe.each([
  ["the port for pages", ""],
  ["a port for programs", 'listen = "127.0.0.1:0"\n'],
])("nginx in front of %s of a daemon with a token", (_what, listen) => {
  test.runIf(isRoot && HAS_NGINX).each([
    ["as the daemon's user", STRANGER_UID, STRANGER_UID],
    ["as root", STRANGER_UID, 0],
    ["as root, before a daemon of root", 0, 0],
    ["as another user", STRANGER_UID, OTHER_UID],
  ])("opens no page without the token if nginx runs %s", async (_who, daemon, nginx) => {
    const address = await daemonOf(daemon, listen);
    for (const server of [OLD, PAGE?.text ?? ""]) {
      const proxy = await nginxBefore(address, server, nginx);
      // The origin of the page counts, whatever a stranger writes.
      for (const sent of [{ origin: `http://${address}` }, { origin: undefined }]) {
        const answer = await browse(proxy, "POST", "/ui/session/local", sent, {});
        expect([answer.status, answer.headers["set-cookie"]]).toEqual([404, undefined]);
        const code = await browse(proxy, "POST", "/ui/session/code", sent, {});
        expect(code.status).toBeGreaterThanOrEqual(403);
      }
    }
  });
});
