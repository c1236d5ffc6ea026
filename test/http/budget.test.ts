import { expect, test } from "vitest";
import type { z } from "zod";
import { closeIssue } from "../../src/contract/actions.ts";
import {
  auditCloses,
  digestProject,
  listIssueEvents,
  pollProjectEvents,
} from "../../src/contract/activity.ts";
import { createComment } from "../../src/contract/comments.ts";
import { listHolders } from "../../src/contract/holders.ts";
import { listAllIssues, listIssues, showIssue } from "../../src/contract/issues.ts";
import { ISSUE_FIELDS } from "../../src/contract/list-budget.ts";
import { ListGlobalIssueOut } from "../../src/contract/objects.ts";
import type { Output, Route } from "../../src/contract/route.ts";
import { readyIssues, readyIssuesGlobal, searchIssues } from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { type CallInput, type World, world } from "../support/world.ts";

const BODY = "a long body ".repeat(400);

test("the fields parameter accepts exactly the fields of an issue in a list", () => {
  // These two describe what the size limit cut.
  const { truncated: _, counts: __, ...fields } = ListGlobalIssueOut().shape;
  expect([...ISSUE_FIELDS].sort()).toEqual(Object.keys(fields).sort());
});

/** Returns the answer without the schema's check, because `fields` leaves out required members. */
async function raw<T extends Route>(w: World, route: T, input: CallInput<T>) {
  const response = await w.send(route, input);
  expect(response.status).toBe(200);
  const text = await response.text();
  return { body: JSON.parse(text) as Record<string, never>, bytes: Buffer.byteLength(text) };
}

type Row = z.infer<ReturnType<typeof ListGlobalIssueOut>>;
type Hit = { readonly issue?: Row };

async function filled(w: World, count: number) {
  const web = await w.given.project();
  for (let n = 0; n < count; n++) {
    w.clock.advance(1000);
    await w.given.issue({ project: web, title: `issue ${n}`, body: BODY, priority: n % 4 });
  }
  return web;
}

describeStore("an answer with a size limit", (open) => {
  test.each([
    ["list", listIssues, { status: "open" }],
    ["ready list", readyIssues, {}],
    ["ready list in the order of taking", readyIssues, { order: "take" }],
  ] as const)(
    "a %s that max_bytes cuts off can be continued to its end",
    async (_name, route, more) => {
      const w = await world({ store: open });
      const { path: params } = await filled(w, 17);
      const whole = (await w.call(route, { params, query: more })) as {
        readonly issues: readonly { readonly uid: string }[];
        readonly truncated?: boolean;
        readonly count?: number;
      };
      expect(whole).not.toHaveProperty("count");
      expect(whole).not.toHaveProperty("next_after");
      const seen: string[] = [];
      let after = "";
      for (let pages = 0; pages < 20; pages++) {
        const query = { ...more, max_bytes: 12_000, after };
        const { body, bytes } = await raw(w, route, { params, query });
        expect(bytes).toBeLessThanOrEqual(12_000);
        const { issues, count, truncated, next_after } = body as unknown as {
          readonly issues: readonly { readonly uid: string }[];
          readonly count: number;
          readonly truncated?: boolean;
          readonly next_after?: string;
        };
        expect(count).toBe(issues.length);
        expect(count).toBeGreaterThan(0);
        seen.push(...issues.map(({ uid }) => uid));
        expect(truncated === true).toBe(next_after !== undefined);
        if (next_after === undefined) break;
        after = next_after;
      }
      expect(seen).toEqual(whole.issues.map(({ uid }) => uid));
    },
  );

  test("fields includes or excludes the named fields, and max_bytes reports when it cut the answer", async () => {
    const w = await world({ store: open });
    const { path: params } = await filled(w, 3);
    const few = await raw(w, listIssues, {
      params,
      query: { fields: "title,priority", max_bytes: 0, limit: 2 },
    });
    expect(few.body).toEqual({
      issues: [
        { title: "issue 2", priority: 2 },
        { title: "issue 1", priority: 1 },
      ],
      count: 2,
      truncated: true,
      next_after: expect.stringMatching(/Z_\d+$/),
    });
    const bare = await raw(w, listAllIssues, { query: { fields: "-body" } });
    const [first] = (bare.body["issues"] ?? []) as readonly object[];
    expect(first).not.toHaveProperty("body");
    expect(first).toHaveProperty("project_name");
    const found = await raw(w, searchIssues, {
      params,
      query: { q: "issue", fields: "title", max_bytes: 1 },
    });
    expect(found.body).toMatchObject({ count: 1, truncated: true, results: [{ issue: {} }] });
    const { results } = found.body as unknown as { readonly results: readonly { issue: object }[] };
    expect(results.map(({ issue }) => Object.keys(issue))).toEqual([["title"]]);
  });

  test.each([
    ["list", listIssues, {}],
    ["list of all projects", listAllIssues, {}],
    ["list of the past", listIssues, { at: true }],
    ["ready list", readyIssues, { order: "take" }],
    ["ready list of all projects", readyIssuesGlobal, {}],
    ["search", searchIssues, { q: "hub" }],
  ] as const)(
    "when the first row of a %s does not fit, its links and metadata are shortened and counted",
    async (_name, route, more) => {
      const w = await world({ store: open });
      const web = await w.given.project();
      const others = await Promise.all(
        Array.from({ length: 60 }, async () => await w.given.issue({ project: web })),
      );
      w.clock.advance(1000);
      const links = others.flatMap(({ uid: to_ref }) => [
        { type: "blocks" as const, to_ref },
        { type: "related" as const, to_ref },
      ]);
      const labels = ["bug"];
      const metadata = Object.fromEntries(others.map(({ uid }, n) => [uid, `${n} ${uid}`]));
      const hub = await w.given.issue({ project: web, title: "hub", labels, links, metadata });
      const params = route.path.includes("{project_id}") ? web.path : {};
      const at = "at" in more ? { at: String((await w.events()).at(-1)?.id) } : {};
      const read = async (max_bytes?: number) => {
        const query = { ...more, ...at, ...(max_bytes === undefined ? {} : { max_bytes }) };
        const { body, bytes } = await raw(w, route, { params, query });
        const { issues, results = issues } = body as Record<string, readonly (Row & Hit)[]>;
        const first = results?.[0];
        return { row: first?.issue ?? (first as Row), bytes };
      };
      const whole = await read();
      expect(whole.row).toMatchObject({ uid: hub.uid, metadata });
      expect(whole.row).not.toHaveProperty("truncated");
      expect((await read(0)).row).toEqual(whole.row);
      expect((await read(40_000)).row).toEqual(whole.row);
      const { row, bytes } = await read(6000);
      expect(bytes).toBeLessThanOrEqual(6000);
      expect(bytes).toBeGreaterThan(4500);
      const { truncated, counts, blocks, related, metadata: keys, ...rest } = row;
      expect({ truncated, counts }).toEqual({
        truncated: true,
        counts: { blocks: 60, related: 60, metadata: 60 },
      });
      for (const [part, all] of [
        [blocks, whole.row.blocks],
        [related, whole.row.related],
        [Object.entries(keys), Object.entries(whole.row.metadata)],
      ] as const) {
        expect(part.length).toBeGreaterThan(5);
        expect(part).toEqual(all.slice(0, part.length));
      }
      expect(whole.row).toMatchObject({ ...rest, labels });
    },
  );

  test("when the first row has a long body, the answer has the beginning of the body and its size in bytes", async () => {
    const w = await world({ store: open });
    const body = `"é\n🙂`.repeat(9000);
    const project = await w.given.project();
    const { path: params } = project;
    await w.given.issue({ project });
    w.clock.advance(1000);
    const { uid } = await w.given.issue({ project, body, labels: ["bug"] });
    for (const max_bytes of [65_536, 2000]) {
      const query = { max_bytes };
      const { body: answer, bytes } = await raw(w, listIssues, { params, query });
      const { issues = [], next_after } = answer as {
        issues?: readonly Row[];
        next_after?: string;
      };
      const row = issues.find((one) => one.uid === uid) as Row & { readonly body: string };
      expect(bytes).toBeLessThanOrEqual(max_bytes);
      expect(bytes).toBeGreaterThan(max_bytes - 700);
      expect(row).toMatchObject({ truncated: true, counts: { body: 72_000 }, labels: ["bug"] });
      expect(body.startsWith(row.body)).toBe(true);
      expect(row.body).not.toMatch(/\uD83D$/);
      expect(next_after).toBeDefined();
    }
  });

  test("unknown fields and a cursor from a list in another order are refused, and the error says why", async () => {
    const w = await world({ store: open });
    const { path: params } = await filled(w, 2);
    const refused = async (query: object) => await w.refused(readyIssues, { params, query });
    expect((await refused({ fields: "titel" })).message).toContain('"titel" is none of id, uid,');
    expect((await refused({ fields: "title,-body" })).message).toContain("not both");
    expect((await refused({ max_bytes: -1 })).code).toBe("validation");
    const { next_after: place = "" } = await w.call(readyIssues, {
      params,
      query: { max_bytes: 0, limit: 1 },
    });
    expect(place).not.toBe("");
    expect((await refused({ order: "take", after: place })).message).toContain("another order");
    expect((await refused({ after: `${place}_0` })).message).toContain("another order");
  });

  test("a shortened issue keeps its newest comments and first children, and counts all of them", async () => {
    const w = await world({ store: open });
    const web = await w.given.project();
    const parent = await w.given.issue({ project: web, body: BODY });
    for (let n = 0; n < 8; n++) {
      await w.given.comment({ on: parent, body: `${n} ${"said ".repeat(200)}` });
      const child = await w.given.issue({ project: web, title: `child ${n}` });
      await w.given.link(child, "parent", parent);
    }
    const whole = await w.call(showIssue, { params: parent.path });
    const large = await w.call(showIssue, { params: parent.path, query: { max_bytes: 200_000 } });
    expect(large).toEqual(whole);
    const max_bytes = 14_000;
    const { body, bytes } = await raw(w, showIssue, { params: parent.path, query: { max_bytes } });
    expect(bytes).toBeLessThanOrEqual(max_bytes);
    const cut = body as unknown as typeof whole;
    expect(cut).toMatchObject({ truncated: true, comment_count: 8, child_count: 8 });
    expect(cut.issue).toEqual(whole.issue);
    expect(cut.comments.length).toBeGreaterThan(0);
    expect(cut.comments).toEqual(whole.comments.slice(-cut.comments.length));
    expect(cut.children.length).toBeGreaterThan(0);
    expect(cut.children).toEqual(whole.children.slice(0, cut.children.length));
    const least = await w.call(showIssue, { params: parent.path, query: { max_bytes: 1 } });
    expect(least).toMatchObject({ issue: { body: BODY }, comments: [], children: [] });
  });

  test("links are cut to the limit too, those to children first", async () => {
    const w = await world({ store: open });
    const web = await w.given.project();
    const parent = await w.given.issue({ project: web, body: "short" });
    for (let n = 0; n < 40; n++) {
      const child = await w.given.issue({ project: web, title: `child ${n}` });
      await w.given.link(child, "parent", parent);
    }
    const blocked = await w.given.issue({ project: web, title: "waits" });
    await w.given.link(parent, "blocks", blocked);
    await w.given.comment({ on: parent, body: "the newest" });
    const max_bytes = 8000;
    const { body, bytes } = await raw(w, showIssue, { params: parent.path, query: { max_bytes } });
    expect(bytes).toBeLessThanOrEqual(max_bytes);
    expect(body).toMatchObject({ truncated: true, child_count: 40, link_count: 41 });
    const { links, children, comments } = body as unknown as Output<typeof showIssue>;
    expect(links.some(({ type }) => type === "blocks")).toBe(true);
    expect(children.length).toBeGreaterThan(0);
    expect(comments).toHaveLength(1);
  });

  test("a page of events is marked as truncated if the limit cut it, but not if it ends with the last event", async () => {
    const w = await world({ store: open });
    const web = await filled(w, 5);
    const all = await w.call(pollProjectEvents, { params: web.path });
    const count = all.events.length;
    for (const max_bytes of [0, 500_000]) {
      const read = async (limit: number) =>
        await w.call(pollProjectEvents, { params: web.path, query: { max_bytes, limit } });
      const page = await read(count - 1);
      expect(page).toMatchObject({ truncated: true, count: count - 1 });
      expect(page.next_after_id).toBe(page.events.at(-1)?.event_id);
      expect(page.events).toEqual(all.events.slice(0, -1));
      const whole = await read(count);
      expect(whole).not.toHaveProperty("truncated");
      expect(whole).toMatchObject({ count, next_after_id: all.next_after_id });
    }
    const { issues } = await w.call(listIssues, { params: web.path });
    const params = { ...web.path, ref: issues[0]?.uid ?? "" };
    for (const body of ["one", "two"])
      await w.call(createComment, { params, body: { body, actor: "ann" } });
    const log = await w.call(listIssueEvents, { params, query: { max_bytes: 0, limit: 2 } });
    expect(log).toMatchObject({ truncated: true, count: 2 });
    expect(log.next_after_id).toBe(log.events[1]?.event_id);
  });

  test("a list of closes or events can be continued where max_bytes cut it", async () => {
    const w = await world({ store: open });
    const web = await filled(w, 9);
    const { issues } = await w.call(listIssues, { params: web.path });
    for (const { uid: ref } of issues) {
      const params = { ...web.path, ref };
      await w.call(closeIssue, { params, body: { source: "tui" } });
    }
    const closes: number[] = [];
    for (let after = 0; ; ) {
      const query = { project_id: web.id, max_bytes: 1500, after_event_id: after };
      const page = await w.call(auditCloses, { query });
      expect(page.count).toBe(page.rows.length);
      closes.push(...page.rows.map(({ event_id }) => event_id));
      if (page.next_after === undefined) break;
      expect(page.truncated).toBe(true);
      after = page.next_after;
    }
    expect(closes).toHaveLength(9);
    expect(new Set(closes).size).toBe(9);
    const all = await w.call(pollProjectEvents, { params: web.path });
    const seen: number[] = [];
    for (let after_id = 0, more = true; more; ) {
      const query = { after_id, max_bytes: 15_000 };
      const page = await w.call(pollProjectEvents, { params: web.path, query });
      seen.push(...page.events.map(({ event_id }) => event_id));
      more = page.truncated === true;
      after_id = page.next_after_id;
    }
    expect(seen).toEqual(all.events.map(({ event_id }) => event_id));
    const params = { ...web.path, ref: issues[0]?.uid ?? "" };
    const log = await w.call(listIssueEvents, { params, query: { max_bytes: 1 } });
    expect(log).toMatchObject({ truncated: true, count: 1 });
    expect(log.next_after_id).toBe(log.events[0]?.event_id);
  });

  test("a shortened digest keeps every actor with their totals, and shares the remaining bytes among them", async () => {
    const w = await world({ store: open });
    const web = await w.given.project();
    for (let n = 0; n < 30; n++) {
      const actor = n < 4 ? "bea" : "ann";
      await w.given.issue({ project: web, title: `one ${n}`, actor });
    }
    const query = { since: "2000-01-01T00:00:00Z" };
    const whole = await w.call(digestProject, { params: web.path, query });
    expect(whole).not.toHaveProperty("count");
    const cut = await w.call(digestProject, {
      params: web.path,
      query: { ...query, max_bytes: 5000 },
    });
    const by = Object.fromEntries(cut.actors.map((actor) => [actor.actor, actor]));
    expect(cut).toMatchObject({ truncated: true, event_count: whole.event_count });
    expect(cut.totals).toEqual(whole.totals);
    expect(by["bea"]?.issues).toHaveLength(4);
    expect(by["ann"]).toMatchObject({ issue_count: 26, totals: { created: 26 } });
    expect(by["ann"]?.issues.length).toBeLessThan(26);
    expect(cut.count).toBe(4 + (by["ann"]?.issues.length ?? 0));
    const held = await w.call(listHolders, { params: web.path, query: { max_bytes: 300 } });
    expect(held).toMatchObject({ holders: [], count: 0, truncated: false });
  });

  test("a shortened digest shows the first issues of the full digest and counts all of them", async () => {
    const w = await world({ store: open });
    const web = await w.given.project();
    for (let n = 0; n < 40; n++) await w.given.issue({ project: web, title: `one ${n}` });
    const query = { since: "2000-01-01T00:00:00Z" };
    const { actors } = await w.call(digestProject, { params: web.path, query });
    for (const max_bytes of [1, 1500, 1700, 3000, 5000, 7000, 8000, 20_000]) {
      const cut = await w.call(digestProject, {
        params: web.path,
        query: { ...query, max_bytes },
      });
      const [shown] = cut.actors;
      const issues = shown?.issues ?? [];
      expect(issues).toEqual(actors[0]?.issues.slice(0, issues.length));
      expect(shown?.issue_count ?? issues.length).toBe(40);
      expect(cut.truncated === true).toBe(issues.length < 40);
    }
  });
});
