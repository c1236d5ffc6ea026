import fc from "fast-check";
import { expect, test } from "vitest";
import { assignIssue, setIssuePriority } from "../../src/contract/actions.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { mergeProject } from "../../src/contract/project-actions.ts";
import { deleteIssue, moveIssue, restoreIssue } from "../../src/contract/removal.ts";
import { undoProject } from "../../src/contract/undo.ts";
import { RandomRun } from "../support/random-run.ts";
import { step } from "../support/random-steps.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";
import { collect } from "./fold.ts";

type Path = { readonly project_id: number; readonly ref: string };

async function revisionOf({ store }: World, uid: string): Promise<number | undefined> {
  const issue = await store.read(async ({ issues }) => await issues.find(uid));
  return issue?.content_revision;
}

const edit = async (w: World, params: Path, body: { title?: string; body?: string }) =>
  await w.call(editIssue, { params, body });

describeStore("the content revision of an issue", (open) => {
  test("begins at 1 and grows with each change of title or body, also back to an earlier text", async () => {
    const w = await world({ store: open });
    const { uid, path } = await w.given.issue({ title: "one", body: "text" });
    const seen = [await revisionOf(w, uid)];
    for (const body of [{ title: "two" }, { body: "more" }, { title: "one", body: "text" }]) {
      await edit(w, path, body);
      seen.push(await revisionOf(w, uid));
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  test("stays the same for an edit without a new text and for changes of anything else", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "one", body: "text" });
    const { uid, path: params } = issue;
    await edit(w, params, { title: "two" });
    await edit(w, params, { title: "two", body: "text" });
    await w.call(assignIssue, { params, body: { owner: "bea" } });
    await w.call(setIssuePriority, { params, body: { priority: 1 } });
    await w.call(addLabel, { params, body: { label: "bug" } });
    await w.given.metadata(issue, { someday: true });
    await w.given.comment({ on: issue, body: "a comment" });
    await w.given.closed(issue);
    const headers = { "x-svc-confirm": `DELETE web#${issue.short_id}` };
    await w.call(deleteIssue, { params, headers });
    await w.call(restoreIssue, { params });
    expect(await revisionOf(w, uid)).toBe(2);
  });

  test("stays the same when the issue moves to another project or its project is merged", async () => {
    const w = await world({ store: open });
    const { uid, path: params, project_uid } = await w.given.issue({ title: "one" });
    await edit(w, params, { title: "two" });
    const other = await w.given.project("other");
    const headers = { "if-match": '"rev-1"' };
    await w.call(moveIssue, { params, headers, body: { to_project_uid: other.uid } });
    expect(await revisionOf(w, uid)).toBe(2);
    const [into] = await w.store.read(async ({ projects }) => [
      await projects.find(project_uid ?? ""),
    ]);
    await w.call(mergeProject, {
      params: { project_id: into?.id ?? 0 },
      body: { source_project_id: other.id },
    });
    expect(await revisionOf(w, uid)).toBe(2);
  });

  test("grows when an undo puts the earlier text back", async () => {
    const w = await world({ store: open });
    const { uid, path: params } = await w.given.issue({ title: "one" });
    w.clock.advance(1000);
    const since = w.clock.now();
    await w.call(editIssue, { params, body: { title: "two", actor: "bea" } });
    const undo = { of_actor: "bea", since, actor: "bea" };
    await w.call(undoProject, {
      params: { project_id: params.project_id },
      headers: { "x-svc-confirm": "UNDO 1 OF bea" },
      body: undo,
    });
    const issue = await w.store.read(async ({ issues }) => await issues.find(uid));
    expect(issue).toMatchObject({ title: "one", content_revision: 3 });
  });

  test("grows when an event that changed the text is skipped", async () => {
    const w = await world({ store: open });
    const { uid, path } = await w.given.issue({ title: "one" });
    await edit(w, path, { title: "two" });
    const edits = (await w.events()).filter(({ type }) => type === "issue.updated");
    await w.store.write(async (tx) => await tx.skipEvents(edits.map((event) => event.uid)));
    const issue = await w.store.read(async ({ issues }) => await issues.find(uid));
    expect(issue).toMatchObject({ title: "one", content_revision: 3 });
  });

  test("grows at a second import only for the issues whose text changed", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    const [year, month] = ["2025-05-01T10:00:00.000Z", "2025-06-01T10:00:00.000Z"];
    const item = (number: number, title: string, updated_at: string) => ({
      ...{ external_id: `gh-${number}`, title, body: "a body", author: "ann", labels: [] },
      ...{ status: "open" as const, created_at: year, updated_at, comments: [] },
    });
    const send = async (...items: readonly ReturnType<typeof item>[]) =>
      await w.call(importIssues, {
        params: project.path,
        body: { source: "github:ann/web", items: [...items] },
      });
    await send(item(1, "one", year), item(2, "two", year));
    await send(item(1, "one", month), item(2, "new", month));
    const rows = await snapshotIssues(w);
    expect(rows.map(({ title, content_revision }) => [title, content_revision]).sort()).toEqual([
      ["new", 2],
      ["one", 1],
    ]);
  });

  test("is another one after random operations wherever the text is another one", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const w = await world({ store: open });
        const run = await RandomRun.begin(w);
        const texts = new Map<string, string>();
        for (let at = 0; at < steps.length; at += 8) {
          await run.steps(steps.slice(at, at + 8));
          for (const { uid, title, body, content_revision } of await snapshotIssues(w)) {
            const key = `${uid} ${content_revision}`;
            const text = JSON.stringify([title, body]);
            expect(texts.get(key) ?? text).toBe(text);
            texts.set(key, text);
          }
        }
      }),
      { numRuns: 15 },
    );
  });
});

async function snapshotIssues(w: World) {
  const snapshot = await w.store.openSnapshot();
  try {
    return await collect(snapshot, "issue");
  } finally {
    await snapshot.close();
  }
}
