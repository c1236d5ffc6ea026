import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  assignIssue,
  claimIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "../../../src/contract/actions.ts";
import { importIssues } from "../../../src/contract/imports.ts";
import { disableIssueSync } from "../../../src/contract/issue-sync.ts";
import { editIssue, listAllIssues, showIssue } from "../../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../../src/contract/labels.ts";
import { takeReadyIssue } from "../../../src/contract/leases.ts";
import { createLink, deleteLink } from "../../../src/contract/links.ts";
import { moveIssue } from "../../../src/contract/removal.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { describeStore, sqliteDatabase } from "../../support/store.ts";
import type { OpenStore } from "../../support/world.ts";
import { JUNE, parentIs } from "./host.ts";
import { syncWorld } from "./synced.ts";

const SYNCED = { provider: "github", number: 1, url: "https://github.com/ann/web/issues/1" };

/** Issue 1 of the host is a child of issue 2, and has a label and an owner. The project has an issue of its own. */
async function board(open: OpenStore) {
  const synced = await syncWorld(open);
  const { w, host, project, enable, once, show } = synced;
  await enable();
  host.put(2);
  host.put(1, { labels: ["ui"], owner: "bea", parent: parentIs(2) });
  await once();
  const own = await w.given.issue({ project, title: "our own" });
  const { issue, links } = await show(1);
  const { issue: parent } = await show(2);
  const path = { project_id: project.id, ref: issue.short_id };
  return { ...synced, own, issue, link: links[0], parent, path };
}

type Board = Awaited<ReturnType<typeof board>>;

describeStore("an issue that sync reads from a code host", (open) => {
  test("is marked as synced wherever it is shown, and an issue made here is not", async () => {
    const { w, issue, list, show, own } = await board(open);
    expect((await show(1)).issue.synced).toEqual(SYNCED);
    expect((await show(2)).children.map(({ synced }) => synced)).toEqual([SYNCED]);
    const listed = await list();
    expect(listed.map(({ title, synced }) => [title, synced?.number]).sort()).toEqual([
      ["[GitHub #1] issue 1", 1],
      ["[GitHub #2] issue 2", 2],
      ["our own", undefined],
    ]);
    const all = await w.call(listAllIssues, { query: { issue_uid: [issue.uid] } });
    expect(all.issues[0]?.synced).toEqual(SYNCED);
    const mine = await w.call(showIssue, { params: own.path });
    expect(mine.issue).not.toHaveProperty("synced");
  });

  test("is marked as synced in a list of chosen fields only if the fields include the mark", async () => {
    const { w, issue } = await board(open);
    const rows = async (fields: string) => {
      const query = { issue_uid: [issue.uid], fields };
      const answer = await w.send(listAllIssues, { query });
      return ((await answer.json()) as { readonly issues: unknown }).issues;
    };
    expect(await rows("title,synced")).toEqual([{ title: issue.title, synced: SYNCED }]);
    expect(await rows("title")).toEqual([{ title: issue.title }]);
  });

  test("is still marked as synced after it was moved to another project", async () => {
    const { w, path, issue } = await board(open);
    const other = await w.given.project("other");
    const headers = { "if-match": `"rev-${issue.revision}"` };
    await w.call(moveIssue, { params: path, headers, body: { to_project_uid: other.uid } });
    const [row] = (await w.call(listAllIssues, { query: { issue_uid: [issue.uid] } })).issues;
    expect(row).toMatchObject({ project_id: other.id, synced: SYNCED });
  });

  test("is not marked as synced in answers about the past, nor after the binding is disabled", async () => {
    const { w, path, params } = await board(open);
    const [last] = (await w.events()).slice(-1);
    const past = await w.call(showIssue, { params: path, query: { at: String(last?.id) } });
    expect(past.issue.title).toBe("[GitHub #1] issue 1");
    expect(past.issue).not.toHaveProperty("synced");
    await w.call(disableIssueSync, { params, body: {} });
    expect((await w.call(showIssue, { params: path })).issue).not.toHaveProperty("synced");
    const closed = await w.call(closeIssue, { params: path, body: { source: "tui" } });
    expect(closed).not.toHaveProperty("warnings");
  });

  test("warns of edits to fields that the host owns, and names the fields and the host's address", async () => {
    const { w, path, issue } = await board(open);
    const body = { title: "mine", body: "mine", owner: "", set_priority: 1 };
    const { warnings } = await w.call(editIssue, { params: path, body });
    expect(warnings).toEqual([
      {
        code: "host_owned",
        message: `GitHub owns title, body and owner of ${issue.short_id}: the edit is lost when the issue changes there, so make it there too (${SYNCED.url})`,
        fields: ["title", "body", "owner"],
      },
    ]);
    const again = await w.call(editIssue, { params: path, body });
    expect(again).toMatchObject({ changed: false });
    expect(again).not.toHaveProperty("warnings");
  });

  test.each<readonly [string, string | undefined, (board: Board) => Promise<object>]>([
    [
      "a new title",
      "title",
      async ({ w, path: params }) => await w.call(editIssue, { params, body: { title: "mine" } }),
    ],
    [
      "a new text",
      "body",
      async ({ w, path: params }) => await w.call(editIssue, { params, body: { body: "mine" } }),
    ],
    [
      "a close",
      "status",
      async ({ w, path: params }) =>
        await w.call(closeIssue, { params, body: { source: "tui", reason: "done" } }),
    ],
    [
      "a new owner",
      "owner",
      async ({ w, path: params }) => await w.call(assignIssue, { params, body: { owner: "me" } }),
    ],
    [
      "no owner",
      "owner",
      async ({ w, path: params }) => await w.call(unassignIssue, { params, body: {} }),
    ],
    [
      "a claim",
      "owner",
      async ({ w, path: params }) => await w.call(claimIssue, { params, body: { force: true } }),
    ],
    [
      "a label of the host that is removed",
      "labels",
      async ({ w, path }) => await w.call(removeLabel, { params: { ...path, label: "ui" } }),
    ],
    [
      "a label that is added",
      undefined,
      async ({ w, path: params }) => await w.call(addLabel, { params, body: { label: "mine" } }),
    ],
    [
      "a parent of the host that is removed",
      "parent",
      async ({ w, path: params, parent }) =>
        await w.call(editIssue, {
          params,
          body: { links_delta: { remove_parent: parent.short_id } },
        }),
    ],
    [
      "a parent of the host whose link is deleted",
      "parent",
      async ({ w, path, link }) =>
        await w.call(deleteLink, { params: { ...path, link_id: link?.id ?? 0 } }),
    ],
    [
      "another parent",
      undefined,
      async ({ w, path: params, own }) =>
        await w.call(editIssue, { params, body: { links_delta: { set_parent: own.short_id } } }),
    ],
    [
      "another link",
      undefined,
      async ({ w, path: params, own }) =>
        await w.call(createLink, { params, body: { type: "related", to_ref: own.short_id } }),
    ],
    [
      "a priority",
      undefined,
      async ({ w, path: params }) =>
        await w.call(setIssuePriority, { params, body: { priority: 0 } }),
    ],
  ])("loses %s at the host's next change exactly if the edit warned", async (_, field, edit) => {
    const world = await board(open);
    const { w, host, once, show } = world;
    const before = await partsOf(show);
    const answer = (await edit(world)) as { readonly warnings?: readonly { fields: string[] }[] };
    expect(answer.warnings?.map(({ fields }) => fields)).toEqual(
      field === undefined ? undefined : [[field]],
    );
    const edited = await partsOf(show);
    expect(edited).not.toEqual(before);
    host.put(1, { updated_at: w.clock.now() });
    await once();
    expect(await partsOf(show)).toEqual(field === undefined ? edited : before);
  });

  test("warns when a label or a parent is removed that an import from the repository's file had set", async () => {
    const { w, host, project, enable, once, show } = await syncWorld(open);
    const item = (number: number, more: object) => ({
      external_id: `gh-${number}`,
      title: `[GitHub #${number}] issue ${number}`,
      author: "ann",
      status: "open" as const,
      created_at: JUNE,
      updated_at: JUNE,
      ...more,
    });
    const links = [{ type: "parent" as const, target_external_id: "gh-2" }];
    const items = [item(2, {}), item(1, { labels: ["ui", "soon"], links })];
    const body = { source: "github:ann/web", items };
    await w.call(importIssues, { params: project.path, body });
    host.put(2);
    host.put(1, { labels: ["ui"], parent: parentIs(2) });
    await enable();
    await once();
    const { issue, parent } = await show(1);
    const params = { project_id: project.id, ref: issue.short_id };
    await w.call(addLabel, { params, body: { label: "mine" } });
    const removed = async (label: string) =>
      (await w.call(removeLabel, { params: { ...params, label } })).warnings;
    expect(await removed("ui")).toMatchObject([{ code: "host_owned", fields: ["labels"] }]);
    expect(await removed("mine")).toBeUndefined();
    const links_delta = { remove_parent: parent?.short_id };
    const { warnings } = await w.call(editIssue, { params, body: { links_delta } });
    expect(warnings).toMatchObject([{ code: "host_owned", fields: ["parent"] }]);
    host.put(1, { updated_at: w.clock.now() });
    await once();
    const again = await show(1);
    expect(again.labels.map(({ label }) => label)).toContain("ui");
    expect(again.parent?.uid).toBe(parent?.uid);
  });

  test("warns when it is reopened, and when somebody takes it as ready work", async () => {
    const { w, path, project } = await board(open);
    await w.call(closeIssue, { params: path, body: { source: "tui" } });
    const reopened = await w.call(reopenIssue, { params: path, body: {} });
    expect(reopened.warnings?.map(({ fields }) => fields)).toEqual([["status"]]);
    await w.call(unassignIssue, { params: path, body: {} });
    const params = { project_id: project.id };
    const taken = await w.call(takeReadyIssue, { params, body: { labels: ["ui"] } });
    expect(taken.warnings?.map(({ fields }) => fields)).toEqual([["owner"]]);
  });

  test("does not warn when a label or a parent that was set here is removed", async () => {
    const { w, path, own } = await board(open);
    await w.call(addLabel, { params: path, body: { label: "mine" } });
    const unlabeled = await w.call(removeLabel, { params: { ...path, label: "mine" } });
    expect(unlabeled).toMatchObject({ changed: true });
    expect(unlabeled).not.toHaveProperty("warnings");
    const link = async (links_delta: object) =>
      await w.call(editIssue, { params: path, body: { links_delta } });
    await link({ set_parent: own.short_id });
    const unparented = await link({ remove_parent: own.short_id });
    expect(unparented).toMatchObject({ changed: true });
    expect(unparented).not.toHaveProperty("warnings");
  });

  test("causes no warning when another issue, which was made here, is edited", async () => {
    const { w, own } = await board(open);
    const edited = await w.call(editIssue, { params: own.path, body: { title: "mine" } });
    expect(edited).not.toHaveProperty("warnings");
  });
});

/** What an edit of the first issue may change. */
async function partsOf(show: Board["show"]) {
  const { issue, labels, links, parent } = await show(1);
  const { title, body, status, closed_reason, owner, priority } = issue;
  return {
    ...{ title, body, status, closed_reason, owner, priority, parent: parent?.title },
    labels: labels.map(({ label }) => label),
    links: links.map(({ type, to }) => `${type} ${to.uid}`),
  };
}

test("SQLite finds the synced issues of a page by one statement, through the index of imports by issue", async () => {
  const { target, open } = await sqliteDatabase();
  const store = await open();
  const execute = vi.spyOn(SqliteConnection.prototype, "execute");
  await store.read(async (reader) => await reader.marks.syncedIssues(["a", "b"]));
  const sent = execute.mock.calls.filter(([sql]) => sql.includes("issue_sync_binding"));
  execute.mockRestore();
  expect(sent).toHaveLength(1);
  const database = new Database(target.dsn, { readonly: true });
  onTestFinished(() => void database.close());
  const [sql = ""] = sent[0] ?? [];
  const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
  const steps = plan.all('["a","b"]').map(({ detail }) => detail);
  expect(steps[0]).toBe("SCAN b");
  expect(steps).toContain("SEARCH i USING COVERING INDEX import_issue (issue_uid=?)");
});
