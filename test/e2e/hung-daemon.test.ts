import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { msToInstant, systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { openStore } from "../../src/store/open.ts";
import { R } from "../domain/cron/bases.ts";
import { projectCreated, uid } from "../store/drafts.ts";
import { type DaemonProcess, daemonProcess } from "../support/daemon-process.ts";
import { postgresDsn, query } from "../support/postgres.ts";

const HANGING_WRITER = join(import.meta.dirname, "..", "support", "hung-writer-process.ts");
/**
 * The term of the hung daemon (10 s), the next attempt of the other daemon (3 s), and the work itself on a busy
 * machine.
 */
const TAKEN_OVER_MS = 25_000;

async function daemon(dsn: string): Promise<DaemonProcess> {
  const folder = mkdtempSync(join(tmpdir(), "svc-hung-"));
  const started = await daemonProcess({
    folder,
    env: { SVC_DSN: dsn },
    args: ["--listen", "127.0.0.1:0"],
  });
  onTestFinished(async () => {
    process.kill(started.pid, "SIGCONT");
    await started.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return started;
}

async function ask(
  { endpoint }: DaemonProcess,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`http://${endpoint.address}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

interface Engine {
  readonly name: string;
  readonly here: boolean;
  readonly term: number;
  readonly taken_from?: string;
}

async function enginesOf(of: DaemonProcess): Promise<readonly Engine[]> {
  return ((await ask(of, "GET", "/health"))["engines"] ?? []) as readonly Engine[];
}

function logOf({ runtimeDir }: DaemonProcess): readonly Record<string, unknown>[] {
  const text = readFileSync(join(runtimeDir, "daemon.log"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("a suspended daemon on a shared database", () => {
  test("loses its background engines to another daemon, and makes nothing twice when it resumes", async () => {
    const dsn = await postgresDsn();
    const first = await daemon(dsn);
    const cronOf = async (of: DaemonProcess) =>
      (await enginesOf(of)).find(({ name }) => name === "cron");
    await expect.poll(async () => (await cronOf(first))?.here, { timeout: 10_000 }).toBe(true);
    const second = await daemon(dsn);
    const { project } = await ask(second, "POST", "/projects", { name: "web", actor: "ann" });
    const { id } = project as { id: number };
    const { issue } = await ask(second, "POST", `/projects/${id}/issues`, {
      title: "Parent",
      owner: "ann",
      actor: "ann",
    });
    const { uid: parent_uid } = issue as { uid: string };
    for (let at = 0; at < 12; at++)
      await ask(second, "POST", `/projects/${id}/cron/jobs`, {
        name: `job ${at}`,
        definition: {
          ...R,
          trigger: { kind: "interval", interval_seconds: 60 },
          issue: { ...R.issue, parent_uid, title: `Job ${at}` },
          catchup: "all",
        },
        actor: "ann",
      });
    const children = async () => {
      const rows = await query(
        dsn,
        "select payload from svc.event where type = 'issue.created' and actor <> 'ann' order by id",
      );
      return rows.map(({ payload }) => {
        const { occurrence_key, title } = JSON.parse(String(payload)) as Record<string, string>;
        return `${title} ${occurrence_key ?? String(payload)}`;
      });
    };
    const stopped = systemClock.nowMs();
    process.kill(first.pid, "SIGSTOP");
    await ask(second, "POST", `/projects/${id}/issues`, {
      title: "Due",
      metadata: { deadline_on: msToInstant(systemClock.nowMs() + 1000) },
      actor: "ann",
    });
    const asked = async () => {
      const inbox = await ask(second, "GET", `/projects/${id}/inbox?for=ann`);
      return (inbox["requests"] as readonly unknown[]).length;
    };
    await expect.poll(asked, { timeout: TAKEN_OVER_MS, interval: 200 }).toBe(1);
    expect(systemClock.nowMs() - stopped).toBeLessThan(TAKEN_OVER_MS);
    const due = { timeout: 120_000, interval: 500 };
    await expect.poll(async () => (await children()).length, due).toBeGreaterThanOrEqual(12);
    expect(await cronOf(second)).toMatchObject({
      here: true,
      term: 2,
      taken_from: expect.stringContaining(`/${first.pid}/`),
    });
    expect(logOf(second)).toContainEqual(
      expect.objectContaining({ event: "election.taken_over", engine: "cron" }),
    );
    process.kill(first.pid, "SIGCONT");
    await expect
      .poll(() => logOf(first).some(({ event }) => event === "election.lost"), { timeout: 60_000 })
      .toBe(true);
    expect(await cronOf(first)).toMatchObject({ here: false, term: 2 });
    const delivered = await children();
    expect(new Set(delivered).size).toBe(delivered.length);
  }, 240_000);
});

describe("a process suspended inside a write", () => {
  test("loses the write lock after ten seconds, and gets a new database session when it resumes", async () => {
    const dsn = await postgresDsn();
    const store = await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
    onTestFinished(async () => await store.close());
    const child = spawn(process.execPath, [HANGING_WRITER, dsn], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    // Opening the store also begins a transaction, so the child itself reports when it is inside its write.
    await expect.poll(() => said, { timeout: 20_000 }).toBe("stopping\n");
    const began = systemClock.nowMs();
    const writing = async (): Promise<string> => {
      try {
        await store.write(async (tx) => await tx.append(projectCreated(uid(3), "other")));
        return "written";
      } catch (error) {
        return error instanceof SvcError ? error.code : String(error);
      }
    };
    await expect.poll(writing, { timeout: 20_000, interval: 50 }).toBe("written");
    expect(systemClock.nowMs() - began).toBeLessThan(15_000);
    child.kill("SIGCONT");
    await once(child, "close");
    expect(said).toBe("stopping\nunavailable\ngoing on\n");
    const projects = await store.read(async (reader) => await reader.projects.list(true));
    expect(projects.map(({ name }) => name).toSorted()).toEqual(["later", "other"]);
  }, 60_000);
});
