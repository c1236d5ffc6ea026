import { describe, expect, test } from "vitest";
import { closeIssue } from "../../src/contract/actions.ts";
import type { EventKind } from "../../src/contract/event-kinds.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";
import { expectFolded } from "./fold.ts";

/** A child of `parent` that blocks `other`, is labeled and closed, and a comment that names it. */
async function given(open: OpenStore) {
  const w = await world({ store: open });
  const [parent, other] = [await w.given.issue(), await w.given.issue()];
  const before = await w.store.read(async ({ events }) => await events.lastId());
  const child = await w.given.issue({ title: "kept title" });
  await w.given.link(child, "parent", parent);
  await w.given.link(child, "blocks", other);
  await w.call(addLabel, { params: child.path, body: { label: "bug" } });
  await w.given.comment({ on: parent, body: `see ${child.short_id}` });
  await w.call(editIssue, { params: child.path, body: { title: "new title" } });
  await w.call(closeIssue, { params: child.path, body: { source: "tui" } });
  const events = (await w.events()).filter(({ id }) => id > before);
  const skip = async (...kinds: readonly EventKind[]) =>
    await w.store.write(
      async (tx) =>
        await tx.skipEvents(events.flatMap(({ uid, type }) => (kinds.includes(type) ? uid : []))),
    );
  return { w, parent, other, child, events, skip };
}

async function rowOf({ store }: World, uid: string) {
  return await store.read(async ({ issues }) => await issues.find(uid));
}

describeStore("skipped events that the hub never gets", (open) => {
  test("have no effect any more, and stay in the log with a mark", async () => {
    const { w, child, events, skip } = await given(open);
    expect(await rowOf(w, child.uid)).toMatchObject({ title: "new title", status: "closed" });
    expect(await skip("issue.updated", "issue.closed")).toBe(2);
    expect(await rowOf(w, child.uid)).toMatchObject({ title: "kept title", status: "open" });
    const after = (await w.events()).filter(({ id }) => id >= (events[0]?.id ?? 0));
    expect(after.map(({ uid }) => uid)).toEqual(events.map(({ uid }) => uid));
    const marked = after.filter(({ skipped_at }) => skipped_at !== undefined);
    expect(marked.map(({ type }) => type)).toEqual(["issue.updated", "issue.closed"]);
    await expectFolded(w.store);
  });

  test("keep the time of their mark if they are skipped again", async () => {
    const { w, skip } = await given(open);
    await skip("issue.updated");
    const at = (await w.events()).find(({ type }) => type === "issue.updated")?.skipped_at;
    w.clock.advance(1000);
    expect(await skip("issue.updated")).toBe(0);
    const again = (await w.events()).find(({ type }) => type === "issue.updated")?.skipped_at;
    expect(again).toBe(at);
  });

  test("lose their effect on links and labels", async () => {
    const { w, child, other, skip } = await given(open);
    await skip("issue.linked", "issue.links_changed", "issue.labeled");
    const shown = await w.call(showIssue, { params: child.path });
    expect(shown).toMatchObject({ issue: { labels: [] }, links: [] });
    expect((await w.call(showIssue, { params: other.path })).links).toEqual([]);
    await expectFolded(w.store);
  });

  describe("if they created an issue", () => {
    test("the issue disappears with its counts, and readers of the events must start again", async () => {
      const { w, parent, child, skip } = await given(open);
      const reset = async () =>
        await w.store.read(
          async ({ events }) => await events.resetAfter([parent.project_uid ?? ""]),
        );
      const before = await reset();
      await skip("issue.created");
      expect(await rowOf(w, child.uid)).toBeUndefined();
      expect(await reset()).toBeGreaterThan(before);
      await expectFolded(w.store);
    });

    test("a link from another issue to the issue that is gone becomes a waiting link, and later writes succeed", async () => {
      const { w, child, parent, skip } = await given(open);
      await w.given.link(parent, "related", child);
      await skip("issue.created");
      await expectFolded(w.store);
      const again = await w.given.issue({ title: "after" });
      expect(await rowOf(w, again.uid)).toBeDefined();
      await expectFolded(w.store);
    });
  });
});
