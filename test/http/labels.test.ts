import { expect, test } from "vitest";
import { showIssue } from "../../src/contract/issues.ts";
import { addLabel, listLabels, removeLabel } from "../../src/contract/labels.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

describeStore("labels", (open) => {
  test("a label is added with its author and time, and listed in order of name", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ labels: ["ui"] });
    w.clock.advance(1000);
    const added = await w.call(addLabel, {
      params: issue.path,
      body: { label: "bug", actor: "bea" },
    });
    expect(added).toMatchObject({
      changed: true,
      issue: { labels: ["bug", "ui"], revision: 1, updated_at: "2026-01-01T00:00:01.000Z" },
      label: {
        issue_id: issue.id,
        label: "bug",
        author: "bea",
        created_at: "2026-01-01T00:00:01.000Z",
      },
      event: { type: "issue.labeled", actor: "bea" },
    });
    const shown = await w.call(showIssue, { params: issue.path });
    expect(shown.issue.labels).toEqual(["bug", "ui"]);
    expect(shown.labels.map(({ label }) => label).sort()).toEqual(["bug", "ui"]);
  });

  test("adding a label again changes nothing", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue({ labels: ["bug"] });
    const again = await w.call(addLabel, { params, body: { label: "bug", actor: "bea" } });
    expect(again).toMatchObject({ changed: false, event: null, label: { author: "ann" } });
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test("removing a label succeeds, and removing an absent one is no error", async () => {
    const w = await world({ store: open });
    const { path } = await w.given.issue({ labels: ["bug", "ui"] });
    const params = { ...path, label: "bug" };
    const removed = await w.call(removeLabel, { params, query: { actor: "bea" } });
    expect(removed).toMatchObject({
      changed: true,
      issue: { labels: ["ui"] },
      event: { type: "issue.unlabeled", actor: "bea" },
    });
    const again = await w.call(removeLabel, { params });
    expect(again).toMatchObject({ changed: false, event: null, issue: { labels: ["ui"] } });
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.unlabeled"]);
  });

  test("a label with punctuation works in the path", async () => {
    const w = await world({ store: open });
    const label = "area:cli.v2_x-1";
    const { path } = await w.given.issue({ labels: [label] });
    const removed = await w.call(removeLabel, { params: { ...path, label } });
    expect(removed.issue.labels).toEqual([]);
  });

  test("removing a label requires an actor", async () => {
    const w = await world({ store: open });
    const { path } = await w.given.issue({ labels: ["bug"] });
    const params = { ...path, label: "bug" };
    const refused = await w.refused(removeLabel, { params, query: { actor: "" } });
    expect(refused).toMatchObject({ code: "validation", message: "actor is required" });
  });

  test("the label counts of a project are by name, for open and closed issues, without hidden issues", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    const other = await w.given.project("shop");
    await w.given.issue({ project, labels: ["ui", "bug"] });
    const closed = await w.given.issue({ project, labels: ["bug"] });
    const deleted = await w.given.issue({ project, labels: ["bug", "gone"] });
    await w.given.issue({ project: other, labels: ["bug", "elsewhere"] });
    await w.given.closed(closed);
    await w.given.deleted(deleted);
    expect(await w.call(listLabels, { params: project.path })).toEqual({
      labels: [
        { label: "bug", count: 2 },
        { label: "ui", count: 1 },
      ],
    });
  });

  test("a project without labels has an empty list of labels", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project();
    expect(await w.call(listLabels, { params })).toEqual({ labels: [] });
  });

  test.each([
    ["64 characters", "l".repeat(64)],
    ["one character", "a"],
    ["every character that is allowed", "az09._:-"],
  ])("a label of %s is accepted", async (_, label) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    expect((await w.call(addLabel, { params, body: { label } })).label.label).toBe(label);
  });

  test.each([
    ["65 characters", "l".repeat(65)],
    ["nothing", ""],
    ["an upper-case letter", "Bug"],
    ["a space", "a b"],
    ["a line end", "bug\n"],
    ["a letter beyond ASCII", "é"],
    ["a comma", "a,b"],
  ])("a label with %s is refused", async (_, label) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const refused = await w.refused(addLabel, { params, body: { label } });
    expect(refused).toMatchObject({
      code: "validation",
      message: "label: must be 1 to 64 of a-z 0-9 . _ : -",
      data: { field: "label" },
    });
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test.each([".", ".."])("the label %s is refused, since no path could name it", async (label) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    expect(await w.refused(addLabel, { params, body: { label } })).toMatchObject({
      code: "validation",
      message: "label: must not be . or ..",
    });
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test.each(["...", ".a", "a..", "-.", ":"])("label %s can be added and removed", async (label) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await w.call(addLabel, { params, body: { label } });
    const removed = await w.call(removeLabel, { params: { ...params, label } });
    expect(removed).toMatchObject({ changed: true, issue: { labels: [] } });
  });

  test("the labels of a deleted issue cannot be changed, nor those of a missing project be counted", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ labels: ["bug"] });
    await w.given.deleted(issue);
    const add = await w.refused(addLabel, { params: issue.path, body: { label: "ui" } });
    const remove = await w.refused(removeLabel, { params: { ...issue.path, label: "bug" } });
    const list = await w.refused(listLabels, { params: { project_id: 99 } });
    expect([add.code, remove.code, list.code]).toEqual([
      "issue_not_found",
      "issue_not_found",
      "project_not_found",
    ]);
  });
});
