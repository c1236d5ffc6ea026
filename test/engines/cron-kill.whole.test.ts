import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { toSecond } from "../../src/domain/cron/progress.ts";
import { but, R } from "../domain/cron/bases.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore, type TestDatabase } from "../support/store.ts";
import { world } from "../support/world.ts";

const ROUNDS = 20;
const SWEEPS = 10;
const START = "2026-01-01T00:00:00.000Z";
const ROUND_MS = SWEEPS * 30_000;

const JOBS = [
  { seconds: 60, catchup: "all" },
  { seconds: 90, catchup: "all" },
  { seconds: 120, catchup: "latest" },
] as const;

describeStore("200 sweeps of processes that are killed", (open) => {
  test("leave one child, one request and one checkpoint for each occurrence", async () => {
    const database = await open.database();
    const w = await world({ store: database.open });
    const uids: string[] = [];
    for (const { seconds, catchup } of JOBS) {
      const parent = await w.given.issue();
      const definition = but(R, {
        issue: { ...R.issue, parent_uid: parent.uid },
        trigger: { kind: "interval", interval_seconds: seconds },
        catchup,
      });
      const body = { name: "check", definition: definition as never };
      const params = { project_id: parent.path.project_id };
      uids.push((await w.call(createCronJob, { params, body })).job.uid);
    }
    // Only one process can have a SQLite database open.
    if (open.dialect === "sqlite") await w.store.close();
    const death = fc.tuple(fc.constantFrom("append", "commit"), fc.integer({ min: 0, max: 24 }));
    const deaths = fc.sample(death, { numRuns: ROUNDS, seed: 7 });
    let killed = 0;
    for (const [round, [moment, events]] of deaths.entries()) {
      const from = msToInstant(instantToMs(START) + round * ROUND_MS);
      const end = await sweepIn(database, [from, String(SWEEPS), moment, String(events)]);
      killed += end === "SIGKILL" ? 1 : 0;
    }
    expect(killed).toBeGreaterThan(ROUNDS / 2);
    const last = instantToMs(START) + ROUNDS * ROUND_MS;
    expect(await sweepIn(database, [msToInstant(last), "2"])).toBe(0);

    const store = open.dialect === "sqlite" ? await database.open() : w.store;
    const log = await store.read(async (reader) => await reader.events.after(0, 100_000));
    for (const [at, { seconds, catchup }] of JOBS.entries()) {
      const job_uid = uids[at];
      const children = log.flatMap((event) => {
        if (event.type !== "issue.created") return [];
        const origin = event.payload.metadata["cron.occurrence"] as JsonObject | undefined;
        return origin?.["job_uid"] === job_uid ? [event.payload] : [];
      });
      const made = children.map(({ metadata }) =>
        String((metadata["cron.occurrence"] as JsonObject)["scheduled_at"]),
      );
      const due = Array.from(
        { length: Math.floor((last + 30_000 - instantToMs(START)) / (seconds * 1000)) },
        (_, count) => toSecond(instantToMs(START) + (count + 1) * seconds * 1000),
      );
      if (catchup === "all") expect(made).toEqual(due);
      else expect([made, made.at(-1)]).toEqual([[...new Set(made)].sort(), due.at(-1)]);
      const requests = children.map(
        ({ metadata }) => Object.keys(metadata).filter((key) => key.startsWith("notify.")).length,
      );
      expect(new Set(requests)).toEqual(new Set([1]));
      // Each child's event is followed at once by the event of the checkpoint that names the child.
      const progress = log.flatMap((event) => {
        if (event.type !== "issue.metadata_updated") return [];
        const to = event.payload.diff[`cron.progress.${job_uid}`]?.to as JsonObject | undefined;
        return to === undefined ? [] : [to];
      });
      const settled = progress.flatMap((to) => to["last_child_uid"] ?? []);
      expect(settled).toEqual(children.map(({ uid }) => uid));
      expect(progress.at(-1)).toMatchObject({ through: made.at(-1), last_occurrence: made.at(-1) });
    }
    await expectFolded(store);
  }, 240_000);
});

const PROCESS = join(import.meta.dirname, "..", "support", "cron-sweep-process.ts");

async function sweepIn({ target }: TestDatabase, words: readonly string[]) {
  const child = spawn(process.execPath, [PROCESS, target.dsn, target.schema ?? "", ...words], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0 && code !== null) throw new Error(said);
  return code ?? signal;
}
