import { expect, onTestFinished, test } from "vitest";
import {
  digestGlobal,
  listIssueEvents,
  pollEvents,
  pollProjectEvents,
  streamEvents,
} from "../../src/contract/activity.ts";
import { listHoldersGlobal } from "../../src/contract/holders.ts";
import { listInboxGlobal } from "../../src/contract/inbox.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { BASE_PATH } from "../../src/contract/version.ts";
import { federationEnabled, issueSnapshot } from "../../src/domain/drafts/snapshots.ts";
import { slotOf } from "../../src/domain/inbox/slot.ts";
import type { IssueRow, ProjectRow } from "../../src/domain/state.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

const START = "2026-01-01T00:00:00.000Z";

/** Writes a baseline of the project as bea: its first event, and a snapshot of each issue as often as asked for. */
async function writeBaseline(w: World, issues: readonly GivenIssue[], times = 1): Promise<void> {
  await w.store.write(async (tx) => {
    const act = { actor: "bea", now: tx.now };
    const [project] = await tx.projects.list(false);
    const spent = { purged_uids: [], spent_short_ids: [], former_short_ids: [] };
    await tx.append(federationEnabled(project as ProjectRow, spent, act));
    for (const { uid } of issues) {
      const issue = (await tx.issues.find(uid)) as IssueRow;
      const snapshot = issueSnapshot(
        { issue, labels: [], links: [], comments: [], imports: [], root: undefined },
        act,
      );
      await tx.appendAll(Array.from({ length: times }, () => snapshot));
    }
  });
}

async function example(w: World): Promise<readonly [GivenIssue, GivenIssue]> {
  const [one, two] = [
    await w.given.issue({ title: "one", owner: "ann" }),
    await w.given.issue({ title: "two" }),
  ];
  await w.given.metadata(one, { [slotOf("ann")]: { from: "ann", message: "look" } });
  await w.given.closed(two);
  w.clock.advance(1000);
  return [one, two];
}

describeStore("a baseline (snapshots of all issues when a project is shared)", (open) => {
  test("is one event for readers of the log, whatever its number of issues", async () => {
    const w = await world({ store: open });
    const issues = await example(w);
    const { next_after_id: after_id } = await w.call(pollEvents);
    await writeBaseline(w, issues);
    const log = await w.events();
    expect(log.slice(-3).map(({ type }) => type)).toEqual([
      "project.federation_enabled",
      "issue.snapshot",
      "issue.snapshot",
    ]);
    const { project_id } = issues[0].path;
    const end = log.at(-1)?.id;
    for (const page of [
      await w.call(pollEvents, { query: { after_id } }),
      await w.call(pollProjectEvents, { params: { project_id }, query: { after_id } }),
      await w.call(pollEvents, { query: { after_id, actor: ["bea"] } }),
    ]) {
      expect(page.events.map(({ type }) => type)).toEqual(["project.federation_enabled"]);
      expect(page.next_after_id).toBe(end);
    }
    const all = { after_id, issue: issues.map(({ uid }) => uid) };
    expect((await w.call(pollEvents, { query: all })).events).toEqual([]);
    const refused = await w.refused(pollEvents, { query: { type: ["issue.snapshot"] } });
    expect(refused.code).toBe("validation");
  });

  test("is skipped by a reader in a few requests, and the reader then gets the next event", async () => {
    const w = await world({ store: open });
    const issues = await example(w);
    const { next_after_id: after_id } = await w.call(pollEvents);
    await writeBaseline(w, issues.slice(0, 1), 10_500);
    await w.given.issue({ title: "three" });
    const { project_id } = issues[0].path;
    for (const page of [
      await w.call(pollEvents, { query: { after_id, limit: 2 } }),
      await w.call(pollProjectEvents, { params: { project_id }, query: { after_id, limit: 2 } }),
    ])
      expect(page.events.map(({ type }) => type)).toEqual([
        "project.federation_enabled",
        "issue.created",
      ]);
    const pages = await w.store.read(async ({ events }) => {
      const first = await events.matching({}, after_id, 1000);
      return [first, await events.matching({}, first.upTo, 1000)];
    });
    expect(pages.map(({ events, last }) => [events.length, last])).toEqual([
      [1, false],
      [1, true],
    ]);
  }, 60_000);

  test("is one event in a stream that is open meanwhile, and in a later stream that starts before it in the log", async () => {
    const w = await world({ store: open });
    const issues = await example(w);
    const { next_after_id: after_id } = await w.call(pollEvents);
    const live = await streamAfter(w, after_id);
    await writeBaseline(w, issues, 1000);
    await w.given.issue({ title: "three" });
    const expected = ["project.federation_enabled", "issue.created"];
    expect(await live.kindsUntil("issue.created")).toEqual(expected);
    const late = await streamAfter(w, after_id);
    expect(await late.kindsUntil("issue.created")).toEqual(expected);
  });

  test("is no activity: digest, history, inbox, holders and undo show the same as before", async () => {
    const w = await world({ store: open });
    const [one, two] = await example(w);
    const seen = async () => ({
      digest: (await w.call(digestGlobal, { query: { since: START } })).totals,
      inbox: (await w.call(listInboxGlobal, { query: { for: "ann" } })).requests,
      holders: (await w.call(listHoldersGlobal)).holders,
      history: (await w.call(listIssueEvents, { params: one.path })).events,
      shown: await w.call(showIssue, { params: two.path }),
      undo: (
        await w.call(undoGlobal, {
          body: { of_actor: "ann", since: START, actor: "cyd", dry_run: true },
        })
      ).reverts,
    });
    const before = await seen();
    expect(before.inbox).toHaveLength(1);
    await writeBaseline(w, [one, two]);
    expect(await seen()).toEqual(before);
    const bea = { of_actor: "bea", since: START, actor: "cyd", dry_run: true };
    const { reverts } = await w.call(undoGlobal, { body: bea });
    expect(reverts).toEqual([]);
    await expectFolded(w.store);
  });
});

async function streamAfter(w: World, after_id: number) {
  const url = `http://localhost${BASE_PATH}${streamEvents.path}?after_id=${after_id}`;
  const headers = { accept: "text/event-stream" };
  const response = await w.app.fetch(new Request(url, { headers }));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(async () => await reader?.cancel());
  /** Reads until an event of this kind has arrived, and returns the kinds of all events. */
  const kindsUntil = async (last: string): Promise<readonly string[]> => {
    for (let text = ""; ; ) {
      const kinds = [...text.matchAll(/^event: (.+)\n/gm)].map(([, kind = ""]) => kind);
      if (kinds.includes(last)) return kinds;
      const piece = await reader?.read();
      if (piece?.value === undefined) throw new Error(`the stream ended: ${text}`);
      text += piece.value;
    }
  };
  return { kindsUntil };
}
