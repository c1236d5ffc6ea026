import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { assignIssue, reopenIssue, unassignIssue } from "../../src/contract/actions.ts";
import { clearIssueRequest, listInboxGlobal, notifyIssue } from "../../src/contract/inbox.ts";
import { restoreProject } from "../../src/contract/project-actions.ts";
import { SLOT_PREFIX } from "../../src/domain/inbox/slot.ts";
import { DateSweep } from "../../src/ops/inbox/date-sweep.ts";
import type { Store } from "../../src/store/types.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";

const RUNNING = new AbortController().signal;
const VALUE = "2026-09-16T09:00";
const REACHED = "2026-09-16T10:00:00.000Z";
const scheduled = `Scheduled date reached: ${VALUE}`;

async function sweptWorld(store: OpenStore, now = REACHED) {
  const w = await world({ store });
  w.clock.advance(instantToMs(now) - w.clock.nowMs());
  const settings = { timezone: "UTC", close_throttle: { enabled: false, window_ms: 1, limit: 1 } };
  const faults: string[] = [];
  const needs = (over: Store = w.store) => ({ store: over, clock: w.clock, settings });
  const newSweep = (over?: Store) => new DateSweep(needs(over), (uid) => void faults.push(uid));
  let sweep = newSweep();
  return {
    ...w,
    faults,
    newSweep,
    pass: async () => await sweep.pass(RUNNING),
    nextMs: () => sweep.nextMs(),
    /** As after a restart: nothing is remembered. */
    forget: () => {
      sweep = newSweep();
    },
    inbox: async (address = "ann") => {
      const query = { for: address };
      const { requests } = await w.call(listInboxGlobal, { query });
      return requests.map(({ from, message }) => `${from}: ${message}`);
    },
    clear: async (issue: Given, to = "ann") =>
      await w.call(clearIssueRequest, { params: issue.path, body: { to } }),
    automatic: async () => (await w.events()).filter(({ actor }) => actor === "system"),
  };
}

type Given = Awaited<ReturnType<World["given"]["issue"]>>;

describeStore("the date sweep", (open) => {
  test("asks the author when a date is reached, once, and says so in the log", async () => {
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

  test("a request that was cleared is not made again, also not by a daemon that starts anew", async () => {
    const w = await sweptWorld(open);
    const issue = await w.given.issue({ metadata: { scheduled_on: VALUE } });
    await w.pass();
    await w.clear(issue);
    expect(await w.pass()).toBe(0);
    w.forget();
    expect(await w.pass()).toBe(0);
    expect(await w.inbox()).toEqual([]);
  });

  test("a new owner is asked, and the one before no longer; so is the author when nobody owns it", async () => {
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

  test("a date that is put off takes its request back, and is asked about when it comes again", async () => {
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

  test("a person's request is not pushed aside: the date waits until that is cleared", async () => {
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

  test("of two dates that are reached the scheduled one is asked about first", async () => {
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

  test("closed, deleted and archived issues ask nobody, until they are back", async () => {
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

  test("what nobody can be asked about is left, and an older request of ours goes", async () => {
    const w = await sweptWorld(open);
    const issue = await w.given.issue({ owner: "bea", metadata: { scheduled_on: VALUE } });
    await w.pass();
    await w.call(assignIssue, { params: issue.path, body: { owner: "b".repeat(129) } });
    expect(await w.pass()).toBe(1);
    expect(await w.inbox("bea")).toEqual([]);
    expect(await w.pass()).toBe(0);
  });

  test("an issue that cannot be written does not keep the others waiting, and is tried again", async () => {
    const w = await sweptWorld(open);
    const metadata = { scheduled_on: VALUE };
    const issues = [await w.given.issue({ metadata }), await w.given.issue({ metadata })];
    const bad = issues[0]?.uid ?? "";
    let broken = true;
    const write: Store["write"] = async (work) =>
      await w.store.write(
        async (tx) =>
          await work({
            ...tx,
            append: async (draft) => {
              if (broken && draft.issue_uid === bad) throw new Error("no");
              return await tx.append(draft);
            },
          }),
      );
    const failing = new Proxy(w.store, {
      get: (target, key) => {
        if (key === "write") return write;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
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

  test("two daemons that sweep at once ask once", async () => {
    const w = await sweptWorld(open);
    for (let at = 0; at < 20; at++) await w.given.issue({ metadata: { scheduled_on: VALUE } });
    const sweeps = [w.newSweep(), w.newSweep(), w.newSweep()];
    await Promise.all(sweeps.map(async (sweep) => await sweep.pass(RUNNING)));
    expect(await w.automatic()).toHaveLength(20);
  });

  test("a walk finds every date that is reached before the next one, and those that change after it", async () => {
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

  test("requests of ours go from every address when the dates they told of are gone", async () => {
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

  test("a date that was set behind thousands of other changes is found", async () => {
    const w = await sweptWorld(open);
    const noisy = await w.given.issue();
    await w.pass();
    await w.store.write(async (tx) => {
      for (let at = 0; at < 2000; at++) {
        const payload = { label: `l${at % 2}`, updated_at: tx.now };
        const { uid: issue_uid, project_uid = "" } = noisy;
        await tx.append({ type: "issue.labeled", actor: "ann", project_uid, issue_uid, payload });
      }
    });
    await w.given.issue({ metadata: { scheduled_on: VALUE } });
    expect(await w.pass()).toBe(1);
  });
});

async function openIssues(w: Pick<World, "store">) {
  return await w.store.read(
    async (reader) => await reader.issues.list({ status: "open" }, "created"),
  );
}
