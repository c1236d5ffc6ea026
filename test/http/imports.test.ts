import { expect, test, vi } from "vitest";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, listIssues, showIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { deleteLink } from "../../src/contract/links.ts";
import type { Input } from "../../src/contract/route.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];

const MAY = "2025-05-01T10:00:00+02:00";
const JUNE = "2025-06-01T10:00:00Z";
const JULY = "2025-07-01T10:00:00.5Z";

function item(external_id: string, more: Partial<Item> = {}): Item {
  return {
    external_id,
    title: `issue ${external_id}`,
    author: "old hand",
    status: "open",
    created_at: MAY,
    updated_at: JUNE,
    ...more,
  };
}

const FULL = item("bd-1", {
  title: "Keep it all",
  body: "text",
  owner: "bea",
  priority: 0,
  status: "closed",
  closed_at: JULY,
  closed_reason: "wontfix",
  labels: ["ui", "bug"],
  metadata: { "old.id": "bd-1", estimate: 5 },
  comments: [{ external_id: "c1", author: "cat", body: "seen", created_at: JUNE }],
});

describeStore("imports", (open) => {
  test("an imported issue keeps its author, times, close, labels, metadata and comments", async () => {
    const { w, send, params } = await importer(open);
    const result = await send([FULL]);
    expect(result).toEqual({
      source: "beads",
      batch_uid: expect.any(String),
      dry_run: false,
      created: 1,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      comments: 1,
      links: 0,
      items: [{ external_id: "bd-1", issue_short_id: expect.any(String), status: "created" }],
      conflicts: [],
      errors: [],
      missing: [],
    });
    const shown = await w.call(showIssue, { params: { ...params, ref: shortId(result, 0) } });
    expect(shown.issue).toMatchObject({
      title: "Keep it all",
      body: "text",
      author: "old hand",
      owner: "bea",
      priority: 0,
      status: "closed",
      closed_reason: "wontfix",
      closed_at: "2025-07-01T10:00:00.500Z",
      created_at: "2025-05-01T08:00:00.000Z",
      updated_at: "2025-07-01T10:00:00.500Z",
      labels: ["bug", "ui"],
      metadata: { "old.id": "bd-1", estimate: 5 },
    });
    expect(shown.comments).toMatchObject([
      { author: "cat", body: "seen", created_at: "2025-06-01T10:00:00.000Z" },
    ]);
    const { results } = await w.call(searchIssues, { params, query: { q: "seen" } });
    expect(results).toHaveLength(1);
  });

  test("the log says who imported an issue, when, and what it was in the source", async () => {
    const { w, send } = await importer(open);
    await send([FULL]);
    const event = (await w.events()).find(({ type }) => type === "issue.created");
    expect(event).toMatchObject({
      actor: "ann",
      created_at: w.clock.now(),
      payload: { source: "beads", external_id: "bd-1", author: "old hand" },
    });
  });

  test("a repeated batch changes nothing, and its items are reported as unchanged without a reason", async () => {
    const { w, send } = await importer(open);
    const late = {
      external_id: "c2",
      author: "cat",
      body: "later",
      created_at: "2025-09-01T00:00:00Z",
    };
    const items = [
      FULL,
      item("bd-2", { comments: [late], links: [link("parent", "bd-1")] }),
      item("bd-3", { links: [link("blocks", "bd-2"), link("related", "bd-1")] }),
    ];
    await send(items);
    const before = await w.events();
    w.clock.advance(1000);
    const again = await send(items);
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3, comments: 0, links: 0 });
    expect(again.items.filter((one) => "reason" in one)).toEqual([]);
    expect(await w.events()).toEqual(before);
  });

  test("links to later items of the batch are imported, with their author and time", async () => {
    const { w, send, params } = await importer(open);
    const result = await send([
      item("a", {
        links: [
          { type: "parent", target_external_id: "b", author: "cat", created_at: MAY },
          { type: "blocks", target_external_id: "c" },
        ],
      }),
      item("b"),
      item("c", { links: [link("related", "b")] }),
    ]);
    expect(result).toMatchObject({ created: 3, links: 3, errors: [] });
    const shown = await w.call(showIssue, { params: { ...params, ref: shortId(result, 0) } });
    expect(shown.parent?.short_id).toBe(shortId(result, 1));
    expect(shown.links).toMatchObject([
      { type: "parent", author: "cat", created_at: "2025-05-01T08:00:00.000Z" },
      { type: "blocks", author: "ann", created_at: w.clock.now() },
    ]);
    expect(shown.issue.updated_at).toBe("2025-06-01T10:00:00.000Z");
    const linked = (await w.events()).filter(({ type }) => type === "issue.links_changed");
    expect(new Set(linked.map(({ actor }) => actor))).toEqual(new Set(["ann"]));
  });

  test("links can arrive in a later batch", async () => {
    const { send } = await importer(open);
    await send([item("a"), item("b")]);
    const result = await send([item("a", { links: [link("blocks", "b")] })]);
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 0, links: 1 });
  });

  test("a comment or a close later than the issue's last change is not counted as a local change", async () => {
    const { send } = await importer(open);
    const late = "2025-12-01T00:00:00Z";
    const comments = [{ external_id: "c", author: "cat", body: "late", created_at: late }];
    const closed = { status: "closed" as const, closed_at: late };
    await send([item("a", { comments }), item("b", closed), item("c")]);
    const links = [link("blocks", "c")];
    const result = await send([item("a", { comments, links }), item("b", { ...closed, links })]);
    expect(result).toMatchObject({ updated: 2, links: 2 });
  });

  test("a link that the rules forbid is reported, and the rest of the batch is imported", async () => {
    const { send } = await importer(open);
    const result = await send([
      item("a", {
        links: [
          link("blocks", "nowhere"),
          link("related", "a"),
          link("parent", "b"),
          link("parent", "c"),
        ],
      }),
      item("b", { links: [link("parent", "a")] }),
      item("c"),
    ]);
    expect(result).toMatchObject({ created: 3, links: 1 });
    expect(result.errors).toEqual([
      "a blocks nowhere: the target was not imported",
      "a related a: an issue cannot be linked to itself",
      "a parent c: the issue has another parent",
      "b parent a: would create a parent cycle",
    ]);
  });

  test("changes in the source update an issue", async () => {
    const { w, send, params } = await importer(open);
    const first = await send([FULL]);
    const news = item("bd-1", {
      title: "New title",
      body: "new",
      labels: ["bug", "late"],
      metadata: { estimate: 8 },
      updated_at: "2025-08-01T00:00:00Z",
      comments: [
        { external_id: "c1", author: "cat", body: "seen", created_at: JUNE },
        { external_id: "c2", author: "dan", body: "too", created_at: JULY },
      ],
    });
    const result = await send([news]);
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 0, comments: 1 });
    const { issue, comments } = await w.call(showIssue, {
      params: { ...params, ref: shortId(first, 0) },
    });
    expect(issue).toMatchObject({
      title: "New title",
      body: "new",
      status: "open",
      labels: ["bug", "late"],
      metadata: { estimate: 8 },
      updated_at: "2025-08-01T00:00:00.000Z",
    });
    expect(issue).not.toHaveProperty("owner");
    expect(issue).not.toHaveProperty("priority");
    expect(issue).not.toHaveProperty("closed_at");
    expect(comments.map(({ body }) => body)).toEqual(["seen", "too"]);
  });

  test("an issue closed in the source is closed in svc, with its parent named in the event", async () => {
    const { w, send } = await importer(open);
    await send([item("a", { links: [link("parent", "b")] }), item("b")]);
    const closed = { status: "closed" as const, closed_at: JULY, updated_at: JULY };
    const result = await send([item("a", { ...closed, links: [link("parent", "b")] })]);
    expect(result).toMatchObject({ updated: 1 });
    const event = (await w.events()).at(-1);
    expect(event).toMatchObject({
      type: "issue.closed",
      payload: { reason: "done", parent_short_id: shortId(await send([item("b")]), 0) },
    });
  });

  test("a local change is kept if the source changed nothing, however late the source's time is", async () => {
    const { w, send, params } = await importer(open);
    const first = await send([item("a"), item("b")]);
    const path = { ...params, ref: shortId(first, 0) };
    await w.call(editIssue, { params: path, body: { title: "Edited here" } });
    const result = await send([item("a", { updated_at: "2027-01-01T00:00:00Z" }), item("b")]);
    expect(result).toMatchObject({ updated: 1, unchanged: 1, conflicts: [] });
    expect(result.items[0]).toMatchObject({ external_id: "a", changed: ["updated_at"] });
    expect((await w.call(showIssue, { params: path })).issue).toMatchObject({
      title: "Edited here",
      updated_at: "2027-01-01T00:00:00.000Z",
    });
  });

  test("a new time in the source that is older than a local change is logged once and changes nothing", async () => {
    const { w, send, params } = await importer(open);
    const ref = shortId(await send([item("a")]), 0);
    const { issue } = await w.call(editIssue, {
      params: { ...params, ref },
      body: { actor: "bea", title: "local" },
    });
    const later = "2025-06-03T10:00:00.000Z";
    expect(issue.updated_at > later).toBe(true);
    const before = (await w.events()).length;
    await send([item("a", { updated_at: later })]);
    const added = (await w.events()).slice(before);
    expect(added.map(({ type }) => type)).toEqual(["issue.imported"]);
    await send([item("a", { updated_at: later })]);
    expect(await w.events()).toHaveLength(before + 1);
  });

  test("an item with a local change but no conflict has no reason, and its new comments are imported", async () => {
    const { w, send, params } = await importer(open);
    const first = await send([item("a")]);
    const path = { ...params, ref: shortId(first, 0) };
    await w.call(addLabel, { params: path, body: { label: "local" } });
    const comment = { external_id: "c", author: "cat", body: "new", created_at: JULY };
    const result = await send([item("a", { comments: [comment] })]);
    expect(result).toMatchObject({ updated: 1, comments: 1 });
    expect(result.items[0]).not.toHaveProperty("reason");
    expect(await send([item("a", { comments: [comment] })])).toMatchObject({ unchanged: 1 });
  });

  test("a link that was removed in svc is not imported again", async () => {
    const { w, send, params } = await importer(open);
    const items = [item("a", { links: [link("blocks", "b")] }), item("b")];
    const first = await send(items);
    const path = { ...params, ref: shortId(first, 0) };
    const { links } = await w.call(showIssue, { params: path });
    await w.call(deleteLink, { params: { ...path, link_id: links[0]?.id ?? 0 } });
    const again = await send(items);
    expect(again).toMatchObject({ links: 0, unchanged: 2, conflicts: [] });
  });

  test("an issue deleted in svc stays deleted and is not changed", async () => {
    const { w, send, params } = await importer(open);
    const first = await send([item("a")]);
    const { issues } = await w.call(listIssues, { params });
    await w.given.deleted(issues[0] ?? { uid: "" });
    const before = (await w.events()).length;
    const comment = { external_id: "c", author: "cat", body: "new", created_at: JULY };
    const later = "2027-01-01T00:00:00Z";
    const news = item("a", { title: "new", updated_at: later, comments: [comment] });
    expect((await send([news])).items).toEqual([
      {
        external_id: "a",
        issue_short_id: shortId(first, 0),
        status: "unchanged",
        reason: "it was deleted here",
      },
    ]);
    expect(await w.events()).toHaveLength(before);
  });

  test("an external id of another source or in another project is the id of another issue", async () => {
    const { w, send, params } = await importer(open);
    const shop = await w.given.project("shop");
    await send([item("1")]);
    const body = { source: "jira", items: [item("1")] };
    expect(await w.call(importIssues, { params, body })).toMatchObject({ created: 1 });
    const elsewhere = { params: shop.path, body: { source: "beads", items: [item("1")] } };
    expect(await w.call(importIssues, elsewhere)).toMatchObject({ created: 1 });
  });

  test("issues are imported even if they look like existing ones", async () => {
    const { send } = await importer(open);
    const same = { title: "Fix the login page", body: "It is broken since Monday" };
    expect(await send([item("1", same), item("2", same)])).toMatchObject({ created: 2 });
  });

  test("one refused item refuses the whole batch", async () => {
    const { w, send, params } = await importer(open);
    for (const [key, value] of [
      ["scheduled_on", "tomorrow"],
      // Keys that only the daemon writes.
      ["cron.occurrence", {}],
      ["cron.progress.01K4M0000000000000000000E1", {}],
    ] as const) {
      const bad = item("2", { metadata: { [key]: value } });
      const refused = await w.refused(importIssues, {
        params,
        body: { source: "beads", items: [item("1"), bad] },
      });
      expect(refused).toMatchObject({ code: "invalid_metadata_value", data: { key } });
    }
    expect(await w.eventKinds()).toEqual([]);
    expect(await send([])).toMatchObject({ created: 0, items: [] });
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["no title", { title: undefined }, /^items\[0\]\.title: is required/],
    ["a blank title", { title: " " }, /^items\[0\]\.title: must not be blank/],
    ["1,025 characters of title", { title: "t".repeat(1025) }, /title: must be at most 1024/],
    ["a label in upper case", { labels: ["UI"] }, /^items\[0\]\.labels\[0\]: must be 1 to 64/],
    ["an unknown status", { status: "blocked" }, /^items\[0\]\.status: must be "open" or "closed"/],
    ["a time without a zone", { created_at: "2025-05-01T10:00:00" }, /created_at: must be an RFC/],
    ["a time without seconds", { created_at: "2025-05-01T10:00Z" }, /created_at: must be an RFC/],
    [
      "a date that does not exist",
      { updated_at: "2025-02-30T10:00:00Z" },
      /updated_at: must be an RFC/,
    ],
    ["a priority of 5", { priority: 5 }, /^items\[0\]\.priority: must be at most 4/],
    [
      "a closing time although it is open",
      { closed_at: JULY },
      /^items\[0\]: is open and has closed_at/,
    ],
    ["an unknown close reason", { closed_reason: "fixed" }, /^items\[0\]\.closed_reason: must be/],
    ["an empty external id", { external_id: "" }, /^items\[0\]\.external_id: must not be empty/],
    ["a control character", { external_id: "a\u0001b" }, /^items\[0\]\.external_id: must not/],
    ["513 characters of id", { external_id: "x".repeat(513) }, /external_id: must be at most 512/],
    ["a null in metadata", { metadata: { a: null } }, /^metadata a: null is not a value here/],
    ["an unknown field", { colour: "red" }, /^items\[0\]\.colour: is not a known field/],
    [
      "a blank comment",
      { comments: [{ external_id: "c", author: "a", body: " ", created_at: MAY }] },
      /^items\[0\]\.comments\[0\]\.body: must not be blank/,
    ],
    [
      "an unknown type of link",
      { links: [{ type: "child", target_external_id: "b" }] },
      /^items\[0\]\.links\[0\]\.type: must be/,
    ],
  ])("an item with %s is refused", async (_, fields, message) => {
    const { w, params } = await importer(open);
    // A cast, because the type of an item does not allow what the schema must refuse.
    const items = [{ ...item("1"), ...fields } as Item];
    const refused = await w.refused(importIssues, { params, body: { source: "beads", items } });
    expect(refused.message).toMatch(message);
    expect(await w.eventKinds()).toEqual([]);
  });

  test("an external id that occurs twice is refused", async () => {
    const { w, params } = await importer(open);
    const body = { source: "beads", items: [item("1"), item("2"), item("1")] };
    const refused = await w.refused(importIssues, { params, body });
    expect(refused).toMatchObject({
      message: "items[2]: external_id 1 is there twice",
      data: { field: "items[2]" },
    });
  });

  test("names of the greatest length are accepted", async () => {
    const { w, params } = await importer(open);
    const longest = item("x".repeat(512), { title: "🦅".repeat(1024) });
    const body = { source: "s".repeat(64), items: [longest] };
    expect(await w.call(importIssues, { params, body })).toMatchObject({ created: 1 });
    const refused = await w.refused(importIssues, {
      params,
      body: { source: "s".repeat(65), items: [] },
    });
    expect(refused.message).toBe("source: must be at most 64 characters");
  });

  test("a batch may be larger than other requests", async () => {
    const { send } = await importer(open);
    const body = "x".repeat(1_200_000);
    expect(await send([item("1", { body }), item("2", { body })])).toMatchObject({ created: 2 });
  });

  test("one statement writes all issues of a portion of 500", async () => {
    const { send } = await importer(open);
    const { prototype } = open.dialect === "sqlite" ? SqliteConnection : PostgresConnection;
    const execute = vi.spyOn(prototype, "execute");
    const labels = ["ui", "bug", "soon", "late"];
    await send(Array.from({ length: 500 }, (_, at) => item(`bd-${at}`, { labels })));
    const inserts = execute.mock.calls.filter(([sql]) => sql.startsWith('insert into "issue" '));
    execute.mockRestore();
    expect(inserts).toHaveLength(1);
  });

  test("a missing project and an archived project accept no import", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    await w.given.archived(project);
    for (const project_id of [project.id, 99]) {
      const body = { source: "beads", items: [] };
      const refused = await w.refused(importIssues, { params: { project_id }, body });
      expect(refused.code).toBe("project_not_found");
    }
  });
});

async function importer(open: Parameters<typeof world>[0]["store"]) {
  const w: World = await world({ store: open });
  const { path: params } = await w.given.project("web");
  return {
    w,
    params,
    send: async (items: Item[]) =>
      await w.call(importIssues, { params, body: { source: "beads", items } }),
  };
}

function link(type: "parent" | "blocks" | "related", target_external_id: string) {
  return { type, target_external_id };
}

function shortId(result: { readonly items: readonly { issue_short_id: string }[] }, at: number) {
  return result.items[at]?.issue_short_id ?? "";
}
