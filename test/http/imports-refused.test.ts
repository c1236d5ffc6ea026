import { expect, test } from "vitest";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import type { Input } from "../../src/contract/route.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

type Body = Input<typeof importIssues>["body"];
type Item = Body["items"][number];

const JULY = "2025-07-01T10:00:00Z";
const AUGUST = "2025-08-01T10:00:00Z";

function item(external_id: string, more: Partial<Item> = {}): Item {
  return {
    ...{ external_id, title: `issue ${external_id}`, author: "old hand", status: "open" },
    ...{ created_at: "2025-05-01T10:00:00Z", updated_at: "2025-06-01T10:00:00Z" },
    ...{ labels: [], metadata: {}, comments: [], links: [], ...more },
  };
}

describeStore("an import", (open) => {
  test("skips an issue that another actor has leased, and imports the rest", async () => {
    const { w, send, show, at } = await importer();
    await send([item("a"), item("b"), item("c"), item("d")]);
    for (const id of ["a", "c", "d"])
      await w.call(acquireIssueLease, { params: at(id), body: { holder: "bea" } });
    const comments = [{ external_id: "1", author: "cyd", body: "hi", created_at: JULY }];
    const items = [
      item("a", { updated_at: JULY, title: "new", comments }),
      item("b", { updated_at: JULY, title: "new" }),
      item("d", { updated_at: JULY, comments }),
    ];
    const result = await send(items, { removed: ["c"] });
    const reason = "somebody else holds its lease";
    expect(result).toMatchObject({ updated: 2, deleted: 0 });
    expect(
      result.items.map(({ external_id, status, reason: why }) => [external_id, status, why]),
    ).toEqual([
      ["a", "unchanged", reason],
      ["b", "updated", undefined],
      ["d", "updated", undefined],
      ["c", "unchanged", reason],
    ]);
    expect((await show("a")).issue.title).toBe("issue a");
    const again = await send(items, { removed: ["c"], actor: "bea" });
    expect(again).toMatchObject({ updated: 1, deleted: 1, conflicts: [] });
    expect((await show("a")).issue.title).toBe("new");
    await expectFolded(w.store);
  });

  test("asks once whether an issue that the source deleted should stay", async () => {
    const { w, send, show, at } = await importer();
    await send([item("a")]);
    await w.call(editIssue, { params: at("a"), body: { title: "here" } });
    expect((await send([], { removed: ["a"] })).conflicts).toMatchObject([{ field: "deleted" }]);
    const kept = await send([], { removed: ["a"], prefer: "local" });
    expect(kept.conflicts).toMatchObject([{ field: "deleted", decided: "local" }]);
    const events = await w.events();
    expect(await send([], { removed: ["a"] })).toMatchObject({ deleted: 0, conflicts: [] });
    expect(await send([], { only: ["b"] })).toMatchObject({ deleted: 0, conflicts: [] });
    expect(await w.events()).toEqual(events);
    await send([item("a", { updated_at: JULY, body: "back" })]);
    expect((await show("a")).issue).toMatchObject({ title: "here", body: "back" });
    expect((await send([], { removed: ["a"] })).conflicts).toMatchObject([{ field: "deleted" }]);
  });

  test("makes a link to a deleted issue once another part of the import restores it", async () => {
    const { w, send, show, at } = await importer();
    const links = [{ type: "related" as const, target_external_id: "b" }];
    await send([item("a"), item("b")]);
    await send([], { removed: ["b"] });
    const first = [item("a", { updated_at: JULY, links }), item("c", { links })];
    for (const _ of [1, 2]) {
      const waits = await send(first);
      expect(waits.errors).toEqual([
        "a related b: the target is deleted here",
        "c related b: the target is deleted here",
      ]);
      expect(waits.missing).toHaveLength(2);
    }
    const events = await w.events();
    await send(first);
    expect(await w.events()).toEqual(events);
    expect(await send([item("b", { updated_at: AUGUST })])).toMatchObject({ links: 2, errors: [] });
    for (const id of ["a", "c"])
      expect((await show(id)).links.map(({ to, from }) => [to.short_id, from.short_id])).toEqual([
        expect.arrayContaining([at(id).ref, at("b").ref]),
      ]);
    expect(await send([...first, item("b", { updated_at: AUGUST })])).toMatchObject({
      unchanged: 3,
      errors: [],
    });
    await expectFolded(w.store);
  });

  async function importer() {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const refs = new Map<string, string>();
    const at = (id: string) => ({ ...params, ref: refs.get(id) ?? "" });
    const send = async (
      items: Item[],
      { actor, ...more }: Partial<Body> & { actor?: string } = {},
    ) => {
      const body = { source: "beads", items, ...more };
      const result = await w.call(importIssues, {
        params,
        body,
        ...(actor === undefined ? {} : { actor }),
      });
      for (const one of result.items) refs.set(one.external_id, one.issue_short_id);
      return result;
    };
    const show = async (id: string) => await w.call(showIssue, { params: at(id) });
    return { w, params, send, at, show };
  }
});
