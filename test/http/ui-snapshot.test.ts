import { expect, test } from "vitest";
import { patchProjectMetadata } from "../../src/contract/project-actions.ts";
import { createRecurrence } from "../../src/contract/recurrences.ts";
import type { Input } from "../../src/contract/route.ts";
import { readUISnapshot } from "../../src/contract/ui-snapshot.ts";
import { created, uid } from "../store/drafts.ts";
import { PAGE_ORIGIN, PAGES } from "../support/pages.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Query = Partial<Input<typeof readUISnapshot>["query"]>;

const UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

async function pages(store: OpenTestStore) {
  const w = await world({ store, pages: PAGES });
  const snapshot = async (query: Query = {}) => await w.call(readUISnapshot, { query });
  const titles = async (query: Query) =>
    (await snapshot(query)).collection.map(({ title }) => title);
  return { w, snapshot, titles };
}

async function makeInbox(w: World, project_id: number): Promise<void> {
  await w.call(patchProjectMetadata, {
    params: { project_id },
    body: { patch: { role: "inbox" } },
  });
}

/** Makes issues in one write, and returns their uids. */
async function manyIssues(
  w: World,
  project: { readonly uid: string },
  count: number,
): Promise<readonly string[]> {
  const uids = Array.from({ length: count }, (_, at) => uid(10_000 + at));
  const drafts = uids.map((issue) => created(project.uid, issue));
  await w.store.write(async (tx) => await tx.appendNewIssues(drafts));
  return uids;
}

describeStore("a snapshot", (open) => {
  test("a snapshot shows projects by name, issues last changed first, and what the page may do", async () => {
    const { w, snapshot } = await pages(open);
    const [web, bare] = [await w.given.project("web"), await w.given.project("bare")];
    const gone = await w.given.project("gone");
    await w.given.issue({ project: gone, title: "archived" });
    const first = await w.given.issue({
      ...{ project: web, title: "first", body: "text", owner: "bea" },
      ...{ priority: 1, labels: ["ui", "bug"], metadata: { note: 1 } },
    });
    w.clock.advance(1000);
    const second = await w.given.issue({ project: web, title: "second" });
    await w.given.deleted(await w.given.issue({ project: web, title: "deleted" }));
    await w.given.archived(gone);
    const shown = await snapshot({ view: "all-open" });
    const last = (await w.events()).at(-1);
    expect(shown).toMatchObject({
      contract_version: "1",
      cursor: last?.id,
      capabilities: { writable: true, updates: "sse", actor_policy: "request" },
      origin: PAGE_ORIGIN,
      origin_stable: true,
      catalog: [
        { project: { name: "bare", uid: bare.uid }, stats: { open: 0, closed: 0 } },
        { project: { name: "web", uid: web.uid }, stats: { open: 2, closed: 0 } },
      ],
      collection: [
        { uid: second.uid, labels: [] },
        {
          ...{ uid: first.uid, title: "first", body: "text", owner: "bea", priority: 1 },
          ...{ labels: ["bug", "ui"], metadata: { note: 1 }, project_name: "web" },
          qualified_id: `web#${first.short_id}`,
        },
      ],
      collection_links: [],
    });
    for (const absent of ["selected", "graph", "collection_truncated"])
      expect(shown).not.toHaveProperty(absent);
    expect(shown.catalog[1]?.stats.last_event_at).toBe(last?.created_at);
  });

  test("a snapshot defaults to the inbox if no view and no project is named", async () => {
    const { w, titles } = await pages(open);
    const [web, tray] = [await w.given.project("web"), await w.given.project("tray")];
    await w.given.issue({ project: web, title: "in web" });
    await w.given.issue({ project: tray, title: "in tray" });
    expect(await titles({})).toEqual([]);
    await makeInbox(w, tray.id);
    expect(await titles({})).toEqual(["in tray"]);
    expect(await titles({ view: "" })).toEqual(["in tray"]);
    expect(await titles({ view: "INBOX", project_uid: tray.uid })).toEqual(["in tray"]);
    expect(await titles({ view: "inbox", project_uid: web.uid })).toEqual([]);
    expect(await titles({ project_uid: web.uid.toLowerCase() })).toEqual(["in web"]);
    expect(await titles({ project_uid: UNKNOWN })).toEqual([]);
    await w.given.archived(web);
    expect(await titles({ project_uid: web.uid })).toEqual([]);
    await w.given.archived(tray);
    expect(await titles({})).toEqual([]);
  });

  const DAY = { local_date: "2026-03-10", time_zone: "Europe/Berlin" };

  test("a snapshot of a view by date uses the day in the reader's time zone", async () => {
    const { w, titles } = await pages(open);
    const made = async (title: string, metadata: Record<string, string>) => {
      w.clock.advance(1000);
      return await w.given.issue({ title, metadata });
    };
    await made("today", { scheduled_on: "2026-03-10" });
    await made("tomorrow", { scheduled_on: "2026-03-11" });
    await made("last minute", { scheduled_on: "2026-03-10T22:59:59Z" });
    await made("midnight", { scheduled_on: "2026-03-10T23:00:00Z" });
    await made("Tokyo", { scheduled_on: "2026-03-11", timezone: "Asia/Tokyo" });
    await made("due", { deadline_on: "2026-03-10" });
    await made("due later", { deadline_on: "2026-03-11" });
    await made("no date", { note: "2026-03-10" });
    await w.given.closed(await made("done", { scheduled_on: "2026-03-10" }));
    const view = async (name: string, more: Query = {}) =>
      await titles({ view: name, ...DAY, ...more });
    const now = ["due", "Tokyo", "last minute", "today"];
    expect(await view("today")).toEqual(now);
    expect(await view("upcoming")).toEqual(["midnight", "tomorrow"]);
    expect(await view("deadlines")).toEqual(["due later", "due"]);
    expect(await view("today", { status: ["all"] })).toEqual(["done", ...now]);
    // An explicit status takes the place of that of the view, and the limit counts what the dates leave.
    expect(await view("today", { status: ["closed"] })).toEqual(["done"]);
    expect(await view("today", { limit: 3 })).toEqual(now.slice(0, 3));
    expect(await view("upcoming", { limit: 2 })).toEqual(["midnight", "tomorrow"]);
    expect(await view("logbook")).toEqual(["done"]);
  });

  test("a snapshot of the ready view changes with time alone, and so does its ETag", async () => {
    const { w, titles } = await pages(open);
    await w.given.issue({ title: "ready" });
    const blocked = await w.given.issue({ title: "blocked" });
    const blocker = await w.given.issue({ title: "blocker" });
    await w.given.link(blocker, "blocks", blocked);
    await w.given.issue({ title: "parked", metadata: { someday: true } });
    await w.given.issue({ title: "later", metadata: { scheduled_on: "2026-01-01T00:01:00Z" } });
    const query = { view: "all-open", status: ["ready" as const] };
    const tag = async () => (await w.send(readUISnapshot, { query })).headers.get("etag") ?? "";
    expect((await titles(query)).sort()).toEqual(["blocker", "ready"]);
    const before = await tag();
    w.clock.advance(59_999);
    expect(await tag()).toBe(before);
    w.clock.advance(1);
    expect(await tag()).not.toBe(before);
    expect((await titles(query)).sort()).toEqual(["blocker", "later", "ready"]);
    const headers = { "if-none-match": before };
    expect((await w.send(readUISnapshot, { query, headers })).status).toBe(200);
  });

  test.each([
    ["text in a title", { text: " LOGIN " }, ["a", "b"]],
    ["text in a body", { text: "the page" }, ["c"]],
    ["part of the short id, in any letter case", { text: "SHORT" }, ["a"]],
    ["letters beyond ASCII, in any letter case", { text: "äRGER" }, ["d"]],
    ["a percent sign, which is no wildcard", { text: "%" }, ["c"]],
    ["one of the owners", { owner: ["bea", " cid ", ""] }, ["b", "c"]],
    ["one of the labels, in any letter case", { label: ["UI", "db"] }, ["a", "d"]],
    ["owner and label", { owner: ["ann"], label: ["ui"] }, ["a"]],
    ["a parent", { relationship: ["parent" as const] }, ["b"]],
    ["a child or a blocker", { relationship: ["child", "blocked_by"] as const }, ["a", "d"]],
    ["an issue that it blocks", { relationship: ["blocks" as const] }, ["c"]],
    ["a related issue, at either end", { relationship: ["related" as const] }, ["a", "d"]],
  ])("a snapshot finds issues by %s", async (_, query, names) => {
    const { w, snapshot } = await pages(open);
    const made = [
      await w.given.issue({ title: "Login fails", owner: "ann", labels: ["ui", "bug"] }),
      await w.given.issue({ title: "login again", owner: "bea" }),
      await w.given.issue({ title: "c", owner: "cid", body: "See the PAGE: 5%" }),
      await w.given.issue({ title: "Ärger", owner: "ann", labels: ["db"] }),
    ] as const;
    const [a, b, c, d] = made;
    await w.given.link(b, "parent", a);
    await w.given.link(c, "blocks", d);
    await w.given.link(d, "related", a);
    // Links to an issue that is gone do not count.
    const gone = await w.given.issue({ title: "gone" });
    for (const issue of [b, c]) await w.given.link(issue, "related", gone);
    await w.given.link(gone, "blocks", b);
    await w.given.deleted(gone);
    const text = "text" in query && query.text === "SHORT" ? a.short_id.toUpperCase() : undefined;
    const asked = { view: "all-open", ...query, ...(text === undefined ? {} : { text }) } as Query;
    const { collection } = await snapshot(asked);
    const letters = collection.map(({ uid }) => "abcd"[made.findIndex((one) => one.uid === uid)]);
    expect(letters.sort()).toEqual(names);
  });

  test.each([
    [undefined, 500, 501],
    [1, 1, 2],
    [2, 2, 3],
  ])(
    "a snapshot with the limit %j shows %i issues, and says when there are more",
    async (limit, most, made) => {
      const { w, snapshot } = await pages(open);
      const project = await w.given.project();
      await manyIssues(w, project, made - 1);
      const asked = { view: "all-open", ...(limit === undefined ? {} : { limit }) };
      const all = await snapshot(asked);
      expect(all.collection).toHaveLength(most);
      expect(all).not.toHaveProperty("collection_truncated");
      await w.given.issue({ project });
      const cut = await snapshot(asked);
      expect([cut.collection.length, cut.collection_truncated]).toEqual([most, true]);
    },
  );

  test("a snapshot shows a link only if both its ends are shown", async () => {
    const { w, snapshot } = await pages(open);
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const here = await w.given.issue({ project: web, title: "here" });
    const far = await w.given.issue({ project: shop, title: "far" });
    const gone = await w.given.issue({ project: shop, title: "gone" });
    const link = await w.given.link(here, "blocks", far);
    await w.given.link(gone, "blocks", here);
    await w.given.closed(far);
    await w.given.deleted(gone);
    const { collection_links } = await snapshot({ project_uid: web.uid });
    expect(collection_links).toEqual([
      {
        id: link.id,
        from_issue_id: here.id,
        from_issue_uid: here.uid,
        from_qualified_id: `web#${here.short_id}`,
        from_status: "open",
        to_issue_id: far.id,
        to_issue_uid: far.uid,
        to_qualified_id: `shop#${far.short_id}`,
        to_status: "closed",
        type: "blocks",
        author: "ann",
        created_at: link.created_at,
      },
    ]);
  });
});

describeStore("the selected issue of a snapshot", (open) => {
  const select = (uid: string, more: Query = {}) => ({
    ...{ view: "all-open", selected_issue_uid: uid },
    ...more,
  });

  test("the selected issue comes with its comments, labels, links and, on request, its history", async () => {
    const { w, snapshot } = await pages(open);
    const issue = await w.given.issue({ title: "it", labels: ["ui", "bug"] });
    const other = await w.given.issue({ title: "other" });
    w.clock.advance(1000);
    const { comment } = await w.given.comment({ on: issue, author: "bea", body: "first" });
    w.clock.advance(1000);
    await w.given.comment({ on: issue, body: "second" });
    await w.given.link(other, "blocks", issue);
    const { selected } = await snapshot(select(issue.uid.toLowerCase()));
    expect(selected).toMatchObject({
      state: "available",
      issue: { uid: issue.uid, title: "it", labels: ["bug", "ui"], project_name: "web" },
      comments: [{ uid: comment.uid, author: "bea", body: "first" }, { body: "second" }],
      labels: [{ label: "bug", issue_id: issue.id }, { label: "ui" }],
      links: [{ type: "blocks", from_issue_uid: other.uid, to_issue_uid: issue.uid }],
      recurrences: [],
      history: [],
    });
    const { selected: past } = await snapshot(select(issue.uid, { include_history: true }));
    expect(past?.history.map(({ type }) => type)).toEqual([
      ...["issue.linked", "issue.commented", "issue.commented", "issue.created"],
    ]);
    expect(past?.history.every(({ id }, at, all) => id < (all[at - 1]?.id ?? 1e9))).toBe(true);
  });

  test("the selected issue has at most its last 500 events as history", async () => {
    const { w, snapshot } = await pages(open);
    const issue = await w.given.issue();
    await w.store.write(async (tx) => {
      for (let at = 0; at < 500; at += 1)
        await tx.append({
          ...{ type: "issue.labeled", actor: "ann", project_uid: issue.project_uid ?? "" },
          ...{ issue_uid: issue.uid, payload: { label: `l${at}`, updated_at: w.clock.now() } },
        });
    });
    const { selected } = await snapshot(select(issue.uid, { include_history: true }));
    const payloads = selected?.history.map(({ payload }) => JSON.parse(payload).label);
    expect([payloads?.length, payloads?.[0], payloads?.at(-1)]).toEqual([500, "l499", "l0"]);
  });

  test("the selected issue has the state archived if it or its project is gone, and missing if unknown", async () => {
    const { w, snapshot } = await pages(open);
    const old = await w.given.project("old");
    const [deleted, archived] = [
      await w.given.issue({ title: "deleted" }),
      await w.given.issue({ project: old, title: "archived" }),
    ];
    await w.given.deleted(deleted);
    await w.given.archived(old);
    for (const { uid, title } of [deleted, archived]) {
      const { selected, collection } = await snapshot(select(uid));
      expect(selected).toMatchObject({ state: "archived", issue: { uid, title } });
      expect(collection).toEqual([]);
    }
    const none = { comments: [], labels: [], links: [], recurrences: [], history: [] };
    const missing = await snapshot(select(UNKNOWN, { include_history: true }));
    expect(missing.selected).toEqual({ state: "missing", ...none });
  });

  test("the selected issue comes with the series that it belongs to", async () => {
    const { w, snapshot } = await pages(open);
    const issue = await w.given.issue({ title: "water the plants" });
    const { recurrence } = await w.call(createRecurrence, {
      params: { project_id: issue.project_id },
      body: {
        ...{ rrule: "FREQ=DAILY", dtstart: "2026-01-01", timezone: "UTC" },
        ...{ template: { title: "water the plants" }, initial_issue_ref: issue.uid },
      },
    });
    const { selected } = await snapshot(select(issue.uid));
    expect(selected?.recurrences.map(({ uid }) => uid)).toEqual([recurrence.uid]);
  });
});

describeStore("the graph of a snapshot", (open) => {
  test("the graph shows what is connected to the selected issue, or else to the collection", async () => {
    const { w, snapshot } = await pages(open);
    const made = async (title: string) => {
      w.clock.advance(1000);
      return await w.given.issue({ title, owner: title === "one" ? "ann" : "bea" });
    };
    const [one, two, three] = [await made("one"), await made("two"), await made("three")];
    const [lone, gone] = [await made("lone"), await made("gone")];
    await w.given.link(two, "parent", one);
    await w.given.link(two, "blocks", three);
    await w.given.link(gone, "blocks", one);
    await w.given.deleted(gone);
    const graph = async (query: Query) => {
      const shown = (await snapshot({ view: "all-open", include_graph: true, ...query })).graph;
      const names = new Map(shown?.issues.map(({ uid, title }) => [uid, title]));
      return {
        issues: [...names.values()].sort(),
        links: shown?.links.map(({ type }) => type),
        edges: shown?.edges.map(
          ({ from_uid, kind, to_uid }) => `${names.get(from_uid)} ${kind} ${names.get(to_uid)}`,
        ),
        unresolved: shown?.unresolved_refs,
      };
    };
    const whole = {
      issues: ["one", "three", "two"],
      links: ["parent", "blocks"],
      edges: ["one parent two", "two blocks three"],
      unresolved: [],
    };
    expect(await graph({ selected_issue_uid: one.uid })).toEqual(whole);
    // Of the collection, one step.
    expect(await graph({ owner: ["ann"] })).toMatchObject({
      issues: ["one", "two"],
      edges: ["one parent two"],
    });
    expect(await graph({})).toMatchObject({ issues: ["lone", "one", "three", "two"] });
    expect(await graph({ selected_issue_uid: lone.uid })).toMatchObject({ issues: ["lone"] });
    const none = { issues: [], links: [], edges: [], unresolved: [] };
    for (const uid of [gone.uid, UNKNOWN])
      expect(await graph({ selected_issue_uid: uid })).toEqual(none);
  });

  test("the graph has at most a thousand issues besides its first, and says when there are more", async () => {
    const { w, snapshot } = await pages(open);
    const hub = await w.given.issue({ title: "hub" });
    const project = { uid: hub.project_uid ?? "" };
    const uids = await manyIssues(w, project, 1001);
    const join = async (from: number, to: number) => {
      const blocks_added_uids = uids.slice(from, to);
      await w.append({
        ...{ type: "issue.links_changed", actor: "ann", project_uid: project.uid },
        ...{ issue_uid: hub.uid, payload: { blocks_added_uids, updated_at: w.clock.now() } },
      });
    };
    const asked = { view: "all-open", limit: 1, include_graph: true, selected_issue_uid: hub.uid };
    const graph = async () => (await snapshot(asked)).graph;
    await join(0, 1000);
    const all = await graph();
    expect([all?.issues.length, all?.truncated]).toEqual([1001, undefined]);
    await join(1000, 1001);
    const cut = await graph();
    expect([cut?.issues.length, cut?.edges.length, cut?.truncated]).toEqual([1001, 1000, true]);
  });
});
