import { expect, test, vi } from "vitest";
import { setIssuePriority } from "../../src/contract/actions.ts";
import { listIssueEvents, pollEvents } from "../../src/contract/activity.ts";
import { enableProjectFederation } from "../../src/contract/federation.ts";
import { editIssue, showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { makeHub } from "../support/federated.ts";
import { about, MINUTE, otherDaemons, retitled } from "../support/foreign.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, world } from "../support/world.ts";

async function hub(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const issue = await w.given.issue({ project, title: "a" });
  await w.call(enableProjectFederation, { params: project.path, body: {} });
  const { pushed } = otherDaemons(w);
  w.clock.advance(10 * MINUTE);
  const params = issue.path;
  const edit = async (fields: { title?: string; body?: string }) =>
    await w.call(editIssue, { params, body: { ...fields, actor: "bea" } });
  const log = async (query = {}) => (await w.call(listIssueEvents, { params, query })).events;
  return { w, project, issue, params, pushed, edit, log };
}

const isLost = ({ overwritten_by }: { readonly overwritten_by?: unknown }) =>
  overwritten_by !== undefined;

describeStore("the write that won on a hub", (open) => {
  test("is named at the late change that lost to it, in the log and with the issue", async () => {
    const { w, issue, params, pushed, edit, log } = await hub(open);
    const at = w.clock.now();
    const { event } = await edit({ title: "b" });
    const late = await pushed(retitled(issue, "sam", "c", "a"), 5 * MINUTE);
    const won = { event_uid: event?.uid, actor: "bea", at };
    const events = await log();
    expect(events.filter(isLost)).toMatchObject([{ event_id: late.id, overwritten_by: won }]);
    expect(await log({ after_id: late.id - 1 })).toEqual(events.slice(-1));
    expect(await log({ limit: events.length - 1 })).toEqual(events.slice(0, -1));
    const shown = await w.call(showIssue, { params });
    expect(shown.overwritten).toEqual(events.slice(-1));
    const byUid = await w.call(showIssueByUID, { params: { uid: issue.uid } });
    expect(byUid.overwritten).toEqual(shown.overwritten);
    const polled = await w.call(pollEvents, {});
    expect(polled.events.filter(isLost)).toEqual([]);
  });

  test("is the change of a spoke if it is later and was made without knowing the hub's change", async () => {
    const { issue, pushed, edit, log } = await hub(open);
    const { event } = await edit({ title: "b" });
    const won = await pushed(retitled(issue, "sam", "c", "a"), 20 * MINUTE);
    const overwritten_by = { event_uid: won.uid, actor: "sam", at: won.created_at };
    expect((await log()).filter(isLost)).toMatchObject([{ event_id: event?.id, overwritten_by }]);
  });

  test("is named nowhere if each writer knew the previous write", async () => {
    const { w, issue, params, pushed, edit, log } = await hub(open);
    await pushed(retitled(issue, "sam", "c", "a"), 5 * MINUTE);
    await edit({ title: "b" });
    await pushed(retitled(issue, "sam", "d", "b"), 20 * MINUTE);
    expect((await log()).filter(isLost)).toEqual([]);
    expect((await w.call(showIssue, { params })).overwritten).toBeUndefined();
  });

  test("is named with the issue for at most the five newest changes that lost", async () => {
    const { w, issue, params, pushed } = await hub(open);
    for (const label of ["l1", "l2", "l3", "l4", "l5", "l6"]) {
      await w.call(addLabel, { params, body: { label } });
      const removed = { label, updated_at: w.clock.now() };
      await pushed(about(issue, "issue.unlabeled", "sam", removed), 5 * MINUTE);
    }
    const shown = await w.call(showIssue, { params });
    expect(shown.overwritten?.map(({ payload }) => payload["label"])).toEqual([
      ...["l2", "l3", "l4", "l5", "l6"],
    ]);
  });

  test("is found even if more than a thousand comments follow it", async () => {
    const { w, issue, params, pushed, edit, log } = await hub(open);
    await edit({ title: "b" });
    const comments = Array.from({ length: 1001 }, (_, at) => ({
      ...{ comment_uid: w.ids.ulid(), author: "bea", body: `c${at}`, created_at: w.clock.now() },
    }));
    await w.store.write(
      async (tx) =>
        await tx.appendAll(comments.map((one) => about(issue, "issue.commented", "bea", one))),
    );
    const late = await pushed(retitled(issue, "sam", "c", "a"), 5 * MINUTE);
    const [event] = await log({ after_id: late.id - 1 });
    expect(event).toMatchObject({ event_id: late.id, overwritten_by: { actor: "bea" } });
    const shown = await w.call(showIssue, { params });
    expect(shown.overwritten).toEqual([event]);
  });

  test("is not searched for in a project that is not federated", async () => {
    const { w, issue, pushed } = await hub(open);
    await pushed(about(issue, "issue.priority_cleared", "sam", { updated_at: "" }), 5 * MINUTE);
    const other = await w.given.issue({ project: await w.given.project("other") });
    await w.call(setIssuePriority, { params: other.path, body: { priority: 1 } });
    const Connection = open.dialect === "sqlite" ? SqliteConnection : PostgresConnection;
    const execute = vi.spyOn(Connection.prototype, "execute");
    await w.call(listIssueEvents, { params: other.path, query: { limit: 1 } });
    const reads = execute.mock.calls.filter(([sql]) => sql.includes("related_issue_uid"));
    execute.mockRestore();
    expect(reads).toHaveLength(1);
  });
});

describeStore("the write that won on a copy", (open) => {
  test("names its writer on this daemon as the actor, and is the hub's write if that is the later one", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const issue = await w.given.issue({ project, title: "a" });
    const copy = { role: "spoke", hub_url: "https://hub.example" } as const;
    await makeHub(w, project, { ...copy, push_enabled: 1, bound_actor: "sam" });
    const { pulled, baselined } = otherDaemons(w);
    await baselined(project.uid);
    w.clock.advance(10 * MINUTE);
    const params = issue.path;
    await w.call(editIssue, { params, body: { body: "of ben", actor: "ben" } });
    const body = { body: "of kim", updated_at: w.clock.now() };
    await pulled(about(issue, "issue.updated", "kim", body), 5 * MINUTE, 2);
    const log = async () =>
      (await w.call(listIssueEvents, { params })).events.flatMap(({ actor, overwritten_by }) =>
        overwritten_by === undefined ? [] : `${actor} by ${overwritten_by.actor}`,
      );
    expect(await log()).toEqual(["kim by ben"]);
    await pulled(about(issue, "issue.updated", "kim", { ...body, body: "x" }), 20 * MINUTE, 3);
    expect(await log()).toEqual(["sam by kim", "kim by ben"]);
  });
});
