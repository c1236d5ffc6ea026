import { expect, test } from "vitest";
import { closeIssue } from "../../src/contract/actions.ts";
import { listImports, undoImport } from "../../src/contract/import-batches.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { restoreIssue } from "../../src/contract/removal.ts";
import type { Input, Output } from "../../src/contract/route.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

type Body = Input<typeof importIssues>["body"];
type Item = Body["items"][number];

const JUNE = "2025-06-01T10:00:00Z";
const JULY = "2025-07-01T10:00:00Z";

function item(external_id: string, more: Partial<Item> = {}): Item {
  return {
    external_id,
    title: `issue ${external_id}`,
    author: "old hand",
    status: "open",
    created_at: "2025-05-01T10:00:00Z",
    updated_at: JUNE,
    labels: [],
    metadata: {},
    comments: [],
    links: [],
    ...more,
  };
}

const comment = (id: string, body: string) => ({
  ...{ external_id: id, author: "cat", body, created_at: JUNE },
});
const blockedBy = (target_external_id: string) => ({
  ...{ type: "blocks" as const, incoming: true, target_external_id },
});
const BEA = { actor: "bea" };

describeStore("the undo of an import", (open) => {
  test("an undo deletes what the import created and restores what it changed", async () => {
    const { w, send, undo, show, at, gone } = await importer();
    await send([
      item("a", { labels: ["ui"], comments: [comment("1", "first")], links: [blockedBy("b")] }),
      item("b", { status: "closed", closed_at: JUNE }),
    ]);
    const before = [await show("a"), await show("b")].map(plain);
    const { batch_uid } = await send([
      item("a", {
        ...{ updated_at: JULY, title: "new", body: "text", priority: 1, labels: ["bug"] },
        ...{ metadata: { m: 1 }, comments: [comment("1", "edited")], links: [blockedBy("c")] },
      }),
      item("b", { updated_at: JULY }),
      item("c", { links: [blockedBy("b")] }),
    ]);
    const asked = await undo(batch_uid, { dry_run: true });
    expect(asked).toMatchObject({ dry_run: true, deleted: 1, reverted: 2, conflicts: [] });
    expect(asked.items.map(({ external_id, status }) => `${external_id} ${status}`).sort()).toEqual(
      ["a reverted", "b reverted", "c deleted"],
    );
    const changed = asked.items.find(({ external_id }) => external_id === "a")?.changed;
    expect(changed?.map((name) => name.replace(/^comment .*/, "comment")).sort()).toEqual([
      ...["body", "comment", "label bug", "label ui", `link blocked_by web#${at("b").ref}`],
      ...["metadata m", "priority", "title"],
    ]);
    const { batch, dry_run: _, ...done } = await undo(batch_uid);
    expect({ ...done, dry_run: true }).toEqual(asked);
    expect(batch).toMatchObject({ actor: "ann" });
    expect([await show("a"), await show("b")].map(plain)).toEqual(before);
    expect(await gone("c")).toBe(true);
    await expectFolded(w.store);
  });

  test("an undo changes nothing the second time, and says what was undone before", async () => {
    const { w, send, undo } = await importer();
    await send([item("a"), item("b")]);
    const { batch_uid } = await send([
      item("a", { updated_at: JULY, title: "new" }),
      item("b", { updated_at: JULY }),
      item("c", { links: [blockedBy("z")] }),
    ]);
    await undo(batch_uid);
    const events = await w.events();
    const again = await undo(batch_uid);
    // Of b, the import has only moved a time, which no undo moves back.
    expect(again).toMatchObject({ deleted: 0, reverted: 0, undone_before: 2, items: [] });
    expect(again.batch).toBeUndefined();
    expect(await w.events()).toEqual(events);
  });

  test("an undo keeps what others have changed since the import, and names it", async () => {
    const { w, send, undo, show, at, gone } = await importer();
    await send([item("a"), item("b"), item("c")]);
    const { batch_uid } = await send([
      item("a", { updated_at: JULY, title: "new", body: "new" }),
      item("b", { updated_at: JULY, title: "new", links: [blockedBy("n")] }),
      item("c", { updated_at: JULY, title: "new" }),
      item("n"),
      item("o"),
    ]);
    await w.call(editIssue, { params: at("a"), body: { title: "bea's", ...BEA } });
    await w.call(editIssue, { params: at("b"), body: { body: "bea's", ...BEA } });
    await w.call(addLabel, { params: at("n"), body: { label: "mine", ...BEA } });
    await w.call(acquireIssueLease, { params: at("c"), body: { holder: "bea" } });
    const done = await undo(batch_uid);
    expect(done).toMatchObject({ deleted: 1, reverted: 1 });
    expect(done.conflicts.map(({ field, reason }) => `${field} ${reason}`).sort()).toEqual([
      "issue changed_later",
      "title changed_later",
      "title leased",
    ]);
    expect((await show("a")).issue).toMatchObject({ title: "bea's", body: "new" });
    const b = await show("b");
    expect(b.issue).toMatchObject({ title: "issue b", body: "bea's" });
    expect(b.links).toEqual([]);
    expect((await show("c")).issue.title).toBe("new");
    expect([await gone("n"), await gone("o")]).toEqual([false, true]);
    await w.call(editIssue, { params: at("a"), body: { title: "new", actor: "ann" } });
    expect((await undo(batch_uid)).conflicts).toHaveLength(3);
    await expectFolded(w.store);
  });

  test("the same import can run again after an undo, and can be undone again", async () => {
    const { w, send, undo, show, at } = await importer();
    const first = [item("a", { labels: ["x"], comments: [comment("1", "one")] }), item("b")];
    const second = [
      item("a", { updated_at: JULY, title: "new", labels: ["y"], comments: [comment("1", "two")] }),
      item("b", { updated_at: JULY, status: "closed", closed_at: JULY }),
      item("c", { links: [blockedBy("a"), blockedBy("later")] }),
    ];
    await send(first);
    await w.call(editIssue, { params: at("b"), body: { title: "issue b", owner: "bea", ...BEA } });
    const once = await send(second);
    const state = [await show("a"), await show("b"), await show("c")].map(plain);
    await undo(once.batch_uid);
    const back = await send(second);
    expect(back).toMatchObject({ updated: 3, conflicts: [] });
    expect([await show("a"), await show("b"), await show("c")].map(plain)).toEqual(state);
    expect(await send(second)).toMatchObject({ updated: 0, unchanged: 3 });
    await undo(back.batch_uid);
    // A link that only the undone imports had read does not wait any longer.
    expect(await send([item("later")])).toMatchObject({ links: 0 });
    expect(await send(first)).toMatchObject({ updated: 0, unchanged: 2, conflicts: [] });
    await expectFolded(w.store);
  });

  test("an undo keeps what a later import changed", async () => {
    const { send, undo, show, gone } = await importer();
    const first = await send([item("a"), item("b")]);
    const second = await send([item("a", { updated_at: JULY, title: "new" })]);
    const done = await undo(first.batch_uid);
    expect(done).toMatchObject({ deleted: 1, conflicts: [{ field: "issue" }] });
    expect((await show("a")).issue.title).toBe("new");
    await undo(second.batch_uid);
    expect(await undo(first.batch_uid)).toMatchObject({ deleted: 1, undone_before: 1 });
    expect([await gone("a"), await gone("b")]).toEqual([true, true]);
  });

  test("an undo counts each removed link at the issue that had it", async () => {
    const { w, send, undo, imports } = await importer();
    await send([item("a"), item("b")]);
    w.clock.advance(1000);
    const second = await send([item("a", { updated_at: JULY, links: [blockedBy("b")] })]);
    w.clock.advance(1000);
    const toNew = item("a", { updated_at: JULY, links: [blockedBy("b"), blockedBy("n")] });
    const third = await send([toNew, item("n")]);
    await undo(third.batch_uid);
    expect((await imports()).map(({ undone }) => undone)).toEqual([2, 0, 0]);
    await undo(second.batch_uid);
    expect((await imports()).map(({ undone }) => undone)).toEqual([2, 1, 0]);
    await expectFolded(w.store);
  });

  test("an undo is not stopped by a link that an earlier undo has removed", async () => {
    const { w, send, undo, gone } = await importer();
    await send([item("b")]);
    const first = await send([item("a")]);
    const second = await send([item("a", { updated_at: JULY, links: [blockedBy("b")] })]);
    await undo(second.batch_uid);
    expect(await undo(first.batch_uid)).toMatchObject({ deleted: 1, conflicts: [] });
    expect([await gone("a"), await gone("b")]).toEqual([true, false]);
    await expectFolded(w.store);
  });

  test("an undo of an earlier import is complete once later imports that linked to its issues were undone", async () => {
    const { w, send, undo, gone } = await importer();
    const first = await send([item("a"), item("b"), item("c"), item("d")]);
    const links = { parent: { type: "parent" as const, target_external_id: "c" } };
    const second = await send([
      item("n", { links: [blockedBy("a"), links.parent] }),
      item("b", { updated_at: JULY, links: [blockedBy("n")] }),
      item("d", { updated_at: JULY, links: [blockedBy("b")] }),
    ]);
    expect(await undo(second.batch_uid)).toMatchObject({ deleted: 1, reverted: 1, conflicts: [] });
    expect(await undo(first.batch_uid)).toMatchObject({ deleted: 4, conflicts: [] });
    for (const id of ["a", "b", "c", "d", "n"]) expect(await gone(id)).toBe(true);
    await expectFolded(w.store);
  });

  test("an undo restores issues that the import deleted, and reopens issues that it closed", async () => {
    const { send, undo, show } = await importer();
    await send([item("a"), item("b")]);
    const closed = { updated_at: JULY, status: "closed" as const, closed_at: JULY };
    const { batch_uid } = await send([item("b", closed)], { removed: ["a"] });
    expect(await undo(batch_uid)).toMatchObject({ reverted: 2 });
    expect([(await show("a")).issue.status, (await show("b")).issue.status]).toEqual([
      ...["open", "open"],
    ]);
    expect(await send([], { removed: ["a"] })).toMatchObject({ deleted: 1 });
  });

  test("an undo is listed with its import until the undo itself is undone", async () => {
    const { w, send, undo, imports, show, at } = await importer();
    const first = await send([item("a"), item("b")]);
    w.clock.advance(1000);
    const second = await send([item("a", { updated_at: JULY, title: "new" }), item("c")]);
    await send([item("a", { updated_at: JULY, title: "new" })]);
    w.clock.advance(1000);
    const other = await w.given.project("other");
    const body = { source: "other", items: [item("z")] };
    await w.call(importIssues, { params: other.path, body });
    expect(await imports()).toMatchObject([
      { batch_uid: second.batch_uid, created: 1, updated: 1, deleted: 0, undone: 0 },
      { batch_uid: first.batch_uid, source: "beads", actor: "ann", created: 2, updated: 0 },
    ]);
    w.clock.advance(1000);
    const since = w.clock.now();
    await undo(second.batch_uid);
    expect((await imports()).map(({ undone }) => undone)).toEqual([2, 0]);
    w.clock.advance(1000);
    const span = { of_actor: "ann", since };
    const { confirm } = await w.call(undoGlobal, { body: { ...span, dry_run: true } });
    await w.call(undoGlobal, { body: span, headers: { "x-svc-confirm": confirm } });
    expect((await imports()).map(({ undone }) => undone)).toEqual([0, 0]);
    expect((await show("a")).issue.title).toBe("new");
    await undo(second.batch_uid);
    expect((await show("a")).issue.title).toBe("issue a");
    expect((await imports()).map(({ undone }) => undone)).toEqual([2, 0]);
    await w.call(restoreIssue, { params: at("c"), headers: {} });
    expect((await imports()).map(({ undone }) => undone)).toEqual([1, 0]);
    expect(await undo(second.batch_uid)).toMatchObject({ deleted: 0 });
  });

  test("imports are listed page by page, and an undo of an import of another project is refused", async () => {
    const { w, send, params } = await importer();
    const first = await send([item("a")]);
    const second = await send([item("b")]);
    const page = await w.call(listImports, { params, query: { limit: 1 } });
    expect(page).toMatchObject({
      imports: [{ batch_uid: second.batch_uid }],
      next_before: second.batch_uid,
    });
    const rest = await w.call(listImports, { params, query: { before: second.batch_uid } });
    expect(rest.imports.map(({ batch_uid }) => batch_uid)).toEqual([first.batch_uid]);
    expect(rest.next_before).toBeUndefined();
    const other = await w.given.project("other");
    const elsewhere = { ...other.path, batch_uid: first.batch_uid };
    for (const place of [elsewhere, { ...params, batch_uid: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }])
      expect(await w.refused(undoImport, { params: place, body: {} })).toMatchObject({
        code: "import_not_found",
      });
    const nowhere = { project_id: 99, batch_uid: first.batch_uid };
    for (const refused of [
      await w.refused(undoImport, { params: nowhere, body: {} }),
      await w.refused(listImports, { params: { project_id: 99 } }),
    ])
      expect(refused).toMatchObject({ code: "project_not_found" });
  });

  test("an undo in portions continues where the previous portion ended", async () => {
    const { w, undo, params, send } = await importer();
    const many = Array.from({ length: 550 }, (_, at) =>
      item(`i${at}`, at % 2 === 0 ? {} : { links: [blockedBy(`i${at - 1}`)] }),
    );
    const { batch_uid } = await send(many);
    const sums = [];
    let after: string | undefined;
    do {
      const part = await undo(batch_uid, after === undefined ? {} : { after });
      sums.push([part.deleted, part.conflicts.length]);
      after = part.next_after;
    } while (after !== undefined);
    expect(sums).toEqual([
      [500, 0],
      [50, 0],
    ]);
    const { imports } = await w.call(listImports, { params });
    expect(imports).toMatchObject([{ created: 550, undone: 550 }]);
    expect(await send(many)).toMatchObject({ updated: 550, conflicts: [], errors: [] });
  });

  test("an undo does not close an issue again if the issue has open children by then", async () => {
    const { w, send, undo, show, at } = await importer();
    const links = [{ type: "parent" as const, target_external_id: "p" }];
    await send([item("p", { status: "closed", closed_at: JUNE }), item("k")]);
    const { batch_uid } = await send([item("p", { updated_at: JULY }), item("n", { links })]);
    await w.call(editIssue, { params: at("n"), body: { title: "bea's", ...BEA } });
    const done = await undo(batch_uid);
    expect(done.conflicts.map(({ reason }) => reason).sort()).toEqual([
      "changed_later",
      "open_children",
    ]);
    expect((await show("p")).issue.status).toBe("open");
    const message = "this one was finished long before it came here, as its author says";
    await w.call(closeIssue, { params: at("n"), body: { reason: "wontfix", message, ...BEA } });
    expect(await undo(batch_uid)).toMatchObject({ reverted: 1, conflicts: [{ field: "issue" }] });
    expect((await show("p")).issue.status).toBe("closed");
  });

  /** Leaves out the fields that every change updates. */
  function plain({ issue, comments, links, parent }: Output<typeof showIssue>) {
    const { updated_at: _u, revision: _r, ...fields } = issue;
    const ends = links.map(({ type, from, to }) => ({ type, from, to }));
    return { fields, ends, parent, comments: comments.map(({ body }) => body) };
  }

  async function importer() {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const refs = new Map<string, string>();
    const at = (id: string) => ({ ...params, ref: refs.get(id) ?? "" });
    const send = async (items: Item[], more: Partial<Body> = {}) => {
      const body = { source: "beads", items, ...more };
      const result = await w.call(importIssues, { params, body });
      for (const one of result.items) refs.set(one.external_id, one.issue_short_id);
      w.clock.advance(1000);
      return result;
    };
    const undo = async (batch_uid: string, body: object = {}) =>
      await w.call(undoImport, { params: { ...params, batch_uid }, body });
    const imports = async () => (await w.call(listImports, { params })).imports;
    const show = async (id: string) => await w.call(showIssue, { params: at(id) });
    const gone = async (id: string) => (await w.send(showIssue, { params: at(id) })).status === 404;
    return { w, params, send, undo, imports, at, show, gone };
  }
});
