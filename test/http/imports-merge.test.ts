import { expect, test } from "vitest";
import { closeIssue, setIssuePriority } from "../../src/contract/actions.ts";
import { editComment } from "../../src/contract/comments.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import type { Input } from "../../src/contract/route.ts";
import { readyIssues } from "../../src/contract/search.ts";
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

function comment(id: string, body: string) {
  return { external_id: id, author: "cat", body, created_at: JUNE };
}

const blockedBy = (target_external_id: string) => ({
  type: "blocks" as const,
  incoming: true,
  target_external_id,
});

describeStore("a second import", (open) => {
  test("a second import applies what the source changed and removed, and keeps what was changed in svc", async () => {
    const { w, send, show, at } = await importer();
    await send([
      item("a", {
        labels: ["ui", "bug"],
        metadata: { estimate: 5, team: "x" },
        comments: [comment("1", "first"), comment("2", "second")],
        links: [blockedBy("b"), { type: "related", target_external_id: "c" }],
      }),
      item("b"),
      item("c"),
    ]);
    await w.call(addLabel, { params: at("a"), body: { label: "mine" } });
    await w.call(editIssue, { params: at("a"), body: { body: "written here" } });
    await w.call(setIssuePriority, { params: at("a"), body: { priority: 1 } });
    const result = await send([
      item("a", {
        updated_at: JULY,
        title: "renamed there",
        labels: ["ui", "soon"],
        metadata: { estimate: 8 },
        comments: [comment("1", "first, edited")],
        links: [{ type: "parent", target_external_id: "c" }],
      }),
    ]);
    expect(result).toMatchObject({ updated: 1, conflicts: [], errors: [] });
    expect(result.items[0]?.changed?.sort()).toEqual([
      "blocked_by.b",
      "comment.1",
      "comment.2",
      "label.bug",
      "label.soon",
      "metadata.estimate",
      "metadata.team",
      "parent",
      "related.c",
      "title",
    ]);
    const { issue, comments, links, parent } = await show("a");
    expect(issue).toMatchObject({
      title: "renamed there",
      body: "written here",
      priority: 1,
      labels: ["mine", "soon", "ui"],
      metadata: { estimate: 8 },
    });
    expect(comments.map(({ body }) => body)).toEqual([
      "first, edited",
      "(this comment was removed where it came from)",
    ]);
    expect(links.map(({ type }) => type)).toEqual(["parent"]);
    expect(parent?.short_id).toBe(at("c").ref);
    await expectFolded(w.store);
  });

  test("after a second import with changes, the same import once more writes nothing", async () => {
    const { w, send } = await importer();
    const first = [
      item("a", { comments: [comment("1", "x")], links: [blockedBy("b")], owner: "ann" }),
      item("b", { status: "closed", closed_at: JUNE }),
    ];
    const second = [
      item("a", { updated_at: JULY, comments: [comment("2", "y")], labels: ["l"] }),
      item("b", { updated_at: JULY, priority: 2, links: [blockedBy("a")] }),
    ];
    await send(first);
    expect(await send(second)).toMatchObject({ updated: 2 });
    const before = await w.events();
    w.clock.advance(1000);
    expect(await send(second)).toMatchObject({ updated: 0, unchanged: 2, conflicts: [] });
    expect(await w.events()).toEqual(before);
  });

  test("a second import keeps the local value of a conflict and reports its id and field until it is decided", async () => {
    const { w, send, show, at } = await importer();
    await send([item("a"), item("b")]);
    for (const id of ["a", "b"])
      await w.call(editIssue, { params: at(id), body: { title: "here", body: "here" } });
    const news = { updated_at: JULY, title: "there", body: "there" };
    const items = [item("a", news), item("b", news)];
    const conflict = {
      external_id: "a",
      issue_short_id: at("a").ref,
      field: "body",
      base: "",
      local: "here",
      upstream: "there",
    };
    for (const _ of [1, 2]) {
      const { conflicts } = await send(items);
      expect(conflicts).toHaveLength(4);
      expect(conflicts[0]).toEqual(conflict);
    }
    const decided = await send(items, {
      decisions: [{ external_id: "a", field: "title", take: "upstream" }],
      prefer: "local",
    });
    expect(decided.conflicts.map(({ field, decided }) => `${field} ${decided}`)).toEqual([
      "body local",
      "title upstream",
      "body local",
      "title local",
    ]);
    expect((await show("a")).issue).toMatchObject({ title: "there", body: "here" });
    expect((await show("b")).issue).toMatchObject({ title: "here", body: "here" });
    const before = await w.events();
    expect(await send(items)).toMatchObject({ unchanged: 2, conflicts: [] });
    expect(await w.events()).toEqual(before);
    const later = await send([item("b", { ...news, updated_at: "2025-08-01T00:00:00Z" })]);
    expect(later.conflicts).toEqual([]);
  });

  test("a second import with prefer=newer takes the side that changed the issue last", async () => {
    const { w, send, show, at } = await importer();
    await send([item("a"), item("b")]);
    for (const id of ["a", "b"])
      await w.call(editIssue, { params: at(id), body: { title: "here" } });
    const late = "2027-01-01T00:00:00Z";
    const items = [
      item("a", { title: "there", updated_at: late }),
      item("b", { title: "there", updated_at: JULY }),
    ];
    await send(items, { prefer: "newer" });
    expect([(await show("a")).issue.title, (await show("b")).issue.title]).toEqual([
      "there",
      "here",
    ]);
  });

  test("a second import ignores a state older than the last imported one, and says so", async () => {
    const { w, send, show } = await importer();
    await send([item("a")]);
    await send([item("a", { title: "new", updated_at: JULY })]);
    const before = await w.events();
    const result = await send([item("a")]);
    expect(result.items[0]).toMatchObject({
      status: "unchanged",
      reason: "a later state of it was imported before",
    });
    expect((await show("a")).issue.title).toBe("new");
    expect(await w.events()).toEqual(before);
  });

  test("a second import does not change fields that an item leaves out", async () => {
    const { send, show } = await importer();
    await send([
      item("a", { labels: ["l"], metadata: { m: 1 }, comments: [comment("1", "x")] }),
      item("b"),
    ]);
    const { labels: _l, metadata: _m, comments: _c, links: _k, ...bare } = item("a");
    await send([{ ...bare, title: "t", updated_at: JULY }]);
    const { issue, comments } = await show("a");
    expect(issue).toMatchObject({ title: "t", labels: ["l"], metadata: { m: 1 } });
    expect(comments.map(({ body }) => body)).toEqual(["x"]);
  });

  test("a second import keeps a comment that was edited on both sides until somebody decides", async () => {
    const { w, send, show, at } = await importer();
    await send([item("a", { comments: [comment("1", "x")] })]);
    const [known] = (await show("a")).comments;
    const params = { ...at("a"), comment_ref: known?.uid ?? "" };
    await w.call(editComment, { params, body: { body: "here" } });
    const items = [item("a", { updated_at: JULY, comments: [comment("1", "there")] })];
    const { conflicts } = await send(items);
    expect(conflicts).toMatchObject([{ field: "comment.1", local: "here", upstream: "there" }]);
    await send(items, { prefer: "upstream" });
    expect((await show("a")).comments.map(({ body }) => body)).toEqual(["there"]);
  });

  test("a second import closes and reopens issues as the source did, and accepts that both sides closed an issue", async () => {
    const { w, send, show, at } = await importer();
    await send([item("a"), item("b"), item("c", { status: "closed", closed_at: JUNE })]);
    await w.call(closeIssue, {
      params: at("b"),
      body: {
        reason: "wontfix",
        message: "not this one here, since nobody has asked for it in the last two years",
      },
    });
    const closed = { status: "closed" as const, closed_at: JULY, updated_at: JULY };
    const result = await send([
      item("a", closed),
      item("b", closed),
      item("c", { updated_at: JULY }),
    ]);
    expect(result.conflicts).toMatchObject([
      { external_id: "b", field: "status", local: "closed wontfix", upstream: "closed done" },
    ]);
    expect((await show("a")).issue).toMatchObject({
      status: "closed",
      closed_at: "2025-07-01T10:00:00.000Z",
    });
    expect((await show("b")).issue.closed_reason).toBe("wontfix");
    expect((await show("c")).issue.status).toBe("open");
  });

  test("a second import can reverse a parent link without making a circle, and reports a circle in the source", async () => {
    const { send, show, at } = await importer();
    const parent = (target_external_id: string) => [
      { type: "parent" as const, target_external_id },
    ];
    await send([item("a", { links: parent("b") }), item("b")]);
    const turned = [
      item("b", { links: parent("a"), updated_at: JULY }),
      item("a", { updated_at: JULY }),
    ];
    expect(await send(turned)).toMatchObject({ errors: [], links: 1 });
    expect((await show("b")).parent?.short_id).toBe(at("a").ref);
    const circle = [item("a", { links: parent("b"), updated_at: "2025-08-01T00:00:00Z" })];
    for (const _ of [1, 2]) {
      const { errors } = await send(circle);
      expect(errors).toEqual(["a parent b: would create a parent cycle"]);
    }
  });

  test("a second import reports an issue that was deleted in svc and changed in the source, and restores it on request", async () => {
    const { w, send, show, at } = await importer();
    await send([item("a")]);
    await w.given.deleted({ uid: (await show("a")).issue.uid });
    expect(await send([item("a")])).toMatchObject({ unchanged: 1, conflicts: [] });
    const items = [item("a", { title: "there", updated_at: JULY })];
    expect(await send(items)).toMatchObject({
      conflicts: [{ external_id: "a", field: "deleted", local: true, upstream: false }],
      items: [{ status: "unchanged", reason: "it was deleted here" }],
    });
    const back = await send(items, {
      decisions: [{ external_id: "a", field: "deleted", take: "upstream" }],
    });
    expect(back.items[0]).toMatchObject({ status: "updated", changed: ["deleted", "title"] });
    expect((await show("a")).issue.title).toBe("there");
    expect(at("a").ref).toBe((await show("a")).issue.short_id);
  });

  test("a second import deletes what the source deleted, and restores it when the source does", async () => {
    const { w, send, show, params, at } = await importer();
    await send([item("a"), item("b"), item("c")]);
    await w.call(editIssue, { params: at("c"), body: { title: "here" } });
    const gone = await send([], { removed: ["a", "c", "nowhere"] });
    expect(gone).toMatchObject({
      deleted: 1,
      items: [
        { external_id: "a", status: "deleted" },
        { external_id: "c", status: "unchanged" },
      ],
      conflicts: [{ external_id: "c", field: "deleted", local: false, upstream: true }],
    });
    const ready = await w.call(readyIssues, { params });
    expect(ready.issues.map(({ short_id }) => short_id).sort()).toEqual(
      [at("b").ref, at("c").ref].sort(),
    );
    expect(await send([], { removed: ["a"] })).toMatchObject({ deleted: 0, items: [] });
    expect(await send([item("a")])).toMatchObject({ updated: 1, conflicts: [] });
    expect((await show("a")).issue.title).toBe("issue a");
    await expectFolded(w.store);
  });

  test("a second import makes the links that waited for an issue, once that issue is imported", async () => {
    const { w, send, show, at } = await importer();
    const links = [blockedBy("b"), { type: "parent" as const, target_external_id: "c" }];
    const first = await send([item("a", { links })]);
    expect(first.missing.map(({ target_external_id }) => target_external_id)).toEqual(["b", "c"]);
    expect(await send([item("b", { links: [blockedBy("a")] })])).toMatchObject({ links: 2 });
    expect(await send([item("c")])).toMatchObject({ links: 1 });
    const { links: shown, parent } = await show("a");
    expect(shown.map(({ type }) => type).sort()).toEqual(["blocks", "blocks", "parent"]);
    expect(parent?.short_id).toBe(at("c").ref);
    const before = await w.events();
    expect(await send([item("a", { links }), item("c")])).toMatchObject({
      unchanged: 2,
      errors: [],
    });
    expect(await w.events()).toEqual(before);
    await send([item("a", { links: [], updated_at: JULY })]);
    expect((await show("a")).links.map(({ type }) => type)).toEqual(["blocks"]);
    await expectFolded(w.store);
  });

  test("a second import can be repeated after it was undone", async () => {
    const { w, send, show } = await importer();
    await send([item("a", { comments: [comment("1", "x")] }), item("b")]);
    w.clock.advance(1000);
    const since = w.clock.now();
    const news = { updated_at: JULY, title: "there", labels: ["l"], links: [blockedBy("b")] };
    const items = [item("a", { ...news, comments: [comment("1", "y")] }), item("b")];
    await send(items);
    w.clock.advance(1000);
    const undo = async (from: string) => {
      const body = { of_actor: "ann", since: from };
      const { confirm } = await w.call(undoGlobal, { body: { ...body, dry_run: true } });
      await w.call(undoGlobal, { body, headers: { "x-svc-confirm": confirm } });
      w.clock.advance(1000);
    };
    await undo(since);
    expect((await show("a")).issue).toMatchObject({ title: "issue a", labels: [] });
    expect(await send(items)).toMatchObject({ updated: 1, conflicts: [], links: 1 });
    const { issue, comments, links } = await show("a");
    expect(issue).toMatchObject({ title: "there", labels: ["l"] });
    expect([comments.map(({ body }) => body), links.length]).toEqual([["y"], 1]);
    await expectFolded(w.store);
  });

  test("a second import restores issues whose creation by the first import was undone", async () => {
    const { w, send, show } = await importer();
    const since = w.clock.now();
    await send([item("a", { labels: ["l"] })]);
    w.clock.advance(1000);
    const body = { of_actor: "ann", since };
    const { confirm } = await w.call(undoGlobal, { body: { ...body, dry_run: true } });
    await w.call(undoGlobal, { body, headers: { "x-svc-confirm": confirm } });
    const back = await send([item("a", { labels: ["l"], title: "new", updated_at: JULY })]);
    expect(back).toMatchObject({ updated: 1, conflicts: [] });
    expect((await show("a")).issue).toMatchObject({ title: "new", labels: ["l"] });
  });

  test("a second import deletes the issues that a complete file lacks, but only those of the same source", async () => {
    const { w, send, params, at } = await importer();
    await send([item("a"), item("b")]);
    await w.call(importIssues, { params, body: { source: "other", items: [item("a")] } });
    expect(await send([], { only: ["b"] })).toMatchObject({
      deleted: 1,
      items: [{ external_id: "a", issue_short_id: at("a").ref, status: "deleted" }],
    });
    const ready = await w.call(readyIssues, { params });
    expect(ready.issues).toHaveLength(2);
  });

  test("a second import follows an issue that was moved to another project", async () => {
    const { w, send, at } = await importer();
    const shop = await w.given.project("shop");
    await send([item("a")]);
    await w.call(moveIssue, {
      params: at("a"),
      headers: { "if-match": '"rev-1"' },
      body: { to_project_uid: shop.uid },
    });
    expect(await send([item("a", { title: "there", updated_at: JULY })])).toMatchObject({
      updated: 1,
    });
    const moved = { ...shop.path, ref: at("a").ref };
    expect((await w.call(showIssue, { params: moved })).issue.title).toBe("there");
  });

  test("a dry run of a second import reports what the import would do, and does nothing", async () => {
    const { w, send } = await importer();
    await send([item("a", { labels: ["x"] })]);
    const before = await w.events();
    const items = [
      item("a", { title: "t", updated_at: JULY }),
      item("b"),
      item("c", { links: [blockedBy("b")] }),
    ];
    const tried = await send(items, { dry_run: true });
    expect(await w.events()).toEqual(before);
    const done = await send(items);
    const { batch_uid: _a, dry_run, items: would, ...rest } = tried;
    const { batch_uid: _b, dry_run: no, items: did, ...same } = done;
    expect([dry_run, no, rest]).toEqual([true, false, same]);
    const told = (list: typeof did) => list.map((one) => ({ ...one, issue_short_id: "" }));
    expect(told(would)).toEqual(told(did));
  });

  test("a second import does not put back a label that was removed in svc", async () => {
    const { w, send, show, at } = await importer();
    await send([item("a", { labels: ["x", "y"] })]);
    await w.call(removeLabel, { params: { ...at("a"), label: "x" } });
    expect(await send([item("a", { labels: ["x", "y"], updated_at: JULY })])).toMatchObject({
      conflicts: [],
    });
    expect((await show("a")).issue.labels).toEqual(["y"]);
  });

  test("a second import sees what other imports of the same transaction wrote", async () => {
    const { send, show } = await importer();
    await send([item("a")]);
    const titles = ["one", "two", "three", "four"];
    const results = await Promise.all(
      titles.map(async (title, at) => {
        return await send([item("a", { title, updated_at: `2025-07-0${at + 1}T10:00:00Z` })]);
      }),
    );
    expect(results.flatMap(({ conflicts }) => conflicts)).toEqual([]);
    expect((await show("a")).issue.title).toBe("four");
  });

  test("a second import makes no link that the source removed before its other end was imported", async () => {
    const { send, show } = await importer();
    await send([item("a", { links: [blockedBy("b")] })]);
    expect(await send([item("a", { updated_at: JULY }), item("b")])).toMatchObject({ links: 0 });
    expect((await show("b")).links).toEqual([]);
  });

  test("a second import keeps a related link that the source now states at its other end", async () => {
    const { w, send, show } = await importer();
    const related = (to: string) => ({ type: "related" as const, target_external_id: to });
    const turned = [
      item("a", { updated_at: JULY, links: [] }),
      item("b", { updated_at: JULY, links: [related("a")] }),
    ];
    await send([item("a", { links: [related("b")] }), item("b")]);
    for (const part of turned.toReversed()) await send([part]);
    expect((await show("a")).links).toHaveLength(1);
    const back = turned.map((one, at) =>
      item(one.external_id, { links: at === 0 ? [related("b")] : [] }),
    );
    await send(back.map((one) => ({ ...one, updated_at: "2025-08-01T10:00:00Z" })));
    expect((await show("a")).links).toHaveLength(1);
    await expectFolded(w.store);
  });

  test("a second import names an issue once if it makes links of the issue that had waited for their other end", async () => {
    const { send } = await importer();
    await send([item("a", { links: [blockedBy("c")] }), item("b", { links: [blockedBy("c")] })]);
    const items = [item("a", { links: [blockedBy("c")] }), item("c")];
    const dry = await send(items, { dry_run: true });
    expect(dry).toMatchObject({ created: 1, updated: 2, unchanged: 0, links: 2 });
    expect(dry.items).toMatchObject([
      { external_id: "a", changed: ["blocked_by.c"] },
      { external_id: "c", status: "created" },
      { external_id: "b", changed: ["blocked_by.c"] },
    ]);
    const { links: _, ...first } = items[0] ?? item("a");
    expect(await send([first, item("c")])).toMatchObject({ updated: 2, links: 2 });
  });

  test("a second import makes no link to an issue of another project that has the same external id", async () => {
    const { w, send, show } = await importer();
    await send([item("a", { links: [blockedBy("b")] })]);
    const { path } = await w.given.project("other");
    const body = { source: "beads", items: [item("b")] };
    expect(await w.call(importIssues, { params: path, body })).toMatchObject({ links: 0 });
    expect((await show("a")).links).toEqual([]);
    expect(await send([item("b")])).toMatchObject({ links: 1 });
  });

  async function importer() {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const refs = new Map<string, string>();
    const at = (id: string) => ({ ...params, ref: refs.get(id) ?? "" });
    const send = async (items: Item[], more: Partial<Body> = {}) => {
      const body = { source: "beads", items, ...more };
      const result = await w.call(importIssues, { params, body });
      if (more.dry_run !== true)
        for (const one of result.items) refs.set(one.external_id, one.issue_short_id);
      return result;
    };
    const show = async (id: string) => await w.call(showIssue, { params: at(id) });
    return { w, params, send, at, show };
  }
});
