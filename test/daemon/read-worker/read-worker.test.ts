import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { createLog } from "../../../src/base/log.ts";
import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import {
  auditCloses,
  digestGlobal,
  digestProject,
  listIssueEvents,
  pollEvents,
  pollProjectEvents,
} from "../../../src/contract/activity.ts";
import { listCronJobs } from "../../../src/contract/cron-jobs.ts";
import { listCronRuns, reportCronRuns } from "../../../src/contract/cron-runs.ts";
import { listCronWorkflows } from "../../../src/contract/cron-workflows.ts";
import { criticalPath, reachableIssueGraph } from "../../../src/contract/graph.ts";
import { listHolders, listHoldersGlobal } from "../../../src/contract/holders.ts";
import { listInbox, listInboxGlobal } from "../../../src/contract/inbox.ts";
import {
  listAllIssues,
  listIssues,
  showIssue,
  showIssueByUID,
} from "../../../src/contract/issues.ts";
import { listLabels } from "../../../src/contract/labels.ts";
import { applyPlan } from "../../../src/contract/plans.ts";
import { listProjects } from "../../../src/contract/projects.ts";
import { listRecurrences } from "../../../src/contract/recurrences.ts";
import { purgeIssue } from "../../../src/contract/removal.ts";
import type { Input, Route } from "../../../src/contract/route.ts";
import {
  readyIssues,
  readyIssuesGlobal,
  searchIssues,
  whyIssue,
} from "../../../src/contract/search.ts";
import { ReadWorker } from "../../../src/daemon/read-worker/read-worker.ts";
import { FakeClock, watched } from "../../support/clock.ts";
import { call, testDaemon } from "../../support/daemon.ts";
import { SPOKE } from "../../support/federated.ts";
import { describeStore, type OpenTestStore } from "../../support/store.ts";
import { type CallInput, type World, world } from "../../support/world.ts";

const WHO = { kind: "none", local: true } as const;

function memoryLog() {
  const lines: string[] = [];
  const sink = {
    write: (line: string) => void lines.push(line),
    reopen: () => undefined,
    close: () => undefined,
  };
  const events = () => lines.map((line) => String(JSON.parse(line).event));
  return { log: createLog(sink, systemClock), workerEvents: () => events().filter(isWorkerEvent) };
}

function isWorkerEvent(event: string): boolean {
  return event.startsWith("read-worker.");
}

async function textOf(answer: Awaited<ReturnType<ReadWorker["run"]>>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.pieces()) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** One parent with `count - 1` children, each of which waits for the one before it. */
function chain(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    name: `n${at}`,
    title: `n${at}`,
    ...(at > 0 ? { parent: "n0" } : {}),
    ...(at > 1 ? { blocked_by: [`n${at - 1}`] } : {}),
  }));
}

async function beside(open: OpenTestStore) {
  const database = await open.database();
  const w = await world({ store: async (options) => await database.open(options) });
  const { log, workerEvents } = memoryLog();
  const settings = { timezone: "UTC", close_throttle: { enabled: false, window_ms: 1, limit: 1 } };
  const clock = new FakeClock();
  const { clock: watchedClock, next: asleep } = watched(clock);
  const readWorker = new ReadWorker({
    database: database.target,
    settings,
    store: w.store,
    clock: watchedClock,
    log,
  });
  onTestFinished(async () => await readWorker.stop());
  const run = async (route: string, input: object) =>
    JSON.parse(await textOf(await readWorker.run(route, WHO, input)));
  return { w, readWorker, clock, asleep, workerEvents, run };
}

async function planned(w: World, count: number) {
  const project = await w.given.project();
  const params = { project_id: project.id };
  const { issues } = await w.call(applyPlan, { params, body: { issues: chain(count) } });
  return { params: { ...params, ref: issues[0]?.uid ?? "" }, issues };
}

/** Removes the times, because the thread uses the clock of the machine. */
function timeless(json: string): string {
  return json.replace(/,"(as_of|now)":.{0,80}$/, "");
}

const ISSUES = 420;

/** Makes a project with closed and open issues, labels, links, priorities and some long texts. */
async function lists(w: World) {
  const project = await w.given.project("lists");
  const issues = Array.from({ length: ISSUES }, (_, at) => ({
    name: `n${at}`,
    title: `n${at} "ä" 𝄞`,
    priority: at % 5,
    body: at % 50 === 7 ? "é\n".repeat(100_000) : `${at}`,
    ...(at % 2 === 0 ? {} : { labels: ["odd"] }),
    ...(at % 9 === 1 ? { parent: "n0" } : {}),
    ...(at % 11 === 3 ? { blocked_by: [`n${at - 1}`] } : {}),
  }));
  const params = { project_id: project.id };
  const made = await w.call(applyPlan, { params, body: { issues } });
  w.clock.advance(1000);
  for (const [at, { uid }] of made.issues.entries())
    if (at % 6 === 5) await w.given.closed({ path: { ...params, ref: uid } } as never);
  return { project };
}

describeStore("the read worker's thread", (open) => {
  test("answers as the daemon's own thread does, with everything committed before the request", async () => {
    const { w, run } = await beside(open);
    const { params } = await planned(w, 20);
    const input = { params, query: {} };
    expect(await run("reachableIssueGraph", input)).toEqual(
      await w.call(reachableIssueGraph, input),
    );
    const late = await w.given.issue();
    await w.given.link(late, "related", { ...late, uid: params.ref });
    const { nodes } = await run("reachableIssueGraph", input);
    expect(nodes.map(({ uid }: { uid: string }) => uid)).toContain(late.uid);
    expect(await run("criticalPath", input)).toEqual(await w.call(criticalPath, input));
  });

  test("computes a past state as the daemon's own thread does, and computes it again after a purge of an issue in it", async () => {
    const { w, run } = await beside(open);
    const { params } = await planned(w, 5);
    const at = String(await w.store.read(async ({ events }) => await events.lastId()));
    const input = { params: { project_id: params.project_id }, query: { at } };
    await w.given.issue({ project: { id: params.project_id } });
    for (const route of [listIssues, readyIssues])
      expect(await run(route.id, input)).toEqual(await w.call(route, input));
    for (const route of [listAllIssues, readyIssuesGlobal])
      expect(await run(route.id, { query: { at } })).toEqual(
        await w.call(route, { query: { at } }),
      );
    const [last] = (await run("listIssues", input)).issues;
    const headers = { "x-svc-confirm": `PURGE ${last.qualified_id}` };
    const of = { params: { ...input.params, ref: last.uid }, headers };
    await w.call(purgeIssue, of);
    const { issues } = await run("listIssues", input);
    expect(issues.map(({ uid }: { uid: string }) => uid)).not.toContain(last.uid);
    expect(issues).toHaveLength(4);
  });

  test("streams a list of any length with the same bytes as a whole answer", {
    timeout: 60_000,
  }, async () => {
    const { w, readWorker } = await beside(open);
    const { project } = await lists(w);
    const of = { params: { project_id: project.id } };
    const event = await w.store.read(async ({ events }) => await events.lastId());
    const queries: readonly Partial<Input<typeof listIssues>["query"]>[] = [
      {},
      { status: "open" },
      { limit: 200 },
      { limit: 333 },
      { label: ["odd"], max_priority: "2" },
      { owner: "nobody" },
      { after: "" },
      { after: "", limit: 201, status: "closed" },
      { after: "", limit: 420 },
      { at: String(event - 7) },
    ];
    for (const query of queries) {
      await same(listIssues, { ...of, query });
      await same(listAllIssues, { query });
    }
    const asked: readonly Partial<Input<typeof readyIssues>["query"]>[] = [
      {},
      { containers: true, limit: 250 },
      { label: ["odd"] },
      { order: "take", limit: 250 },
      { at: String(event) },
    ];
    for (const query of asked) {
      await same(readyIssues, { ...of, query });
      await same(readyIssuesGlobal, { query });
    }
    async function same<T extends Route>(route: T, input: CallInput<T>): Promise<void> {
      const whole = await (await w.send(route, input)).text();
      const streamed = await textOf(await readWorker.run(route.id, WHO, input));
      // The texts are too long to be printed, so only the result of the comparison is shown.
      expect(timeless(streamed) === timeless(whole), JSON.stringify(input.query)).toBe(true);
    }
  });

  test("answers every possibly long read as the daemon's own thread does", async () => {
    const { w, readWorker } = await beside(open);
    const { project } = await lists(w);
    const { issue } = await w.given.comment({ body: "a word" });
    await w.given.link(issue, "related", await w.given.issue({ owner: "bea", labels: ["ui"] }));
    const [of, here] = [{ project_id: project.id }, issue.path];
    const params = { project_id: issue.project_id };
    const since = "2025-01-01T00:00:00Z";
    await same(listProjects, { query: { include: "stats,archived" } });
    await same(listLabels, { params: of });
    await same(showIssue, { params: here });
    await same(showIssueByUID, { params: { uid: issue.uid } });
    await same(searchIssues, { params, query: { q: "issue" } });
    await same(whyIssue, { params: here });
    await same(pollEvents, { query: { limit: 1000 } });
    await same(pollEvents, { query: { type: ["issue.closed"], limit: 20 } });
    await same(pollEvents, { query: { after_id: 1_000_000 } });
    await same(pollProjectEvents, { params: of, query: { after_id: 3, limit: 300 } });
    await same(listIssueEvents, { params: here });
    await same(auditCloses, { query: { project_id: project.id } });
    await same(digestGlobal, { query: { since, until: w.clock.now() } });
    await same(digestProject, { params: of, query: { since, until: w.clock.now() } });
    await same(listInbox, { params: of, query: { for: "ann" } });
    await same(listInboxGlobal, { query: { for: "ann" } });
    await same(listRecurrences, { params: of });
    await same(listCronJobs, { params: of });
    await same(listCronWorkflows, { params: of });
    await same(listCronRuns, { params: of });
    await same(reportCronRuns, { params: of });
    await same(listHolders, { params: of });
    await same(listHoldersGlobal, {});
    async function same<T extends Route>(route: T, given: CallInput<T>): Promise<void> {
      const input = { params: {}, query: {}, headers: {}, ...given };
      const whole = await (await w.send(route, given)).text();
      const there = await textOf(await readWorker.run(route.id, WHO, input));
      expect(timeless(there) === timeless(whole), `${route.id} ${there.slice(0, 300)}`).toBe(true);
    }
  });

  test("produces an answer only as fast as it is read, and lets other requests run meanwhile", async () => {
    const { w, readWorker, run } = await beside(open);
    const { project } = await lists(w);
    const input = { params: { project_id: project.id }, query: {} };
    const slow = await readWorker.run("listIssues", WHO, input);
    const pieces = slow.pieces();
    const first = await pieces.next();
    expect(Buffer.from(first.value ?? []).toString()).toMatch(/^\{"issues":\[\{/);
    await w.given.issue({ project, title: "made while it is read" });
    const { issues } = await run("listIssues", input);
    expect(issues).toHaveLength(ISSUES + 1);
    // All of the answer shows the state at the moment at which it began.
    let rest = Buffer.from(first.value ?? []).toString();
    for await (const piece of pieces) rest += Buffer.from(piece).toString();
    expect(JSON.parse(rest).issues).toHaveLength(ISSUES);
  });

  test("runs eight requests at a time, and stops those whose clients have disconnected", async () => {
    const { w, readWorker, run } = await beside(open);
    const { project } = await lists(w);
    const input = { params: { project_id: project.id }, query: {} };
    const gone = new AbortController();
    for (let at = 0; at < 8; at++) await readWorker.run("listIssues", WHO, input, gone.signal);
    const waiting = readWorker.run("listIssues", WHO, input, gone.signal);
    const late = run("listIssues", input);
    const sooner = await Promise.race([
      late.then(() => "answered"),
      yieldToLoop().then(() => "waits"),
    ]);
    expect(sooner).toBe("waits");
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ name: "ClientGone" });
    expect((await late).issues).toHaveLength(ISSUES);
  });

  test("refuses requests with the same codes as the daemon's own thread", async () => {
    const { w, run } = await beside(open);
    const project = await w.given.project();
    const input = { params: { project_id: project.id }, query: { ref: "zzzz" } };
    const refusal = await w.refused(criticalPath, input);
    await expect(run("criticalPath", input)).rejects.toMatchObject(refusal);
    await expect(run("createIssue", input)).rejects.toThrow(
      /createIssue can run in the read worker/,
    );
  });

  test("starts with the first request, ends when it is idle and starts again with the next request", async () => {
    const { w, run, workerEvents, clock, asleep } = await beside(open);
    const { params } = await planned(w, 3);
    expect(workerEvents()).toEqual([]);
    await run("criticalPath", { params, query: {} });
    await run("criticalPath", { params, query: {} });
    expect(workerEvents()).toEqual(["read-worker.started"]);
    await asleep();
    clock.advance(10_000);
    // The thread had tasks since the last check, so it stays: more may come.
    await asleep();
    expect(workerEvents()).toEqual(["read-worker.started"]);
    clock.advance(10_000);
    await expect.poll(workerEvents).toEqual(["read-worker.started", "read-worker.ended"]);
    await run("criticalPath", { params, query: {} });
    expect(workerEvents()).toEqual([
      "read-worker.started",
      "read-worker.ended",
      "read-worker.started",
    ]);
  });

  test("answers a request that arrives while an idle thread is ending", async () => {
    const { w, run, workerEvents, clock, asleep } = await beside(open);
    const { params } = await planned(w, 3);
    await run("criticalPath", { params, query: {} });
    for (let look = 0; look < 2; look++) {
      await asleep();
      clock.advance(10_000);
    }
    await yieldToLoop();
    await run("criticalPath", { params, query: {} });
    expect(workerEvents().filter((event) => event === "read-worker.started")).toHaveLength(2);
  });

  test("refuses its requests with the code daemon_stopping when it is stopped", async () => {
    const { w, readWorker } = await beside(open);
    const { params } = await planned(w, 3);
    const under = readWorker.run("criticalPath", WHO, { params, query: {} });
    const refusal = { code: "daemon_stopping" };
    await Promise.all([expect(under).rejects.toMatchObject(refusal), readWorker.stop()]);
    await expect(readWorker.run("criticalPath", WHO, {})).rejects.toMatchObject(refusal);
  });
});

test("a daemon computes small graphs itself and large ones in the read worker", async () => {
  const { log, workerEvents } = memoryLog();
  const { endpoint } = await testDaemon({ log });
  const { body } = await call(endpoint, "POST", "/projects", { body: { name: "web", actor: "a" } });
  const path = `/projects/${(body["project"] as { id: number }).id}`;
  const plan = { actor: "a", issues: chain(1100) };
  const made = (await call(endpoint, "POST", `${path}/plans`, { body: plan })).body["issues"];
  const [first, second] = made as readonly { uid: string }[];
  const graph = async (uid = "", query = "") =>
    (await call(endpoint, "GET", `${path}/issues/${uid}/graph${query}`)).body;
  const small = await graph(second?.uid, "?depth=0");
  expect(small["nodes"]).toHaveLength(1);
  expect(workerEvents()).toEqual([]);
  const large = await graph(first?.uid);
  expect(large["nodes"]).toHaveLength(1100);
  expect(large["edges"]).toHaveLength(1099 + 1098);
  const waits = (await call(endpoint, "GET", `${path}/critical-path`)).body;
  expect(waits["path"]).toHaveLength(1099);
  const then = (await call(endpoint, "GET", `${path}/issues?at=1000&limit=0`)).body;
  expect(then["issues"]).toHaveLength(999);
  const long = (await call(endpoint, "GET", `${path}/issues?at=1101&limit=0`)).body;
  expect(long["issues"]).toHaveLength(1100);
  expect(workerEvents()).toEqual(["read-worker.started"]);
});

test("a hub reads a short page of events for a spoke itself, and a long page in the read worker", async () => {
  const { log, workerEvents } = memoryLog();
  const { endpoint } = await testDaemon({ log });
  const { body } = await call(endpoint, "POST", "/projects", { body: { name: "web", actor: "a" } });
  const { id: project_id } = body["project"] as { id: number };
  const path = `/projects/${project_id}`;
  await call(endpoint, "POST", `${path}/federation/enable`, { body: { actor: "a" } });
  const enrolled = await call(endpoint, "POST", "/federation/enrollments", {
    body: { spoke_instance_uid: SPOKE, project_id, capabilities: "pull", actor: "a" },
  });
  const authorization = `Bearer ${String(enrolled.body["token"])}`;
  let stamp: string | undefined;
  const poll = async () => {
    const {
      status,
      headers,
      body: page,
    } = await call(endpoint, "GET", `${path}/federation/events?after_id=0`, {
      headers: {
        authorization,
        "x-svc-event-features": "cron_v1",
        "x-svc-instance": SPOKE,
        ...(stamp === undefined ? {} : { "x-svc-replica-stamp": stamp }),
      },
    });
    stamp = String(page["replica_stamp"]);
    return { status, headers, events: page["events"] as readonly { type: string }[] };
  };
  const issue = { title: "long", body: "x".repeat(10_000), actor: "a", force_new: true };
  await call(endpoint, "POST", `${path}/issues`, { body: issue });
  expect((await poll()).events.map(({ type }) => type)).toEqual([
    "project.federation_enabled",
    "issue.created",
  ]);
  expect(workerEvents()).toEqual([]);
  for (let more = 0; more < 4; more++)
    await call(endpoint, "POST", `${path}/issues`, { body: issue });
  const { status, headers, events } = await poll();
  expect([status, events.length]).toEqual([200, 6]);
  expect(headers).toMatchObject({
    "x-svc-replica-stamp": stamp,
    "x-svc-event-features": "cron_notify_children_v1, cron_v1, external_roots_v1",
    "x-svc-required-event-features": "",
  });
  expect(workerEvents()).toEqual(["read-worker.started"]);
});
