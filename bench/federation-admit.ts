/**
 * Measures how events of another daemon are added, in this process:
 * - a log of many events, in pages of 1,000, into an empty database; a restore of the same log is measured for
 *   comparison
 * - pages of 1,000 events about 200 issues, new events and late ones, into a database of 20,000 issues
 * - 1,000 late events of an issue with 10,000 events
 * Counts the statements of each page. With SVC_BENCH_POSTGRES (the address of an empty database) it measures the pages
 * on PostgreSQL too.
 *
 *   npm run bench -- federation-admit [events]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { exportDatabase } from "../src/archive/export.ts";
import { restoreFile } from "../src/archive/restore.ts";
import { msToInstant, systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { canonicalJson, type JsonObject } from "../src/base/json.ts";
import type { EventDraft, StoredEvent } from "../src/contract/events.ts";
import type { AdminStore } from "../src/store/admin-store.ts";
import { contentHash } from "../src/store/log/content-hash.ts";
import { openSnapshot, openStore } from "../src/store/open.ts";
import { PostgresConnection } from "../src/store/postgres/connection.ts";
import { SqliteConnection } from "../src/store/sqlite/connection.ts";
import type { ForeignEvent } from "../src/store/types/store.ts";
import { seedLog } from "./support/seed-log.ts";

const EVENTS = Number(process.argv[2] ?? 100_000);
const POSTGRES = process.env["SVC_BENCH_POSTGRES"];
const PAGE = 1000;
const ORIGIN = "01J0000000000000000000HXB1";
const PROJECT = "01J0000000000000000000PRJ1";

const ids = systemIds();
const deps = { clock: systemClock, ids, timezone: "UTC" };
const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-admit-"));
const fileOf = (name: string): string => path.join(folder, `${name}.db`);
let statements = 0;
for (const { prototype } of [SqliteConnection, PostgresConnection]) {
  const { execute } = prototype;
  prototype.execute = async function counted(this: SqliteConnection & PostgresConnection, ...run) {
    statements += 1;
    return await execute.apply(this, run);
  } as typeof execute;
}

console.log(`load ${loadavg()[0]?.toFixed(1)}`);
await measureLog();
await measurePages("SQLite", { dsn: fileOf("pages") });
if (POSTGRES !== undefined) await measurePages("PostgreSQL", { dsn: POSTGRES });
rmSync(folder, { recursive: true });

async function measureLog(): Promise<void> {
  await seedLog(fileOf("seeded"), EVENTS);
  const exported = path.join(folder, "export.jsonl");
  const source = { dialect: "sqlite" as const, dsn: fileOf("seeded") };
  const options = { includeDeleted: true, allowDaemon: true, stdout: process.stdout };
  await exportDatabase(source, exported, options);
  const target = { dialect: "sqlite" as const, dsn: fileOf("restored") };
  const input = { file: exported, target, force: false, newInstance: false, merge: false };
  const restored = await measured(
    async () => await restoreFile(deps, { ...input, actor: "bench" }),
  );
  const events = await eventsOf(source.dsn);
  const store = await openStore({ ...deps, dsn: fileOf("admitted") });
  // All events that are added below are older than this one, as in a copy that reads its hub for the first time.
  await store.write(async (tx) => {
    await tx.append(projectCreated("own", ids.ulid()));
  });
  let longest = 0;
  const admitted = await measured(async () => {
    for (let at = 0; at < events.length; at += PAGE) {
      const page = events.slice(at, at + PAGE);
      const { seconds } = await measured(
        async () => await store.write(async (tx) => await tx.admit(page, { fromHub: true })),
      );
      longest = Math.max(longest, seconds);
    }
  });
  await store.close();
  const rate = (seconds: number) => Math.round(events.length / seconds);
  console.log(`\n${events.length} events of a log`);
  console.log(`  restored in ${restored.seconds.toFixed(1)} s: ${rate(restored.seconds)} a second`);
  console.log(
    `  admitted in ${admitted.seconds.toFixed(1)} s: ${rate(admitted.seconds)} a second, ${admitted.statements} statements, longest page ${(longest * 1000).toFixed(0)} ms`,
  );
  console.log(
    `  ${(restored.seconds / admitted.seconds).toFixed(2)} times the rate of the restore`,
  );
}

/**
 * Returns the events as a hub sends them: first each project with its baseline, then the others. Without a baseline,
 * events would be folded as they arrive.
 */
async function eventsOf(dsn: string): Promise<readonly ForeignEvent[]> {
  const snapshot = await openSnapshot({ dsn });
  const projects: ForeignEvent[] = [];
  const rest: ForeignEvent[] = [];
  for await (const { id, chain: _, feed_uid: __, assigned_ids: ___, ...event } of snapshot.rows(
    "event",
  )) {
    const sent = { ...event, hub_event_id: id + 10 } as ForeignEvent;
    if (event.type !== "project.created") rest.push(sent);
    else projects.push(sent, baselineOf(event as StoredEvent, id));
  }
  await snapshot.close();
  return [...projects, ...rest];
}

function baselineOf({ project_uid, hlc_physical_ms }: StoredEvent, id: number): ForeignEvent {
  return foreign(baseline(project_uid), hlc_physical_ms, 0, id);
}

async function measurePages(name: string, target: { readonly dsn: string }): Promise<void> {
  const store = await openStore({ ...deps, ...target });
  const issues = Array.from({ length: 20_000 }, () => ids.ulid());
  const long = ids.ulid();
  await store.write(async (tx) => {
    await tx.append(projectCreated("pages", PROJECT));
    await tx.append(baseline(PROJECT));
  });
  for (let at = 0; at < issues.length; at += PAGE)
    await store.write(async (tx) => {
      await tx.appendNewIssues(issues.slice(at, at + PAGE).map(created));
    });
  await store.write(async (tx) => {
    await tx.append(created(long));
  });
  for (let at = 0; at < 10_000; at += PAGE)
    await store.write(async (tx) => {
      await tx.appendAll(Array.from({ length: PAGE }, (_, n) => edited(long, `title ${at + n}`)));
    });
  console.log(`\n${name}, pages of ${PAGE} events into ${issues.length} issues`);
  console.log("| Page | ms | statements |");
  console.log("| --- | --- | --- |");
  const now = systemClock.nowMs();
  const some = issues.slice(5000, 5200);
  const mixed = (ms: number): readonly ForeignEvent[] =>
    Array.from({ length: PAGE }, (_, n) => {
      const [uid = "", other = ""] = [some[n % 200], some[(n * 7 + 1) % 200]];
      return foreign(draftOf(n, uid, other), ms + n, 0);
    });
  await row(store, "no event", []);
  const newer = mixed(now + 60_000);
  await row(store, "200 issues, newer than all", newer);
  await row(store, "the same again, all known", newer);
  await row(store, "200 issues, all late", mixed(now - 3_600_000));
  const late = Array.from({ length: PAGE }, (_, n) =>
    foreign(edited(long, `late ${n}`), now - 7_200_000 + n, 0),
  );
  await row(store, "one issue with 10,000 events, all late", late);
  const fresh = Array.from({ length: PAGE }, (_, n) =>
    foreign(created(ids.ulid()), now - 1_800_000 + n, 0),
  );
  await row(store, "1,000 new issues, older than the database", fresh);
  const runs = Array.from({ length: PAGE }, () => ids.ulid());
  const observed = (ms: number) => runs.map((uid, n) => foreign(runDraft(uid), ms + n, 0));
  await row(store, "1,000 new runs", observed(now - 900_000));
  await row(store, "the same runs, all late", observed(now - 1_800_000));
  await store.close();
}

async function row(store: AdminStore, name: string, page: readonly ForeignEvent[]): Promise<void> {
  const { seconds, statements: count } = await measured(
    async () => await store.write(async (tx) => await tx.admit(page, { fromHub: false })),
  );
  console.log(`| ${name} | ${(seconds * 1000).toFixed(0)} | ${count} |`);
}

async function measured(work: () => Promise<unknown>) {
  const [start, before] = [performance.now(), statements];
  await work();
  return { seconds: (performance.now() - start) / 1000, statements: statements - before };
}

function foreign(draft: EventDraft, ms: number, counter: number, hubId?: number): ForeignEvent {
  const event = {
    ...draft,
    uid: ids.ulid(),
    origin_instance_uid: ORIGIN,
    hlc_physical_ms: ms,
    hlc_counter: counter,
    created_at: msToInstant(ms),
    ...(hubId === undefined ? {} : { hub_event_id: hubId }),
  };
  const payload = canonicalJson(event.payload as unknown as JsonObject);
  return { ...event, content_hash: contentHash(event, payload) } as ForeignEvent;
}

function projectCreated(name: string, project_uid: string): EventDraft<"project.created"> {
  return { type: "project.created", actor: "bench", project_uid, payload: { name } };
}

function baseline(project_uid: string): EventDraft<"project.federation_enabled"> {
  const payload = {
    ...{ project_uid, project_name: "bench", purged_uids: [] },
    ...{ spent_short_ids: [], former_short_ids: [] },
  };
  return { type: "project.federation_enabled", actor: "bench", project_uid, payload };
}

function created(uid: string): EventDraft<"issue.created"> {
  const at = msToInstant(systemClock.nowMs());
  return {
    ...{ type: "issue.created", actor: "bench", project_uid: PROJECT, issue_uid: uid },
    payload: {
      ...{ uid, short_id: uid.slice(-8).toLowerCase(), title: `Issue ${uid}`, body: "some words" },
      ...{ author: "bench", status: "open", metadata: {}, labels: ["bug"], created_at: at },
    },
  };
}

function edited(uid: string, title: string): EventDraft<"issue.updated"> {
  const payload = { title, updated_at: msToInstant(systemClock.nowMs()) };
  return { ...ofIssue(uid), type: "issue.updated", payload };
}

function ofIssue(uid: string) {
  return { actor: "bench", project_uid: PROJECT, issue_uid: uid };
}

function runDraft(uid: string): EventDraft<"cron.run.observed"> {
  const at = msToInstant(systemClock.nowMs());
  const payload = {
    ...{ uid, project_uid: PROJECT, actor: "bench", status: "running" as const, summary: {} },
    ...{ revision: 1, created_at: at, updated_at: at },
  };
  return { type: "cron.run.observed", actor: "bench", project_uid: PROJECT, payload };
}

/** What people do: edits, labels, comments, links that come and go, closes. */
function draftOf(n: number, uid: string, other: string): EventDraft {
  const at = msToInstant(systemClock.nowMs());
  switch (n % 6) {
    case 0:
      return edited(uid, `edited ${n}`);
    case 1:
      return { ...ofIssue(uid), type: "issue.labeled", payload: { label: "docs", updated_at: at } };
    case 2: {
      const comment = { comment_uid: ids.ulid(), author: "bench", body: "words", created_at: at };
      return { ...ofIssue(uid), type: "issue.commented", payload: comment };
    }
    case 3: {
      const ends = uid === other ? {} : { blocks_added_uids: [other] };
      return { ...ofIssue(uid), type: "issue.links_changed", payload: { ...ends, updated_at: at } };
    }
    case 4: {
      const ends = { blocks_removed_uids: [other] };
      return { ...ofIssue(uid), type: "issue.links_changed", payload: { ...ends, updated_at: at } };
    }
    default: {
      const close = { reason: "done", closed_at: at, parent_uid: "", parent_short_id: "" };
      return { ...ofIssue(uid), type: "issue.closed", payload: close };
    }
  }
}
