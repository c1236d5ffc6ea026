import { expect, test } from "vitest";
import { editIssue, listAllIssues, listIssues } from "../../src/contract/issues.ts";
import { takeReadyIssue } from "../../src/contract/leases.ts";
import type { Input } from "../../src/contract/route.ts";
import { readyIssues, readyIssuesGlobal } from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Query = Partial<Input<typeof listAllIssues>["query"]>;
type Row = Awaited<ReturnType<typeof listed>>[number];

async function listed(w: World, project_id: number | undefined, query: Query) {
  if (project_id === undefined) return (await w.call(listAllIssues, { query })).issues;
  return (await w.call(listIssues, { params: { project_id }, query })).issues;
}

/**
 * Makes two projects with parents, blockers and several authors. Each issue is made a second after the previous one.
 */
async function shelf(w: World) {
  const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
  const parent = await w.given.issue({ project: web, title: "parent", actor: "ann" });
  const made = [parent];
  for (let at = 0; at < 8; at += 1) {
    w.clock.advance(1000);
    const project = at % 4 === 3 ? shop : web;
    const issue = await w.given.issue({
      project,
      title: `${at}`,
      actor: at % 2 === 0 ? "ann" : "bea",
    });
    if (at % 3 === 0) await w.given.link(issue, "parent", parent);
    if (at % 3 === 1) await w.given.link(parent, "blocks", issue);
    made.push(issue);
  }
  w.clock.advance(1000);
  await w.given.closed(made[2] ?? parent);
  return { web, shop, parent, made };
}

describeStore("lists filtered by parent, author, blockers and time of change", (open) => {
  test("contain exactly the issues that match in the whole list, now and in the past, page by page", async () => {
    const w = await world({ store: open });
    const { web, shop, parent } = await shelf(w);
    const at = String(await w.store.read(async ({ events }) => await events.lastId()));
    const all = await listed(w, undefined, {});
    const since = all.map(({ updated_at }) => updated_at).sort()[4] ?? "";
    const filters: readonly (readonly [Query, (row: Row) => boolean])[] = [
      [{ parent_uid: parent.uid }, (row) => row.parent?.uid === parent.uid],
      [{ author: "bea" }, (row) => row.author === "bea"],
      [{ blocked: true }, (row) => row.blocked],
      [{ blocked: false }, (row) => !row.blocked],
      [{ changed_since: since }, (row) => row.updated_at >= since],
      [{ status: "open" }, (row) => row.status === "open"],
    ];
    for (const [first, isFirst] of filters) {
      for (const [second, isSecond] of filters) {
        const query = { ...second, ...first };
        const fits = (row: Row) => isFirst(row) && (first === second || isSecond(row));
        if (first !== second && "blocked" in first && "blocked" in second) continue;
        for (const project of [undefined, web, shop]) {
          const id = project?.path.project_id;
          const expected = (await listed(w, id, {})).filter(fits).map(({ uid }) => uid);
          const uids = async (more: Query) =>
            (await listed(w, id, { ...query, ...more })).map(({ uid }) => uid);
          expect(await uids({}), JSON.stringify(query)).toEqual(expected);
          expect(await uids({ at }), JSON.stringify(query)).toEqual(expected);
          expect(await uids({ limit: 1, after: "" })).toEqual(expected.slice(0, 1));
        }
      }
    }
    expect(await listed(w, undefined, { parent_uid: "nothing" })).toEqual([]);
  });

  test("work for ready issues too, and a take can be limited to the children of one issue", async () => {
    const w = await world({ store: open });
    const { web, parent } = await shelf(w);
    const params = web.path;
    const { issues } = await w.call(readyIssues, { params, query: {} });
    const children = issues.filter((row) => row.parent?.uid === parent.uid);
    expect(children.length).toBeGreaterThan(1);
    const ask = async (query: object) =>
      (await w.call(readyIssues, { params, query })).issues.map(({ uid }) => uid);
    const uids = (rows: typeof issues) => rows.map(({ uid }) => uid);
    expect(await ask({ parent_uid: parent.uid })).toEqual(uids(children));
    const byBea = uids(issues.filter(({ author }) => author === "bea"));
    expect(byBea).not.toEqual([]);
    expect(await ask({ author: "bea" })).toEqual(byBea);
    const take = { order: "take", limit: 1, takeable_by: "cid" };
    expect(await ask({ ...take, author: "bea" })).toEqual(byBea.slice(0, 1));
    const since = issues[0]?.updated_at ?? "";
    expect(await ask({ ...take, changed_since: since })).toEqual(uids(issues).slice(0, 1));
    const first = await ask({ ...take, parent_uid: parent.uid });
    const global = await w.call(readyIssuesGlobal, { query: { parent_uid: parent.uid } });
    expect(global.issues.map(({ uid }) => uid)).toEqual(expect.arrayContaining(uids(children)));
    const body = { parent_uid: parent.uid, actor: "cid" };
    const headers = { "idempotency-key": "one" };
    const taken = await w.call(takeReadyIssue, { params, body, headers });
    expect([taken.issue?.uid]).toEqual(first);
    const other = { body: { actor: "cid" }, params, headers };
    expect((await w.refused(takeReadyIssue, other)).code).toBe("idempotency_mismatch");
    const gone = { params, body: { parent_uid: children[0]?.uid, actor: "cid" } };
    expect((await w.call(takeReadyIssue, gone)).issue).toBeNull();
  });

  test("accept a time of change in RFC 3339, to the millisecond and inclusive", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "one" });
    w.clock.advance(5);
    await w.call(editIssue, { params: issue.path, body: { title: "two" } });
    const now = w.clock.now();
    const count = async (changed_since: string) =>
      (await listed(w, undefined, { changed_since })).length;
    expect(await count(now)).toBe(1);
    w.clock.advance(1);
    expect(await count(w.clock.now())).toBe(0);
    for (const changed_since of ["", "yesterday", "2026-02-30T00:00:00Z", "2026-01-01"]) {
      const refused = await w.refused(listAllIssues, { query: { changed_since } });
      expect(refused).toMatchObject({ code: "validation", data: { field: "changed_since" } });
    }
  });
});
