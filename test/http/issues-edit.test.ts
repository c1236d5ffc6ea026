import { describe, expect, test } from "vitest";
import { editIssue, patchIssueMetadata, showIssue } from "../../src/contract/issues.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const LATER = "2026-01-01T00:00:01.000Z";

/** Makes the issues `a` to `d` of one project, and `far` of another. */
async function family(w: World) {
  const web = await w.given.project("web");
  const shop = await w.given.project("shop");
  const [a, b, c, d] = [
    await w.given.issue({ project: web, title: "a" }),
    await w.given.issue({ project: web, title: "b" }),
    await w.given.issue({ project: web, title: "c" }),
    await w.given.issue({ project: web, title: "d" }),
  ];
  const far = await w.given.issue({ project: shop, title: "far" });
  w.clock.advance(1000);
  return { web, shop, a, b, c, d, far, made: 5 };
}

describeStore("editing the fields of an issue", (open) => {
  test("an edit changes the fields in one step, with one event for fields and one for priority", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "old", body: "old text" });
    w.clock.advance(1000);
    const edited = await w.call(editIssue, {
      params: issue.path,
      body: { title: "new", body: "", owner: "bea", set_priority: 0, actor: "cid" },
    });
    expect(edited).toMatchObject({
      changed: true,
      issue: { title: "new", body: "", owner: "bea", priority: 0, revision: 2, updated_at: LATER },
    });
    expect(edited.changes).toBeUndefined();
    expect(edited.events.map(({ type, actor }) => [type, actor])).toEqual([
      ["issue.updated", "cid"],
      ["issue.priority_set", "cid"],
    ]);
    expect(edited.event).toEqual(edited.events[1]);
    const [updated, prioritised] = edited.events.map(({ payload }) => JSON.parse(payload));
    expect(updated).toEqual({
      title: "new",
      old_title: "old",
      body: "",
      owner: "bea",
      old_owner: null,
      updated_at: LATER,
    });
    expect(prioritised).toEqual({ priority: 0, updated_at: LATER });
  });

  test("an edit changes metadata in the same step, or nothing at all", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue({ title: "old" });
    const metadata = { deadline_on: "2026-02-01", note: "x" };
    const edited = await w.call(editIssue, {
      params,
      body: { title: "new", owner: "bea", metadata, actor: "cid" },
    });
    expect(edited).toMatchObject({ changed: true, issue: { title: "new", metadata } });
    expect(edited.events.map(({ type }) => type)).toEqual([
      ...["issue.updated", "issue.metadata_updated"],
    ]);
    const noted = JSON.parse(edited.events[1]?.payload ?? "{}") as { revision_new?: number };
    expect(noted.revision_new).toBe(edited.issue.revision);
    const same = await w.call(editIssue, { params, body: { metadata, actor: "cid" } });
    expect(same).toMatchObject({ changed: false, events: [] });
    const body = { metadata: { deadline_on: null }, actor: "cid" };
    const cleared = await w.call(editIssue, { params, body });
    expect(cleared.issue.metadata).toEqual({ note: "x" });
    const wrong = { title: "newer", metadata: { deadline_on: "soon" }, actor: "cid" };
    const refused = await w.refused(editIssue, { params, body: wrong });
    expect(refused.code).toBe("invalid_metadata_value");
    expect((await w.call(showIssue, { params })).issue.title).toBe("new");
    await expectFolded(w.store);
  });

  test("an edit keeps the revision unless the owner changes", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue({ owner: "bea", priority: 2 });
    const revisions = [];
    for (const body of [
      { title: "x" },
      { body: "x" },
      { set_priority: 1 },
      { clear_priority: true },
      { owner: "cid" },
      { owner: "" },
    ]) {
      revisions.push((await w.call(editIssue, { params, body })).issue.revision);
    }
    expect(revisions).toEqual([1, 1, 1, 1, 2, 3]);
  });

  describe("expected_body_hash", () => {
    // printf '%s' "old ä" | sha256sum; the hash of "" is that of no bytes.
    const OLD = "f8170ce74516c935de6b285117c261deaf66d23692d74f251545262b0eb7e077";
    const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    test("expected_body_hash accepts the hash of the stored body, even of an empty one, for any field", async () => {
      const w = await world({ store: open });
      const { path: params } = await w.given.issue({ body: "old ä" });
      const edit = async (body: object) => await w.call(editIssue, { params, body });
      const titled = await edit({ title: "new", expected_body_hash: OLD });
      expect(titled.issue).toMatchObject({ title: "new", body: "old ä", revision: 1 });
      expect((await edit({ body: "", expected_body_hash: OLD })).issue.body).toBe("");
      expect((await edit({ body: "x", expected_body_hash: EMPTY })).issue.body).toBe("x");
    });

    test("expected_body_hash refuses another hash, names the present one, and changes nothing", async () => {
      const w = await world({ store: open });
      const { path: params } = await w.given.issue({ title: "old", body: "old ä" });
      const first = { body: "old ä", expected_body_hash: EMPTY };
      for (const change of [first, { ...first, title: "new", set_priority: 1 }]) {
        const refused = await w.refused(editIssue, { params, body: change });
        expect(refused).toMatchObject({ code: "body_conflict", data: { body_hash: OLD } });
      }
      expect((await w.call(showIssue, { params })).issue).toMatchObject({ title: "old" });
      expect(await w.eventKinds()).toEqual(["issue.created"]);
    });

    test("expected_body_hash lets only one of two pages that edit the same text succeed", async () => {
      const w = await world({ store: open });
      const { path: params } = await w.given.issue({ body: "old ä" });
      const pages = ["mine", "yours"].map(async (body) => {
        const answer = await w.send(editIssue, { params, body: { body, expected_body_hash: OLD } });
        return answer.status;
      });
      expect((await Promise.all(pages)).sort()).toEqual([200, 409]);
    });

    test.each([
      ["upper case", OLD.toUpperCase()],
      ["63 digits", OLD.slice(1)],
      ["65 digits", `${OLD}0`],
      ["no digit", `g${OLD.slice(1)}`],
      ["nothing", ""],
    ])("expected_body_hash is refused if it has %s", async (_, expected_body_hash) => {
      const w = await world({ store: open });
      const { path: params } = await w.given.issue({ body: "old ä" });
      const refused = await w.refused(editIssue, {
        params,
        body: { body: "x", expected_body_hash },
      });
      expect(refused).toMatchObject({ code: "validation", data: { field: "expected_body_hash" } });
    });

    test("expected_body_hash is refused when nothing else is changed", async () => {
      const w = await world({ store: open });
      const { path: params } = await w.given.issue({ body: "old ä" });
      const refused = await w.refused(editIssue, { params, body: { expected_body_hash: OLD } });
      expect(refused).toMatchObject({ code: "validation", message: "no fields to update" });
    });
  });

  test("an edit to the present values is no change and makes no event", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue({
      title: "t",
      body: "b",
      owner: "bea",
      priority: 1,
    });
    w.clock.advance(1000);
    const body = { title: "t", body: "b", owner: "bea", set_priority: 1 };
    const edited = await w.call(editIssue, { params, body });
    expect(edited).toMatchObject({ changed: false, event: null, events: [] });
    expect(edited.issue.updated_at).toBe("2026-01-01T00:00:00.000Z");
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test.each([
    [{}, "no fields to update"],
    [{ links_delta: {} }, "no fields to update"],
    [
      { links_delta: { add_blocks: [], expected_project_uids: { a001: "x" } } },
      "no fields to update",
    ],
    [{ clear_priority: false }, "no fields to update"],
    [
      { set_priority: 1, clear_priority: true },
      "set_priority and clear_priority exclude each other",
    ],
  ])("an edit with %j is refused", async (body, message) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    expect(await w.refused(editIssue, { params, body })).toMatchObject({
      code: "validation",
      message,
    });
  });

  test("an edit is refused if it names another revision than the present one, even if several arrive at once", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const edit = async (tag: string) =>
      (await w.send(editIssue, { params, headers: { "if-match": tag }, body: { owner: "bea" } }))
        .status;
    expect(await edit('"rev-2"')).toBe(412);
    expect(await edit("rev-1")).toBe(400);
    expect(await edit('"rev-01"')).toBe(400);
    expect(await edit('W/"rev-1"')).toBe(400);
    expect(await edit("*")).toBe(400);
    const race = await Promise.all([1, 2, 3].map(async () => await edit('"rev-1"')));
    expect(race.toSorted((left, right) => left - right)).toEqual([200, 412, 412]);
  });
});

describeStore("editing the links of an issue", (open) => {
  test("an edit of links adds and removes in every direction with one event, and reports what changed", async () => {
    const w = await world({ store: open });
    const { a, b, c, d, far, made } = await family(w);
    await w.call(editIssue, {
      params: a.path,
      body: {
        links_delta: { set_parent: b.short_id, add_blocks: [c.short_id], add_related: [d.uid] },
      },
    });
    const edited = await w.call(editIssue, {
      params: a.path,
      body: {
        links_delta: {
          set_parent: d.qualified_id,
          remove_blocks: [c.short_id],
          add_blocked_by: [far.qualified_id, far.uid],
          remove_related: [d.short_id],
        },
      },
    });
    expect(edited.issue).toMatchObject({
      parent: { uid: d.uid },
      blocks: [],
      blocked_by: [{ uid: far.uid, project: "shop", qualified_id: far.qualified_id }],
      related: [],
      blocked: true,
      revision: 1,
      updated_at: LATER,
    });
    expect(edited.changes).toMatchObject({
      parent_set: { uid: d.uid },
      parent_removed: { uid: b.uid },
      blocks_removed: [{ uid: c.uid }],
      blocked_by_added: [{ uid: far.uid }],
      related_removed: [{ uid: d.uid }],
    });
    expect(JSON.parse(edited.event?.payload ?? "")).toEqual({
      parent_set: d.short_id,
      parent_set_uid: d.uid,
      parent_removed: b.short_id,
      parent_removed_uid: b.uid,
      blocks_removed: [c.short_id],
      blocks_removed_uids: [c.uid],
      blocked_by_added: [far.qualified_id],
      blocked_by_added_uids: [far.uid],
      related_removed: [d.short_id],
      related_removed_uids: [d.uid],
      updated_at: LATER,
    });
    expect((await w.eventKinds()).slice(made)).toEqual([
      "issue.links_changed",
      "issue.links_changed",
    ]);
  });

  test("a changed link is also shown at the issue at its other end, whose time of change stays the same", async () => {
    const w = await world({ store: open });
    const { a, b, c } = await family(w);
    const body = { links_delta: { add_blocks: [b.short_id], add_related: [c.short_id] } };
    await w.call(editIssue, { params: a.path, body });
    const blocked = await w.call(showIssue, { params: b.path });
    expect(blocked.links).toMatchObject([
      { type: "blocks", from: { uid: a.uid }, to: { uid: b.uid }, author: "ann" },
    ]);
    expect(blocked.issue.updated_at).toBe("2026-01-01T00:00:00.000Z");
    const parent = { links_delta: { set_parent: c.short_id } };
    await w.call(editIssue, { params: a.path, body: parent });
    const above = await w.call(showIssue, { params: c.path });
    expect(above.children).toMatchObject([{ uid: a.uid, parent: { uid: c.uid } }]);
    expect(above.issue.updated_at).toBe("2026-01-01T00:00:00.000Z");
    expect((await w.call(showIssue, { params: a.path })).parent).toMatchObject({
      uid: c.uid,
      title: "c",
    });
  });

  test("adding a link that exists, or removing an absent one, is no change", async () => {
    const w = await world({ store: open });
    const { a, b, c, made } = await family(w);
    const body = { links_delta: { set_parent: b.uid, add_blocks: [c.uid] } };
    await w.call(editIssue, { params: a.path, body });
    const again = {
      links_delta: { ...body.links_delta, remove_blocked_by: [c.uid], remove_related: [b.uid] },
    };
    const edited = await w.call(editIssue, { params: a.path, body: again });
    expect(edited).toMatchObject({ changed: false, event: null, changes: {} });
    expect((await w.eventKinds()).slice(made)).toHaveLength(1);
  });

  test("an edit of links allows circles of blocks, but refuses circles of parents, across two projects too", async () => {
    const w = await world({ store: open });
    const { a, b, far, made } = await family(w);
    const edit = async (of: typeof a, links_delta: object) =>
      await w.send(editIssue, { params: of.path, body: { links_delta } });
    expect((await edit(a, { add_blocks: [b.uid], add_blocked_by: [b.uid] })).status).toBe(200);
    expect((await edit(a, { set_parent: far.uid })).status).toBe(200);
    expect((await edit(far, { set_parent: b.uid })).status).toBe(200);
    const refused = await w.refused(editIssue, {
      params: b.path,
      body: { links_delta: { set_parent: a.uid } },
    });
    expect(refused).toMatchObject({ code: "validation", message: "would create a parent cycle" });
    expect((await w.eventKinds()).slice(made)).toHaveLength(3);
  });

  test("one of two simultaneous edits that would make a circle of parents is refused", async () => {
    const w = await world({ store: open });
    const { a, b } = await family(w);
    const edit = async (of: typeof a, parent: typeof a) =>
      (
        await w.send(editIssue, {
          params: of.path,
          body: { links_delta: { set_parent: parent.uid } },
        })
      ).status;
    expect(
      (await Promise.all([edit(a, b), edit(b, a)])).toSorted((left, right) => left - right),
    ).toEqual([200, 400]);
  });

  test.each([
    ["itself as parent", { set_parent: "a" }, "validation"],
    ["itself as blocker", { add_blocked_by: ["a"] }, "validation"],
    ["itself as related", { add_related: ["a"] }, "validation"],
    ["one issue both added and removed", { add_blocks: ["b"], remove_blocks: ["b"] }, "validation"],
    ["a parent both set and removed", { set_parent: "b", remove_parent: "c" }, "validation"],
    [
      "the removal of a parent that the issue does not have",
      { remove_parent: "b" },
      "parent_mismatch",
    ],
    ["an unknown ref", { add_blocks: ["nope"] }, "issue_not_found"],
    ["the removal of an unknown ref", { remove_blocks: ["nope"] }, "issue_not_found"],
  ] as const)("an edit of links refuses %s and changes nothing", async (_name, delta, code) => {
    const w = await world({ store: open });
    const all = await family(w);
    await w.given.link(all.a, "parent", all.c);
    const refs: Readonly<Record<string, string>> = {
      a: all.a.short_id,
      b: all.b.short_id,
      c: all.c.short_id,
    };
    const refOf = (name: string): string => refs[name] ?? name;
    const links_delta = Object.fromEntries(
      Object.entries(delta).map(([key, names]) => [
        key,
        typeof names === "string" ? refOf(names) : names.map(refOf),
      ]),
    );
    const before = await w.eventKinds();
    const body = { title: "must not stay", links_delta };
    expect(await w.refused(editIssue, { params: all.a.path, body })).toMatchObject({ code });
    expect(await w.eventKinds()).toEqual(before);
    expect((await w.call(showIssue, { params: all.a.path })).issue.title).toBe("a");
  });

  test("an edit of links requires the peer to be in the expected project", async () => {
    const w = await world({ store: open });
    const { web, shop, a, far } = await family(w);
    const edit = (uid: string) => ({
      params: a.path,
      body: { links_delta: { add_related: [far.uid], expected_project_uids: { [far.uid]: uid } } },
    });
    expect((await w.refused(editIssue, edit(web.uid))).code).toBe("issue_not_found");
    expect((await w.call(editIssue, edit(shop.uid.toLowerCase()))).changed).toBe(true);
  });

  test("an edit can remove links to deleted issues and archived projects, but not add them, nor are they shown", async () => {
    const w = await world({ store: open });
    const { shop, a, b, far } = await family(w);
    const add = { links_delta: { add_blocked_by: [b.uid, far.uid] } };
    await w.call(editIssue, { params: a.path, body: add });
    await w.given.deleted(b);
    await w.given.archived(shop);
    const shown = await w.call(showIssue, { params: a.path });
    expect(shown.links).toEqual([]);
    const other = { links_delta: { add_related: [far.uid] } };
    expect((await w.refused(editIssue, { params: a.path, body: other })).code).toBe(
      "link_target_archived",
    );
    const gone = { links_delta: { add_related: [b.uid] } };
    expect((await w.refused(editIssue, { params: a.path, body: gone })).code).toBe(
      "issue_not_found",
    );
    const remove = { links_delta: { remove_blocked_by: [b.uid, far.uid] } };
    const edited = await w.call(editIssue, { params: a.path, body: remove });
    expect(edited).toMatchObject({
      changed: true,
      issue: { blocked: false, blocked_by: [] },
      changes: { blocked_by_removed: [{ uid: b.uid }, { uid: far.uid }] },
    });
  });
});

describeStore("patching the metadata of an issue", (open) => {
  test("a metadata patch merges one level deep, raises the revision and returns it as the ETag", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue({
      metadata: { keep: 1, drop: { x: 1 }, same: [1] },
    });
    w.clock.advance(1000);
    const patch = { drop: null, same: [1], fresh: { y: 2 }, gone: null };
    const response = await w.send(patchIssueMetadata, { params, body: { patch } });
    expect(response.headers.get("etag")).toBe('"rev-2"');
    const patched = await w.call(showIssue, { params });
    expect(patched.issue).toMatchObject({
      metadata: { keep: 1, same: [1], fresh: { y: 2 } },
      revision: 2,
      updated_at: LATER,
    });
    const [, event] = await w
      .events()
      .then((events) => events.filter(({ type }) => type !== "project.created"));
    expect(event?.payload).toEqual({
      diff: { drop: { from: { x: 1 } }, fresh: { to: { y: 2 } } },
      revision_new: 2,
      updated_at: LATER,
    });
  });

  test("a metadata patch to the present values makes no change, no event and no revision", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue({ metadata: { a: { x: 1, y: 2 } } });
    const patch = { a: { y: 2, x: 1 }, b: null };
    const patched = await w.call(patchIssueMetadata, { params, body: { patch } });
    expect(patched).toMatchObject({ changed: false, event: null, issue: { revision: 1 } });
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test("a metadata patch is refused for another revision, invalid reserved values, and keys of the daemon", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const refuse = async (patch: object, tag?: string) =>
      (
        await w.refused(patchIssueMetadata, {
          params,
          body: { patch: { ...patch } },
          headers: tag === undefined ? {} : { "if-match": tag },
        })
      ).code;
    expect(await refuse({ a: 1 }, '"rev-2"')).toBe("revision_conflict");
    expect(await refuse({ someday: false })).toBe("invalid_metadata_value");
    expect(await refuse({ scheduled_on: "2026-02-30" })).toBe("invalid_metadata_value");
    expect(await refuse({ "cron.progress.x": null })).toBe("invalid_metadata_value");
    expect(await refuse({ "": 1 })).toBe("validation");
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });
});
