/**
 * Lets two versions of svc be hub and copy, each in both roles. The older version is built from a commit of this
 * repository. Both daemons of a pair write, and the hub makes a recurring job that an older copy may not support. In
 * the end both must show the same issues, without a fault in the status or in doctor.
 *
 *   npm run bench -- federation-versions [commit...]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { freePort } from "../test/support/free-port.ts";
import { built } from "./support/built.ts";
import { type BenchDaemon, startBenchDaemon } from "./support/daemon.ts";

/**
 * Three commits: the first whose copies can read their hub, the first whose copies can claim issues, and the first
 * whose copies can compare themselves with their hub.
 */
const COMMITS = ["95940b0c", "f02e6c31", "6cc135ad"];
const ROOT = path.resolve(import.meta.dirname, "..");
const NEW = path.join(ROOT, "bin/svc");
const SOON_MS = 60_000;

const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-versions-"));
/** A machine with a daemon of one version. */
class Machine {
  readonly #svc: string;
  readonly #daemon: BenchDaemon;

  private constructor(svc: string, daemon: BenchDaemon) {
    this.#svc = svc;
    this.#daemon = daemon;
  }

  static async start(svc: string, env: Record<string, string>, config = ""): Promise<Machine> {
    const home = mkdtempSync(path.join(folder, "home"));
    writeFileSync(path.join(home, "config.toml"), config, { mode: 0o600 });
    return new Machine(svc, await startBenchDaemon({ svc, home, env }));
  }

  /** Runs a command; it must succeed. */
  json<T>(...words: readonly string[]): T {
    const options = { env: this.#daemon.env, cwd: this.#daemon.home, stdio: "pipe" } as const;
    return JSON.parse(execFileSync(this.#svc, [...words, "--json"], options).toString()) as T;
  }

  /** The faults that doctor finds. */
  faults(): readonly string[] {
    try {
      this.json("doctor");
      return [];
    } catch (error) {
      const { stdout } = error as { readonly stdout?: Buffer };
      const { checks } = JSON.parse(String(stdout)) as { checks: { id: string; status: string }[] };
      return checks.filter(({ status }) => status === "error").map(({ id }) => id);
    }
  }

  issues(): readonly string[] {
    const { issues } = this.json<{ issues: { title: string; status: string; owner?: string }[] }>(
      ...["list", "--project", "web", "--status", "all"],
    );
    return issues.map(({ title, status, owner }) => `${title}, ${status}, ${owner}`).toSorted();
  }

  async stop(): Promise<void> {
    await this.#daemon.stop();
  }
}

/** Lets a hub and a copy of these versions work together. Returns what worked. Throws if they differ in the end. */
async function meet(hubSvc: string, spokeSvc: string): Promise<string> {
  const url = `127.0.0.1:${await freePort()}`;
  const socket = path.join(mkdtempSync(path.join(folder, "run")), "hub.sock");
  const hub = await Machine.start(hubSvc, {}, `listen = ["unix://${socket}", "${url}"]\n`);
  const spoke = await Machine.start(spokeSvc, { SVC_FEDERATION_PULL_INTERVAL_MS: "300" });
  try {
    hub.json("projects", "create", "web");
    const made = hub.json<{ issue: { short_id: string } }>("create", "first", "--project", "web");
    const ref = `web#${made.issue.short_id}`;
    const pushes = join(hub, spoke, `http://${url}`);
    await untilEqual(hub, spoke);
    hub.json("edit", ref, "--title", "edited on the hub");
    hub.json("comment", ref, "-m", "from the hub");
    hub.json("cron", "job", "create", "--file", jobFile(), "--parent", ref);
    await untilEqual(hub, spoke);
    if (pushes) {
      spoke.json("edit", ref, "--priority", "1");
      spoke.json("create", "made on the spoke", "--project", "web");
      await untilEqual(hub, spoke);
    }
    const { statuses } = spoke.json<{ statuses: { last_error?: string }[] }>(
      "federation",
      "status",
    );
    const error = statuses[0]?.last_error;
    const faults = [...hub.faults(), ...spoke.faults()];
    if (error !== undefined || faults.length > 0)
      throw new Error(`status ${error}, doctor: ${faults.join(", ")}`);
    return `${pushes ? "reads and sends" : "reads"}; equal`;
  } finally {
    await spoke.stop();
    await hub.stop();
  }
}

function jobFile(): string {
  const definition = {
    ...{ version: 1, kind: "job", enabled: true, overlap: "allow", catchup: "latest" },
    trigger: { kind: "cron", cron: "0 9 * * 1-5", timezone: "Europe/Berlin" },
    action: { kind: "notify", recipient: "current-owner-or-author" },
    issue: { kind: "per-run", title: "due" },
  };
  const file = path.join(folder, "job.json");
  writeFileSync(file, JSON.stringify({ name: "nightly", definition }));
  return file;
}

/** Joins the copy, with push if both versions support it. Returns whether the copy sends its changes. */
function join(hub: Machine, spoke: Machine, url: string): boolean {
  const { instance_uid } = spoke.json<{ instance_uid: string }>("federation", "identity");
  for (const pushes of [true, false]) {
    try {
      const { token, project_id } = hub.json<{ token: string; project_id: number }>(
        ...["federation", "enroll", "web", "--spoke-instance", instance_uid, "--actor", "sam"],
        ...["--capabilities", pushes ? "pull,push" : "pull"],
      );
      const file = path.join(folder, "token");
      writeFileSync(file, token, { mode: 0o600 });
      spoke.json(
        ...["federation", "join", "--hub-url", url, "--hub-project-id", String(project_id)],
        ...["--token-file", file, ...(pushes ? ["--push"] : [])],
      );
      return pushes;
    } catch (error) {
      if (!pushes) throw error;
    }
  }
  return false;
}

async function untilEqual(hub: Machine, spoke: Machine): Promise<void> {
  const end = performance.now() + SOON_MS;
  for (;;) {
    const [there, here] = [hub.issues(), spoke.issues()];
    if (isDeepStrictEqual(there, here)) return;
    if (performance.now() > end) {
      const status = JSON.stringify(spoke.json("federation", "status"));
      throw new Error(`hub: ${there.join("; ")}, spoke: ${here.join("; ")}, ${status}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const [, , ...given] = process.argv;
let failed = 0;
try {
  for (const commit of given.length === 0 ? COMMITS : given) {
    const old = path.join(built(commit, folder), "bin/svc");
    for (const [hub, spoke] of [[old, NEW] as const, [NEW, old] as const]) {
      const what = hub === old ? `hub ${commit}, spoke of today` : `hub of today, spoke ${commit}`;
      try {
        console.log(`${what}: ${await meet(hub, spoke)}`);
      } catch (error) {
        failed += 1;
        console.log(`${what}: ${String(error)}`);
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
