/**
 * Measures, in this process on SQLite, how a copy is compared with its hub:
 * - the questions, the bytes and the time of a verify that finds one missing event
 * - what a poll without news costs the hub, with the digest that it sends
 * - what the index of a copy's events costs a hub when it appends events
 *
 *   npm run bench -- federation-verify [events]
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { systemClock } from "../src/base/clock.ts";
import { sha256Hex } from "../src/base/hash.ts";
import { systemIds } from "../src/base/ids.ts";
import { createFederationEnrollment } from "../src/ops/federation/create-enrollment.ts";
import { enableProjectFederation } from "../src/ops/federation/enable.ts";
import { advanceCount, hubDigest } from "../src/ops/federation/hub-digest.ts";
import type { HubQuestions } from "../src/ops/federation/hub-questions.ts";
import {
  hashFederationProjectIssues,
  sumFederationProjectEvents,
} from "../src/ops/federation/hub-sums.ts";
import { verifyFederationReplica } from "../src/ops/federation/verify.ts";
import type { AdminStore } from "../src/store/admin-store.ts";
import { openBackend, openStore } from "../src/store/open.ts";

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const SPOKE = "01J00000000000000000SPXKE1";
const ISSUE = "01J0000000000000000000SSVE";

const ids = systemIds();
const settings = { timezone: "UTC", close_throttle: { enabled: false, window_ms: 1, limit: 1 } };
const deps = { clock: systemClock, ids, timezone: "UTC" };
const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-verify-"));
const [hubFile, copyFile] = [path.join(folder, "hub.db"), path.join(folder, "copy.db")];
const ann = { kind: "none", actor: "ann", local: true } as const;

console.log(`${EVENTS} events, load ${loadavg()[0]?.toFixed(1)}`);
const project_uid = ids.ulid();
const { project_id, token, spoke } = await makeHub();
await changed(hubFile, longLog());
copyFileSync(hubFile, copyFile);
const lost = Math.floor(EVENTS * 0.77);
await changed(copyFile, [
  `update event set hub_event_id = id where type <> 'project.created'`,
  `delete from event where id = ${lost}`,
  `update federation_binding set role = 'spoke', hub_url = 'http://hub.invalid', hub_project_id = 1,
    hub_project_uid = project_uid, hub_epoch = (select epoch from log_head),
    pull_cursor_event_id = (select max(id) from event)`,
]);
const hub = await openStore({ ...deps, dsn: hubFile });
const copy = await openStore({ ...deps, dsn: copyFile });
await measureVerify();
await measurePolls();
await measureAppends(hub);
await hub.close();
await copy.close();
rmSync(folder, { recursive: true });

async function makeHub() {
  const store = await openStore({ ...deps, dsn: hubFile });
  await store.write(async (tx) => {
    const payload = { name: "bench" };
    await tx.append({ type: "project.created", actor: "ann", project_uid, payload });
  });
  const found = await store.read(async ({ projects }) => await projects.find(project_uid));
  const at = found?.id ?? 0;
  const ops = { ...deps, store, settings };
  const none = { query: {}, headers: {} } as const;
  await enableProjectFederation(ops, ann, {
    ...none,
    params: { project_id: at },
    body: { actor: "ann" },
  });
  const body = { spoke_instance_uid: SPOKE, project_id: at, capabilities: "pull", actor: "ann" };
  const made = await createFederationEnrollment(ops, ann, { ...none, params: {}, body } as never);
  const uid = store.instanceUid;
  await store.close();
  return { project_id: at, token: made.token, spoke: uid };
}

/** Statements that write a long log: the events name one issue and have hashes of their own. */
function longLog(): readonly string[] {
  return [
    `with recursive n(i) as (select (select max(id) from event) + 1 union all select i + 1 from n where i < ${EVENTS})
      insert into event (id, uid, origin_instance_uid, project_uid, feed_uid, issue_uid, type, actor, payload,
        hlc_physical_ms, hlc_counter, content_hash, created_at, chain)
      select i, '01K' || printf('%023d', i), '${spoke}', '${project_uid}', '${project_uid}', '${ISSUE}',
        'issue.updated', 'ann', '{"title":"a title of some length, ' || i || '"}', 1700000000000 + i, 0,
        lower(hex(randomblob(32))), '2026-01-01T00:00:00.000Z', lower(hex(randomblob(16))) from n`,
    "update log_head set last_event_id = (select max(id) from event)",
  ];
}

async function changed(dsn: string, statements: readonly string[]): Promise<void> {
  const backend = await openBackend({ ...deps, dsn });
  const connection = await backend.writer();
  for (const statement of statements) await connection.execute(statement, []);
  await backend.close();
}

async function measureVerify(): Promise<void> {
  const who = { kind: "enrollment", enrollmentHash: sha256Hex(token ?? ""), local: false } as const;
  const headers = {
    "x-svc-instance": SPOKE,
    "x-svc-event-features": "cron_notify_children_v1, cron_v1, external_roots_v1",
  };
  const params = { project_id };
  let [bytes, zipped, hubMs, longest] = [0, 0, 0, 0];
  const answered = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = performance.now();
    const answer = await work();
    const ms = performance.now() - before;
    [hubMs, longest] = [hubMs + ms, Math.max(longest, ms)];
    const text = JSON.stringify(answer);
    [bytes, zipped] = [bytes + text.length, zipped + gzipSync(text).length];
    return answer;
  };
  const digests: HubQuestions = {
    sums: async (_replica, { after, through }) =>
      await answered(
        async () =>
          await sumFederationProjectEvents({ store: hub }, who, {
            ...{ params, headers, body: {} },
            query: { after_id: after, through_id: through },
          }),
      ),
    rowHashes: async (_replica, { afterUid, through }) =>
      await answered(
        async () =>
          await hashFederationProjectIssues({ store: hub }, who, {
            ...{ params, headers, body: {} },
            query: { after_uid: afterUid, through_id: through },
          }),
      ),
  };
  const before = performance.now();
  const found = await verifyFederationReplica({ store: copy, federation: { digests } }, ann, {
    ...{ params, query: {}, headers: {} },
    body: {},
  });
  const ms = performance.now() - before;
  const { state, first_difference: first, round_trips } = found;
  console.log(`verify: ${state}, ${first?.kind} ${first?.event_id} (planted: ${lost})`);
  console.log(
    `  ${round_trips} round trips, ${bytes} bytes (${zipped} compressed), ${ms.toFixed(0)} ms: hub ${hubMs.toFixed(0)}, longest answer ${longest.toFixed(0)}`,
  );
}

async function measurePolls(): Promise<void> {
  const binding = await hub.read(
    async ({ unfolded }) => await unfolded.find("federation_binding", { project_uid }),
  );
  if (binding === undefined) throw new Error("the hub has a binding");
  let polls = 0;
  const digest = async () =>
    await hub.read(async (reader) => {
      const { epoch, last_event_id: through } = await reader.events.head();
      return await hubDigest(reader, binding, { epoch, through, now: systemClock.now() });
    });
  const counting: number[] = [];
  while ((await digest()) === undefined) {
    polls += 1;
    const before = performance.now();
    await hub.write(async (tx) => await advanceCount(tx, binding));
    counting.push(performance.now() - before);
  }
  const most = Math.max(0, ...counting);
  const mean = counting.reduce((sum, ms) => sum + ms, 0) / Math.max(1, counting.length);
  console.log(
    `counted in ${polls} polls, each write ${mean.toFixed(1)} ms, ${most.toFixed(1)} at most`,
  );
  const idle = await perCall(1000, digest);
  console.log(`digest of a poll without news: ${idle.toFixed(3)} ms`);
}

async function perCall(times: number, work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  for (let n = 0; n < times; n += 1) await work();
  return (performance.now() - before) / times;
}

/**
 * Compares appends with and without the index of the events that copies have read. Events of the hub itself are not in
 * that index.
 */
async function measureAppends(store: AdminStore): Promise<void> {
  const of = ids.ulid();
  await store.write(async (tx) => {
    const payload = { name: "notes" };
    await tx.append({ type: "project.created", actor: "ann", project_uid: of, payload });
  });
  const issue_uid = ids.ulid();
  const issue = { uid: issue_uid, short_id: "abcd", title: "one", author: "ann", status: "open" };
  await store.write(async (tx) => {
    const rest = { body: "", labels: [], links: [], metadata: {} };
    const created_at = systemClock.now();
    const payload = { ...issue, ...rest, created_at, updated_at: created_at, revision: 1 };
    const made = { type: "issue.created", actor: "ann", project_uid: of, issue_uid, payload };
    await tx.append(made as never);
  });
  let at = 0;
  const append = async () =>
    await store.write(async (tx) => {
      for (let n = 0; n < 100; n += 1) {
        at += 1;
        const payload = { title: `title ${at}` };
        const draft = { type: "issue.updated", actor: "ann", project_uid: of, issue_uid, payload };
        await tx.append(draft as never);
      }
    });
  await perCall(20, append);
  const cpuOf = async (): Promise<number> => {
    // SQLite prepares a statement again after the schema has changed. So the first append is not measured.
    await append();
    const before = process.cpuUsage();
    for (let n = 0; n < 20; n += 1) await append();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 20_000;
  };
  const ms = { with: [] as number[], without: [] as number[] };
  const [make, drop] = [
    "create index if not exists event_hub on event (feed_uid, hub_event_id) where hub_event_id is not null",
    "drop index if exists event_hub",
  ];
  for (let round = 0; round < 30; round += 1)
    for (const which of round % 2 === 0
      ? (["with", "without"] as const)
      : (["without", "with"] as const)) {
      await changed(hubFile, [which === "with" ? make : drop]);
      ms[which].push(await cpuOf());
    }
  const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
  console.log(
    `append of 100 events: ${median(ms.with).toFixed(2)} ms of processor time with the index of copies, ${median(ms.without).toFixed(2)} without (medians of 30)`,
  );
}
