import fc from "fast-check";
import { expect, test } from "vitest";
import { assignIssue } from "../../src/contract/actions.ts";
import { pollEvents } from "../../src/contract/activity.ts";
import { listAllIssues, listIssues } from "../../src/contract/issues.ts";
import type { Input } from "../../src/contract/route.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Query = Partial<Input<typeof listAllIssues>["query"]>;
type Path = { readonly project_id: number } | undefined;

/** Lists the issues of a project if a path is given, otherwise those of all projects. */
async function list(w: World, path: Path, query: Query) {
  return path === undefined
    ? await w.call(listAllIssues, { query })
    : await w.call(listIssues, { params: path, query });
}

async function uidsOfPages(w: World, path: Path, query: Query): Promise<readonly string[][]> {
  const pages: string[][] = [];
  let after: string | undefined = "";
  while (after !== undefined) {
    const page: Awaited<ReturnType<typeof list>> = await list(w, path, { ...query, after });
    pages.push(page.issues.map(({ uid }) => uid));
    after = page.next_after;
  }
  return pages;
}

/** Makes issues of two projects. Many are made, and some are changed, at the same instant. */
async function shelf(w: World, count: number) {
  const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
  const made = [];
  for (let at = 0; at < count; at += 1) {
    if (at % 3 === 0) w.clock.advance(1000);
    const labels = at % 2 === 0 ? ["even"] : [];
    made.push(await w.given.issue({ project: at % 4 === 3 ? shop : web, title: `${at}`, labels }));
  }
  w.clock.advance(1000);
  for (const [at, issue] of made.entries()) if (at % 5 === 0) await w.given.closed(issue);
  return { web, shop, made };
}

describeStore("pages of an issue list", (open) => {
  test("pages together give the whole list, for any filter and page length", async () => {
    const w = await world({ store: open });
    const { web, shop } = await shelf(w, 25);
    const asked = fc.record({
      path: fc.constantFrom<Path>(undefined, web.path, shop.path),
      limit: fc.integer({ min: 1, max: 27 }),
      filter: fc.constantFrom<Query>(
        {},
        { status: "open" },
        { status: "closed" },
        { label: ["even"] },
        { exclude_label: ["even"], status: "open" },
        { owner: "nobody" },
      ),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ path, limit, filter }) => {
        const whole = (await list(w, path, filter)).issues.map(({ uid }) => uid);
        const pages = await uidsOfPages(w, path, { ...filter, limit });
        expect(pages.flat()).toEqual(whole);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(whole.length / limit)));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [3, 4, "has a next one"],
    [4, 4, "is the last, and says so"],
    [5, 4, "has all issues"],
    [0, 4, "has all issues, because 0 means no limit"],
  ])("with the limit %i, the first page of %i issues %s", async (limit, count) => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    for (let at = 0; at < count; at += 1) await w.given.issue({ project: web });
    for (const path of [web.path, undefined]) {
      const page = await list(w, path, { limit, after: "" });
      expect(page.issues).toHaveLength(limit === 0 ? count : Math.min(limit, count));
      expect(page.next_after !== undefined).toBe(limit === 3);
    }
  });

  test("pages after the last issue are empty", async () => {
    const w = await world({ store: open });
    const { path } = await w.given.project("web");
    const { next_after, issues } = await list(w, path, { after: "2000-01-01T00:00:00.000Z_1" });
    expect({ next_after, issues }).toEqual({ next_after: undefined, issues: [] });
  });

  test("a page names the last event that it includes, and a list without pages names none", async () => {
    const w = await world({ store: open });
    const { web } = await shelf(w, 3);
    const { next_after_id } = await w.call(pollEvents, { query: { limit: 1000 } });
    for (const path of [web.path, undefined]) {
      const { as_of } = await list(w, path, { limit: 1, after: "" });
      expect(as_of).toEqual({ event_id: next_after_id, at: w.clock.now() });
      const whole = await list(w, path, { limit: 1 });
      expect(Object.keys(whole)).toEqual(["issues"]);
    }
  });

  test("a reader of all pages and of the events since the first page misses no issue that moves meanwhile", async () => {
    const w = await world({ store: open });
    const { web, made } = await shelf(w, 12);
    const first = await list(w, web.path, { limit: 3, after: "" });
    const seen = new Set(first.issues.map(({ uid }) => uid));
    const mover = made.find(({ uid, path }) => path.project_id === web.id && !seen.has(uid));
    if (mover === undefined) throw new Error("all issues are on the first page");
    w.clock.advance(1000);
    await w.call(assignIssue, { params: mover.path, body: { owner: "bea" } });
    const pages = await uidsOfPages(w, web.path, { limit: 3 });
    expect(pages[0]?.[0]).toBe(mover.uid);
    let after = first.next_after;
    while (after !== undefined) {
      const page: Awaited<ReturnType<typeof list>> = await list(w, web.path, { limit: 3, after });
      for (const { uid } of page.issues) seen.add(uid);
      after = page.next_after;
    }
    expect(seen.has(mover.uid)).toBe(false);
    const query = { after_id: first.as_of?.event_id ?? 0, limit: 1000 };
    const { events } = await w.call(pollEvents, { query });
    for (const { issue_uid } of events) if (issue_uid !== undefined) seen.add(issue_uid);
    expect([...seen].toSorted()).toEqual(pages.flat().toSorted());
  });

  test.each<[string, Query]>([
    ["a cursor in another format", { after: "x" }],
    ["an instant without an id", { after: "2026-01-01T00:00:00.000Z" }],
    ["an instant without milliseconds", { after: "2026-01-01T00:00:00Z_1" }],
    ["an id that is no number", { after: "2026-01-01T00:00:00.000Z_a" }],
    ["an id beyond fifteen digits", { after: `2026-01-01T00:00:00.000Z_${"1".repeat(16)}` }],
    ["a page of the past", { after: "", at: "1" }],
  ])("paging with %s is refused", async (_, query) => {
    const w = await world({ store: open });
    const { path } = await w.given.project("web");
    for (const { code } of [
      await w.refused(listIssues, { params: path, query }),
      await w.refused(listAllIssues, { query }),
    ])
      expect(code).toBe("validation");
  });
});
