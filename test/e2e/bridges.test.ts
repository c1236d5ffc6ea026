import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { marks, runningOf, startedOf, untilGone } from "../connectors/programs/marks.ts";
import { type Box, box } from "./box.ts";

const PROGRAM = join(import.meta.dirname, "..", "connectors", "programs", "hanging-files.mjs");

/** The longest time until the next scan and its run. */
const SCAN_MS = 45_000;

interface Bound {
  readonly b: Box;
  readonly ref: string;
  readonly file: string;
  /** While this file exists, the connector hangs. */
  readonly flag: string;
  edit(from: string, to: string): void;
  title(): Promise<string>;
  comments(): Promise<readonly string[]>;
}

/** An issue that is bound to a Markdown file, through commands. */
async function bound(): Promise<Bound> {
  const b = box();
  const flag = marks();
  const folder = join(b.folder, "notes");
  for (const path of [b.home, folder]) mkdirSync(path, { mode: 0o700 });
  const config = `[[connector]]
id = "files"
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([PROGRAM, flag])}
settings = { folder = ${JSON.stringify(folder)} }
`;
  writeFileSync(join(b.home, "config.toml"), config, { mode: 0o600 });
  const file = join(folder, "plan.md");
  writeFileSync(file, "# The plan\n\nAll of it.\n");
  await b.svc("init", "--project", "web");
  const { issue } = await b.json<{ issue: { short_id: string } }>("create", "before");
  const ref = issue.short_id;
  await b.json("bridge", "bind", ref, "--connector", "files", "--external", "plan.md");
  const shown = async () =>
    await b.json<{ issue: { title: string }; comments: readonly { body: string }[] }>("show", ref);
  return {
    ...{ b, ref, file, flag },
    edit: (from, to) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to)),
    title: async () => (await shown()).issue.title,
    comments: async () => (await shown()).comments.map(({ body }) => body),
  };
}

/** What a run that was stopped leaves: no claim and no failure. */
const UNTOUCHED = { claim_token: null, consecutive_failures: 0, last_error: null, enabled: 1 };

function rowOf({ home }: Box) {
  const db = new Database(join(home, "svc.db"));
  onTestFinished(() => void db.close());
  return db.prepare(
    "select claim_token, consecutive_failures, last_error, enabled from external_root_binding",
  );
}

describe("a daemon with a bridge", () => {
  test("brings the edit of a file to its issue, and completes the file when the issue is closed", async () => {
    const { b, ref, file, edit, title } = await bound();
    expect(await title()).toBe("The plan");
    edit("# The plan", "# A better plan");
    await vi.waitFor(async () => expect(await title()).toBe("A better plan"), SCAN_MS);
    const begun = systemClock.nowMs();
    const message = "All of the plan is done and was tried out by hand.";
    await b.json("close", ref, "--done", "--test", "by hand", "-m", message);
    await vi.waitFor(() => expect(readFileSync(file, "utf8")).toContain("state: done"), 10_000);
    // By itself, and not by the next scan.
    expect(systemClock.nowMs() - begun).toBeLessThan(10_000);
    const health = await b.json<{ bridges: object }>("health");
    expect(health.bridges).toMatchObject({ enabled: 1, failing: 0 });
  }, 120_000);

  test("ends a run when it stops, without a failure", async () => {
    const { b, flag, edit, title } = await bound();
    edit("# The plan", "# Another plan");
    await b.json("daemon", "stop");
    writeFileSync(flag, "");
    await b.json("daemon", "start");
    await vi.waitFor(() => expect(startedOf(flag)).toBe(1), SCAN_MS);
    await b.json("daemon", "stop");
    expect(await untilGone(flag)).toEqual([]);
    expect(rowOf(b).get()).toEqual(UNTOUCHED);
    rmSync(flag);
    await b.json("daemon", "start");
    await vi.waitFor(async () => expect(await title()).toBe("Another plan"), SCAN_MS);
  }, 120_000);

  test("ends a run that somebody asked for when it stops, without a failure", async () => {
    const { b, ref, flag } = await bound();
    writeFileSync(flag, "");
    const client = b.start("bridge", "reconcile", ref);
    await vi.waitFor(() => expect(startedOf(flag)).toBe(1), SCAN_MS);
    // Otherwise it would start the next daemon and ask that. The run goes on without it.
    client.kill("SIGKILL");
    await b.json("daemon", "stop");
    expect(await untilGone(flag)).toEqual([]);
    expect(rowOf(b).get()).toEqual(UNTOUCHED);
  }, 120_000);

  test("that is killed during a run leaves no program, and the next daemon repeats the run when the claim is old", async () => {
    const { b, flag, edit, title, comments } = await bound();
    await b.json("daemon", "stop");
    edit("All of it.", "All of it.\n\n<!-- comments -->\n\n<!-- comment by=bea -->\nFrom there.\n");
    edit("# The plan", "# A third plan");
    writeFileSync(flag, "");
    const { pid } = await b.json<{ pid: number }>("daemon", "start");
    await vi.waitFor(() => expect(startedOf(flag)).toBe(1), SCAN_MS);
    process.kill(pid, "SIGKILL");
    expect(await untilGone(flag)).toEqual([]);
    rmSync(flag);
    const db = new Database(join(b.home, "svc.db"));
    onTestFinished(() => void db.close());
    const claim = db.prepare("select claim_started_at from external_root_binding").pluck();
    expect(claim.get()).not.toBeNull();
    await b.json("daemon", "start");
    // The first scan of the new daemon begins no run, since the claim is fresh.
    await systemClock.sleep(4000);
    expect(await title()).toBe("The plan");
    db.exec("update external_root_binding set claim_started_at = '2025-01-01T00:00:00.000Z'");
    await vi.waitFor(async () => expect(await title()).toBe("A third plan"), SCAN_MS);
    await vi.waitFor(async () => expect(await comments()).toEqual(["From there."]));
    expect(runningOf(flag)).toEqual([]);
  }, 180_000);
});
