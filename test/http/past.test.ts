import { expect, test } from "vitest";
import { setIssuePriority } from "../../src/contract/actions.ts";
import { editComment } from "../../src/contract/comments.ts";
import {
  editIssue,
  listAllIssues,
  listIssues,
  showIssue,
  showIssueByUID,
} from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import { acquireIssueLease, releaseIssueLease } from "../../src/contract/leases.ts";
import { deleteLink } from "../../src/contract/links.ts";
import { mergeProject, purgeProject, removeProject } from "../../src/contract/project-actions.ts";
import { renameProject } from "../../src/contract/projects.ts";
import { deleteIssue, moveIssue, purgeIssue } from "../../src/contract/removal.ts";
import { readyIssues, readyIssuesGlobal } from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

/** Returns the id of the last event, and moves the clock on. */
async function moment(w: World): Promise<string> {
  const id = await w.store.read(async ({ events }) => await events.lastId());
  w.clock.advance(1000);
  return String(id);
}

const ids = (issues: readonly { readonly short_id: string }[]) =>
  issues.map(({ short_id }) => short_id).sort();

describeStore("reading the past", (open) => {
  test("shows an issue named by uid as it was, wherever it is now", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "before" });
    const at = String(await w.store.read(async ({ events }) => await events.lastId()));
    await w.call(editIssue, { params: issue.path, body: { title: "after" } });
    await w.given.deleted(issue);
    for (const uid of [issue.uid, issue.uid.slice(0, 25)]) {
      const then = await w.call(showIssueByUID, { params: { uid }, query: { at } });
      expect(then.issue.title).toBe("before");
      expect(then.as_of).toMatchObject({ event_id: Number(at) });
    }
    const now = await w.refused(showIssueByUID, { params: { uid: issue.uid } });
    expect(now.code).toBe("issue_not_found");
    const early = { params: { uid: issue.uid }, query: { at: "1" } };
    expect((await w.refused(showIssueByUID, early)).message).toMatch(/^there was no /);
    const wrong = { params: { uid: issue.uid }, query: { at: "soon" } };
    expect((await w.refused(showIssueByUID, wrong)).code).toBe("validation");
  });

  test("shows an issue exactly as it was shown at that time, field by field", async () => {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const parent = await w.given.issue({ project: web, title: "parent" });
    const blocker = await w.given.issue({ project: shop, title: "blocker" });
    const issue = await w.given.issue({
      project: web,
      title: "old",
      body: "b",
      owner: "ann",
      priority: 2,
      labels: ["one"],
      metadata: { k: 1 },
      links: [{ type: "parent", to_ref: parent.uid }],
    });
    const child = await w.given.issue({ project: web, title: "child" });
    const grandchild = await w.given.issue({ project: web, title: "grandchild" });
    const { comment } = await w.given.comment({ on: issue, body: "first" });
    // Changed by an event of the other issue only.
    await w.call(editIssue, {
      params: child.path,
      body: { links_delta: { set_parent: issue.uid } },
    });
    await w.call(editIssue, {
      params: grandchild.path,
      body: { links_delta: { set_parent: child.uid, add_blocks: [child.uid] } },
    });
    await w.call(editIssue, {
      params: blocker.path,
      body: { links_delta: { add_blocks: [issue.uid, child.uid] } },
    });
    await w.call(acquireIssueLease, { params: issue.path });
    const lookAll = async (query: object) => ({
      issue: await w.call(showIssue, { params: issue.path, query }),
      parent: await w.call(showIssue, { params: parent.path, query }),
      blocker: await w.call(showIssue, { params: blocker.path, query }),
    });
    const then = await lookAll({});
    const [at, instant] = [await moment(w), w.clock.now()];
    w.clock.advance(1000);
    await w.call(releaseIssueLease, { params: issue.path });
    await w.call(editIssue, {
      params: issue.path,
      body: {
        title: "new",
        body: "",
        owner: "",
        set_priority: 0,
        links_delta: { remove_parent: parent.uid },
      },
    });
    await w.call(editIssue, {
      params: child.path,
      body: { links_delta: { remove_parent: issue.uid, remove_blocked_by: [blocker.uid] } },
    });
    await w.call(editIssue, {
      params: blocker.path,
      body: { title: "done", links_delta: { remove_blocks: [issue.uid] } },
    });
    await w.given.closed(blocker);
    await w.given.closed(grandchild);
    await w.call(addLabel, { params: issue.path, body: { label: "two" } });
    await w.call(removeLabel, { params: { ...issue.path, label: "one" } });
    await w.call(editComment, { params: comment.path, body: { body: "second" } });
    await w.call(renameProject, { params: shop.path, body: { name: "store" } });
    for (const when of [at, instant]) {
      const past = await lookAll({ at: when });
      for (const which of ["issue", "parent", "blocker"] as const) {
        const { as_of, ...shown } = past[which];
        expect(as_of?.event_id).toBe(Number(at));
        // A link that was removed has no id any more.
        const links = shown.links.map((link) => ({ ...link, id: 0 }));
        const were = then[which].links.map((link) => ({ ...link, id: 0 }));
        const { lease_hub_now: _now, ...rest } = shown;
        const { lease_hub_now: _then, ...wanted } = then[which];
        expect({ ...rest, links: new Set(links) }).toEqual({ ...wanted, links: new Set(were) });
      }
    }
  });

  test("lists issues as they were listed at that time, with every filter and in the same order", async () => {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const issues = [];
    for (let at = 0; at < 8; at++) {
      w.clock.advance(at % 2);
      issues.push(
        await w.given.issue({
          project: at < 6 ? web : shop,
          title: `issue ${at}`,
          labels: at % 2 === 0 ? ["even"] : ["odd", "all"],
          ...(at % 3 === 0 ? { owner: "bea" } : {}),
          ...(at < 3 ? { priority: at } : {}),
          metadata: at === 1 ? { key: "value", scheduled_on: "2027-01-01" } : {},
        }),
      );
    }
    const [first, second, third] = issues;
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    const link = await w.given.link(first, "blocks", third);
    await w.given.closed(second);
    await w.given.deleted(issues[3] ?? first);
    const queries = [
      {},
      { status: "open" },
      { status: "closed" },
      { priority: "1" },
      { max_priority: "1" },
      { owner: "bea" },
      { unowned: true },
      { label: ["even"] },
      { exclude_label: ["ALL"] },
      { meta: ["key"] },
      { meta: ["key=value"] },
      { meta: ["key=other"] },
      { limit: 2 },
      { issue_uid: [third.uid, second.uid] },
    ] as const;
    const look = async (more: object) => {
      const answers: unknown[] = [];
      for (const query of queries) {
        const asked = { ...query, ...more } as object;
        const { issues: own } = await w.call(listIssues, { params: web.path, query: asked });
        const { issues: all } = await w.call(listAllIssues, { query: asked });
        answers.push([query, own, all]);
      }
      const of = { project_id: shop.id, ...more };
      answers.push((await w.call(listAllIssues, { query: of })).issues);
      for (const containers of [false, true]) {
        const query = { containers, ...more };
        answers.push((await w.call(readyIssues, { params: web.path, query })).issues);
        answers.push((await w.call(readyIssuesGlobal, { query })).issues);
      }
      return answers;
    };
    const then = await look({});
    const at = await moment(w);
    for (const { path } of issues.slice(4)) {
      await w.call(setIssuePriority, { params: path, body: { priority: 0 } });
      await w.call(addLabel, { params: path, body: { label: "even" } });
    }
    await w.call(deleteLink, { params: { ...first.path, link_id: link.id } });
    await w.given.closed(first);
    await w.given.deleted(third);
    await w.given.issue({ project: web });
    expect(await look({ at })).toEqual(then);
  });

  test("shows what was deleted, moved, merged or renamed since then in its former state and place", async () => {
    const w = await world({ store: open });
    const [web, shop, old] = [
      await w.given.project("web"),
      await w.given.project("shop"),
      await w.given.project("old"),
    ];
    const moved = await w.given.issue({ project: web, title: "moved" });
    const deleted = await w.given.issue({ project: web, title: "deleted" });
    const merged = await w.given.issue({ project: old, title: "merged" });
    const at = await moment(w);
    await w.call(moveIssue, {
      params: moved.path,
      headers: { "if-match": '"rev-1"' },
      body: { to_project_uid: shop.uid },
    });
    await w.call(deleteIssue, {
      params: deleted.path,
      headers: { "x-svc-confirm": `DELETE ${deleted.qualified_id}` },
    });
    await w.call(mergeProject, { params: shop.path, body: { source_project_id: old.id } });
    await w.call(renameProject, { params: web.path, body: { name: "site" } });
    const listed = async (project_id: number, query: object) =>
      ids((await w.call(listIssues, { params: { project_id }, query })).issues);
    expect(await listed(web.id, { at })).toEqual(ids([moved, deleted]));
    expect(await listed(shop.id, { at })).toEqual([]);
    expect(await listed(shop.id, {})).toEqual(ids([moved, merged]));
    const { issues: all } = await w.call(listAllIssues, { query: { at } });
    expect(
      all.map(({ qualified_id, project_name }) => [qualified_id, project_name]).sort(),
    ).toEqual(
      [
        [merged.qualified_id, "old"],
        [moved.qualified_id, "web"],
        [deleted.qualified_id, "web"],
      ].sort(),
    );
    const shown = { qualified_id: moved.qualified_id, project_id: web.id };
    for (const params of [
      { project_id: web.id, ref: moved.short_id },
      { project_id: web.id, ref: moved.uid },
      { project_id: shop.id, ref: moved.short_id },
    ])
      expect((await w.call(showIssue, { params, query: { at } })).issue).toMatchObject(shown);
    const { issue } = await w.call(showIssue, { params: deleted.path, query: { at } });
    expect(issue).toMatchObject({ title: "deleted" });
    expect(issue).not.toHaveProperty("deleted_at");
  });

  test("shows an issue that was deleted at that time only on request", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.given.deleted(issue);
    const at = await moment(w);
    const query = { at };
    expect((await w.refused(showIssue, { params: issue.path, query })).code).toBe(
      "issue_not_found",
    );
    const shown = await w.call(showIssue, {
      params: issue.path,
      query: { at, include_deleted: true },
    });
    expect(shown.issue.deleted_at).toBeDefined();
  });

  test("shows nothing that was purged since then, not even for a moment that was read before the purge", async () => {
    const w = await world({ store: open });
    const [web, old] = [await w.given.project("web"), await w.given.project("old")];
    const secret = await w.given.issue({ project: web, title: "secret", labels: ["secret"] });
    const kept = await w.given.issue({
      project: web,
      title: "kept",
      links: [{ type: "blocks", to_ref: secret.uid, incoming: true }],
    });
    await w.given.issue({ project: old, title: "secret too" });
    const at = await moment(w);
    expect(JSON.stringify(await w.call(listAllIssues, { query: { at } }))).toContain("secret too");
    await w.call(purgeIssue, {
      params: secret.path,
      headers: { "x-svc-confirm": `PURGE ${secret.qualified_id}` },
    });
    await w.call(removeProject, { params: old.path, query: { force: true } });
    // What is archived is hidden now, and so is its past.
    expect(JSON.stringify(await w.call(listAllIssues, { query: { at } }))).not.toContain("secret");
    await w.call(purgeProject, { params: old.path, headers: { "x-svc-confirm": "PURGE old" } });
    const all = await w.call(listAllIssues, { query: { at } });
    expect(all.issues.map(({ title, blocked_by }) => [title, blocked_by])).toEqual([["kept", []]]);
    const shown = await w.call(showIssue, { params: kept.path, query: { at } });
    expect(shown.links).toEqual([]);
    for (const params of [secret.path, { ...secret.path, ref: secret.short_id }])
      expect((await w.refused(showIssue, { params, query: { at } })).code).toBe("issue_not_found");
    expect((await w.refused(listIssues, { params: old.path, query: { at } })).code).toBe(
      "project_not_found",
    );
  });

  test("accepts moments from before the first event until now, and no others", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = { project_id: issue.project_id };
    const last = await w.store.read(async ({ events }) => await events.lastId());
    const at = (text: string) => ({ params, query: { at: text } });
    expect((await w.call(listIssues, at("0"))).issues).toEqual([]);
    expect((await w.call(listIssues, at(String(last)))).issues).toHaveLength(1);
    expect((await w.call(listIssues, at(w.clock.now()))).issues).toHaveLength(1);
    expect((await w.call(listIssues, at("2020-01-01T00:00:00+01:00"))).as_of).toEqual({
      event_id: 0,
      at: "2019-12-31T23:00:00.000Z",
    });
    for (const wrong of [
      String(last + 1),
      "2026-01-01T00:00:00.001Z",
      "yesterday",
      "",
      "-1",
      "1.5",
    ])
      expect((await w.refused(listIssues, at(wrong))).code, wrong).toBe("validation");
    const early = await w.refused(showIssue, { params: issue.path, query: { at: "1" } });
    expect(early).toMatchObject({ code: "issue_not_found" });
    expect(early.message).toMatch(/^there was no /);
    const nowhere = { ...issue.path, ref: "zzzz" };
    for (const ref of ["zzzz", "12", "other#a001"])
      expect(
        (await w.refused(showIssue, { params: { ...nowhere, ref }, query: { at: "1" } })).code,
      ).toBe("issue_not_found");
  });
});
