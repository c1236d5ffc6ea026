import { fromZonedTime } from "date-fns-tz/fromZonedTime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { assignIssue, reopenIssue, unassignIssue } from "../../src/contract/actions.ts";
import { clearIssueRequest, listInboxGlobal, notifyIssue } from "../../src/contract/inbox.ts";
import { patchIssueMetadata } from "../../src/contract/issues.ts";
import { purgeProject, removeProject, restoreProject } from "../../src/contract/project-actions.ts";
import { createRecurrence, patchRecurrence } from "../../src/contract/recurrences.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { SLOT_PREFIX, slotOf } from "../../src/domain/inbox/slot.ts";
import type { OpStore } from "../../src/ops/deps.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import { askDates } from "../../src/ops/inbox/ask-dates.ts";
import { DateSweep } from "../../src/ops/inbox/date-sweep.ts";
import { RandomRun } from "../support/random-run.ts";
import { type Act, step } from "../support/random-steps.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";

const RUNNING = new AbortController().signal;
const VALUE = "2026-09-16T09:00";
const REACHED = "2026-09-16T10:00:00.000Z";
const scheduled = `Scheduled date reached: ${VALUE}`;

async function sweptWorld(store: OpenStore, now = REACHED) {
  const w = await world({ store });
  w.clock.advance(instantToMs(now) - w.clock.nowMs());
  const faults: string[] = [];
  const needs = (over: OpStore = w.store) => ({
    ...w,
    store: over,
    askTogether: async (uids: readonly string[]) => await askDates({ ...w, store: over }, uids),
  });
  const newSweep = (over?: OpStore) => new DateSweep(needs(over), (uid) => void faults.push(uid));
  let sweep = newSweep();
  return {
    ...w,
    faults,
    newSweep,
    pass: async () => await sweep.pass(RUNNING),
    nextMs: () => sweep.nextMs(),
    /** As after a restart: the sweep remembers nothing. */
    forget: () => {
      sweep = newSweep();
    },
    inbox: async (address = "ann") => {
      const query = { for: address };
      const { requests } = await w.call(listInboxGlobal, { query });
      return requests.map(({ from, message }) => `${from}: ${message}`);
    },
    clear: async (issue: GivenIssue, to = "ann") =>
      await w.call(clearIssueRequest, { params: issue.path, body: { to } }),
    automatic: async () => (await w.events()).filter(({ actor }) => actor === "system"),
  };
}

/** Makes a series with its first issue. */
async function seriesOf(w: Pick<World, "call" | "given">, timezone: string) {
  const project = await w.given.project();
  const issue = await w.given.issue({ project });
  const { recurrence } = await w.call(createRecurrence, {
    params: project.path,
    body: {
      rrule: "FREQ=DAILY",
      dtstart: "2027-01-01",
      timezone,
      template: { title: "water the plants" },
      initial_issue_ref: issue.uid,
    },
  });
  return { issue, path: { ...project.path, recurrence_uid: recurrence.uid } };
}

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

describeStore("the sweep of planning dates", (open) => {
  // docs/contract/cron-and-inbox.md#106-dates-that-are-reached, cases 1 to 3: the zone of a series applies to scheduled
  // dates, but not to deadlines.
  test.each([
    ["scheduled_on", "America/Los_Angeles", REACHED, []],
    ["scheduled_on", "America/Los_Angeles", "2026-09-16T16:00:00.000Z", [`system: ${scheduled}`]],
    ["deadline_on", "America/Los_Angeles", REACHED, [`system: Deadline reached: ${VALUE}`]],
    ["deadline_on", "Asia/Tokyo", "2026-09-16T08:00:00.000Z", []],
    ["scheduled_on", "Asia/Tokyo", "2026-09-16T08:00:00.000Z", [`system: ${scheduled}`]],
  ])(
    "the %s of an issue of a series in %s leads at %s to the requests %j",
    async (field, timezone, now, asked) => {
      const w = await sweptWorld(open, now);
      const { issue } = await seriesOf(w, timezone);
      const patch = { timezone: null, scheduled_on: null, [field]: VALUE };
      await w.call(patchIssueMetadata, { params: issue.path, body: { patch } });
      await w.pass();
      expect(await w.inbox()).toEqual(asked);
    },
  );

  test("checks a date again when its series changes the zone", async () => {
    const w = await sweptWorld(open);
    const { issue, path } = await seriesOf(w, "America/Los_Angeles");
    const patch = { timezone: null, scheduled_on: VALUE };
    await w.call(patchIssueMetadata, { params: issue.path, body: { patch } });
    expect(await w.pass()).toBe(0);
    await w.call(patchRecurrence, {
      params: path,
      headers: { "if-match": '"rev-1"' },
      body: { timezone: "Asia/Tokyo" },
    });
    expect(await w.pass()).toBe(1);
    expect(await w.inbox()).toEqual([`system: ${scheduled}`]);
  });

  test("sends the author a request when a date is reached, once, and logs it", async () => {
    const w = await sweptWorld(open, "2026-09-16T08:59:59.999Z");
    const issue = await w.given.issue({ metadata: { scheduled_on: VALUE } });
    expect(await w.pass()).toBe(0);
    expect(w.nextMs()).toBe(instantToMs("2026-09-16T09:00:00.000Z"));
    w.clock.advance(1);
    expect(await w.pass()).toBe(1);
    expect(await w.inbox()).toEqual([`system: ${scheduled}`]);
    expect(await w.automatic()).toMatchObject([
      { type: "issue.metadata_updated", issue_uid: issue.uid, payload: { revision_new: 2 } },
    ]);
    expect(await w.pass()).toBe(0);
    w.forget();
    expect(await w.pass()).toBe(0);
    expect(await w.automatic()).toHaveLength(1);
  });

  test("does not repeat a cleared request, not even in a daemon that has just started", async () => {
    const w = await sweptWorld(open);
    const issue = await w.given.issue({ metadata: { scheduled_on: VALUE } });
    await w.pass();
    await w.clear(issue);
    expect(await w.pass()).toBe(0);
    w.forget();
    expect(await w.pass()).toBe(0);
    expect(await w.inbox()).toEqual([]);
  });

  test("sends the request to a new owner instead of the previous one, or to the author without an owner", async () => {
    const w = await sweptWorld(open);
    const issue = await w.given.issue({ owner: "bea", metadata: { scheduled_on: VALUE } });
    await w.pass();
    expect(await w.inbox("bea")).toHaveLength(1);
    await w.call(assignIssue, { params: issue.path, body: { owner: "cas" } });
    expect(await w.pass()).toBe(1);
    expect([await w.inbox("bea"), await w.inbox("cas")]).toEqual([[], [`system: ${scheduled}`]]);
    await w.clear(issue, "cas");
    await w.call(unassignIssue, { params: issue.path });
    expect(await w.pass()).toBe(1);
    expect(await w.inbox("ann")).toHaveLength(1);
    await w.call(assignIssue, { params: issue.path, body: { owner: "cas" } });
    await w.pass();
    expect([await w.inbox("ann"), await w.inbox("cas")]).toEqual([[], []]);
  });

  test("withdraws the request of a postponed date, and sends it when the date comes again", async () => {
    const w = await sweptWorld(open);
    const issue = await w.given.issue({ metadata: { scheduled_on: VALUE } });
    await w.pass();
    await w.given.metadata(issue, { scheduled_on: "2026-09-16T10:30" });
    expect(await w.pass()).toBe(1);
    expect(await w.inbox()).toEqual([]);
    w.clock.advance(30 * 60_000);
    expect(await w.pass()).toBe(1);
    expect(await w.inbox()).toEqual(["system: Scheduled date reached: 2026-09-16T10:30"]);
    await w.given.metadata(issue, { scheduled_on: null });
    expect(await w.pass()).toBe(1);
    expect(await w.inbox()).toEqual([]);
  });

  test("does not replace a request made by a person, and sends its own once that one is cleared", async () => {
    const w = await sweptWorld(open);
    const issue = await w.given.issue({ metadata: { scheduled_on: VALUE } });
    await w.call(notifyIssue, {
      params: issue.path,
      body: { to: "ann", message: "look", actor: "bea" },
    });
    expect(await w.pass()).toBe(0);
    expect(await w.inbox()).toEqual(["bea: look"]);
    await w.clear(issue);
    expect(await w.pass()).toBe(1);
    expect(await w.inbox()).toEqual([`system: ${scheduled}`]);
  });

  test("sends the request about the scheduled date first if two dates are reached", async () => {
    const w = await sweptWorld(open);
    const issue = await w.given.issue({
      metadata: { deadline_on: "2026-09-16", scheduled_on: VALUE },
    });
    await w.pass();
    expect(await w.inbox()).toEqual([`system: ${scheduled}`]);
    await w.clear(issue);
    await w.pass();
    expect(await w.inbox()).toEqual(["system: Deadline reached: 2026-09-16"]);
    await w.clear(issue);
    expect(await w.pass()).toBe(0);
  });

  test("sends no request about a closed, deleted or archived issue until it is open or restored again", async () => {
    const w = await sweptWorld(open);
    const shop = await w.given.project("shop");
    const metadata = { deadline_on: "2026-09-16" };
    const [closed, deleted] = [
      await w.given.issue({ metadata }),
      await w.given.issue({ metadata }),
    ];
    await w.given.issue({ metadata, project: shop });
    await w.given.closed(closed);
    await w.given.deleted(deleted);
    await w.given.archived(shop);
    expect(await w.pass()).toBe(0);
    await w.call(reopenIssue, { params: closed.path });
    expect(await w.pass()).toBe(1);
    await w.call(restoreProject, { params: shop.path });
    expect(await w.pass()).toBe(1);
    expect(await w.inbox()).toHaveLength(2);
  });

  test("sends no second request after its issue moved, even if the former project was purged", async () => {
    const w = await sweptWorld(open);
    const shop = await w.given.project("shop");
    const issue = await w.given.issue({ metadata: { scheduled_on: VALUE } });
    await w.pass();
    const { issue: cleared } = await w.clear(issue);
    await w.call(moveIssue, {
      params: issue.path,
      headers: { "if-match": `"rev-${cleared.revision}"` },
      body: { to_project_uid: shop.uid },
    });
    const params = { project_id: issue.project_id };
    await w.call(removeProject, { params });
    await w.call(purgeProject, { params, headers: { "x-svc-confirm": "PURGE web" } });
    w.forget();
    expect(await w.pass()).toBe(0);
  });

  test("skips a date that has no valid recipient, and withdraws an older request of its own", async () => {
    const w = await sweptWorld(open);
    const issue = await w.given.issue({ owner: "bea", metadata: { scheduled_on: VALUE } });
    await w.pass();
    await w.call(assignIssue, { params: issue.path, body: { owner: "b".repeat(129) } });
    expect(await w.pass()).toBe(1);
    expect(await w.inbox("bea")).toEqual([]);
    expect(await w.pass()).toBe(0);
  });

  test("continues with the next issue when one cannot be written, and tries that one again later", async () => {
    const w = await sweptWorld(open);
    const metadata = { scheduled_on: VALUE };
    const issues = [await w.given.issue({ metadata }), await w.given.issue({ metadata })];
    const bad = issues[0]?.uid ?? "";
    let broken = true;
    const failing = withGuard(w.store, {
      append: async (_, draft) => {
        if (broken && draft.issue_uid === bad) throw new Error("no");
      },
    });
    const sweep = w.newSweep(failing);
    expect(await sweep.pass(RUNNING)).toBe(1);
    expect(w.faults).toEqual([bad]);
    broken = false;
    expect(await sweep.pass(RUNNING)).toBe(0);
    w.clock.advance(30_000);
    expect(await sweep.pass(RUNNING)).toBe(1);
    expect(await w.inbox()).toHaveLength(2);
  });

  test("sends one request although two daemons sweep at once", async () => {
    const w = await sweptWorld(open);
    for (let at = 0; at < 20; at++) await w.given.issue({ metadata: { scheduled_on: VALUE } });
    const sweeps = [w.newSweep(), w.newSweep(), w.newSweep()];
    await Promise.all(sweeps.map(async (sweep) => await sweep.pass(RUNNING)));
    expect(await w.automatic()).toHaveLength(20);
  });

  test("finds every date when it is reached, also a date that is set while others are still waiting", async () => {
    const w = await sweptWorld(open);
    const made: string[] = [];
    for (let at = 0; at < 130; at++) {
      const far = at % 2 === 0 ? "2026-09-16T10:59:59" : "2026-09-20";
      const { uid } = await w.given.issue({ metadata: { deadline_on: far }, owner: `o${at}` });
      made.push(uid);
    }
    expect(await w.pass()).toBe(0);
    w.clock.advance(3_599_000);
    expect(await w.pass()).toBe(65);
    const late = await w.given.issue({ metadata: { deadline_on: "2026-09-16T11:00:01" } });
    expect(await w.pass()).toBe(0);
    w.clock.advance(2000);
    expect(await w.pass()).toBe(1);
    expect((await w.automatic()).at(-1)?.issue_uid).toBe(late.uid);
    w.clock.advance(instantToMs("2026-09-20T00:00:00.000Z") - w.clock.nowMs());
    expect(await w.pass()).toBe(65);
  });

  test("withdraws its own requests from every address when their dates are gone", async () => {
    const w = await sweptWorld(open);
    for (let at = 0; at < 3; at++)
      await w.given.issue({ metadata: { scheduled_on: VALUE }, owner: `o${at}` });
    await w.pass();
    for (const { uid, project_uid } of await openIssues(w)) {
      await w.append({
        type: "issue.metadata_updated",
        actor: "ann",
        project_uid,
        issue_uid: uid,
        payload: {
          diff: { scheduled_on: { from: VALUE } },
          revision_new: 3,
          updated_at: w.clock.now(),
        },
      });
    }
    w.forget();
    expect(await w.pass()).toBe(3);
    const metadata = (await openIssues(w)).map((issue) => Object.keys(issue.metadata));
    expect(metadata.flat().filter((key) => key.startsWith(SLOT_PREFIX))).toEqual([]);
  });

  test.each([999, 1000, 2500])(
    "finds a date that was set before %i other changes",
    async (many) => {
      const w = await sweptWorld(open);
      const noisy = await w.given.issue();
      await w.pass();
      await w.store.write(async (tx) => {
        for (let at = 0; at < many; at++) {
          const payload = { label: `l${at % 2}`, updated_at: tx.now };
          const { uid: issue_uid, project_uid = "" } = noisy;
          await tx.append({ type: "issue.labeled", actor: "ann", project_uid, issue_uid, payload });
        }
      });
      await w.given.issue({ metadata: { scheduled_on: VALUE } });
      expect(await w.pass()).toBe(1);
    },
  );
});

const ZONE = "Europe/Berlin";
/** Fewer runs on PostgreSQL, where each step costs a round trip. The rules are the same. */
const RUNS = { sqlite: 40, postgres: 8 } as const;

/** Steps about dates and requests, so that they often meet on few issues. */
const DATED: ReadonlySet<Act> = new Set<Act>([
  ...(["create", "schedule", "deadline", "clearRequest", "notify", "assign", "unassign"] as const),
  ...(["close", "reopen", "delete", "restore", "move", "merge", "archive", "unarchive"] as const),
  ...(["rewrite", "wait", "sweepDates"] as const),
]);
const datedStep = step
  .filter(({ act }) => DATED.has(act))
  .map((one) => ({ ...one, at: one.at % 12 }));

describeStore("random operations between sweeps of planning dates", (open) => {
  test("leave one request for each date, whether a sweep remembers the last one or checks every date", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(datedStep, { minLength: 40, maxLength: 120 }), async (steps) => {
        const w = await world({ store: open, settings: { timezone: ZONE } });
        const run = await RandomRun.begin(w);
        for (let at = 0; at < steps.length; at += 10) {
          await run.steps(steps.slice(at, at + 10));
          await run.sweepDates();
        }
        while ((await run.sweepDates()) > 0);
        expect(await new DateSweep(w, failing).pass(RUNNING)).toBe(0);
        await expectAskedOnce(w);
      }),
      { numRuns: RUNS[open.dialect] },
    );
  }, 120_000);
});

function failing(_uid: string, error: unknown): never {
  throw error;
}

/** A second implementation: it computes from the whole log what each recipient was ever asked about an issue. */
async function expectAskedOnce(w: World): Promise<void> {
  const told = new Map<string, number>();
  for (const event of await w.events()) {
    if (event.type !== "issue.metadata_updated" || event.actor !== "system") continue;
    for (const [key, { to }] of Object.entries(event.payload.diff)) {
      if (to === undefined || to === null) continue;
      const name = `${event.issue_uid} ${key} ${JSON.stringify(to)}`;
      told.set(name, (told.get(name) ?? 0) + 1);
    }
  }
  expect([...told].filter(([, count]) => count > 1)).toEqual([]);
  for (const issue of await openIssues(w)) {
    const slot = slotOf(issue.owner ?? issue.author);
    const due = dueOf(issue.metadata, w.clock.now());
    const untold = due.filter((message) => {
      const value = JSON.stringify({ from: "system", message });
      return !told.has(`${issue.uid} ${slot} ${value}`);
    });
    if (untold.length > 0) expect(Object.keys(issue.metadata)).toContain(slot);
    const ours = Object.entries(issue.metadata).filter(
      ([key, value]) =>
        key.startsWith(SLOT_PREFIX) && JSON.stringify(value).startsWith('{"from":"system"'),
    );
    for (const [key, value] of ours) {
      expect(key).toBe(slot);
      expect(due.map((message) => ({ from: "system", message }))).toContainEqual(value);
    }
  }
}

function dueOf(metadata: JsonObject, now: string): readonly string[] {
  const zone = typeof metadata["timezone"] === "string" ? metadata["timezone"] : ZONE;
  const words = { scheduled_on: "Scheduled date reached", deadline_on: "Deadline reached" };
  return Object.entries(words).flatMap(([field, said]) => {
    const value = metadata[field];
    if (typeof value !== "string") return [];
    const at = value.endsWith("Z") ? instantToMs(value) : fromZonedTime(value, zone).getTime();
    return at <= instantToMs(now) ? [`${said}: ${value}`] : [];
  });
}

async function openIssues(w: Pick<World, "store">) {
  return await w.store.read(
    async (reader) => await reader.issues.list({ status: "open" }, "created"),
  );
}
