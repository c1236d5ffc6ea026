import { expect, test } from "vitest";
import { undoImport } from "../../src/contract/import-batches.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { listIssues } from "../../src/contract/issues.ts";
import { mergeProject, removeProject, restoreProject } from "../../src/contract/project-actions.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { differencesFromTables, faultsWithin } from "./whole-index.ts";
import { meaningWorld } from "./world.ts";

/** How many issues the import has. An undo takes back 500 at once. */
const MANY = {
  sqlite: Number(process.env["SVC_TEST_ISSUES"] ?? 550),
  postgres: Number(process.env["SVC_TEST_ISSUES"] ?? 100),
} as const;

const JUNE = "2026-06-01T00:00:00.000Z";

/** A world with a filled index of some issues, and a way to do something while a call of a pass has no answer yet. */
async function filled(open: OpenTestStore) {
  const made = await meaningWorld(open);
  const { w, state, start } = made;
  const [into, from] = [await w.given.project("into"), await w.given.project("from")];
  for (const project of [into, from])
    for (let number = 0; number < 5; number++)
      await w.given.issue({ project, title: `${project.name} ${number}` });
  const meaning = start();
  await meaning.fill();
  const duringPass = async <T>(work: () => Promise<T>): Promise<T> => {
    await w.given.issue({ project: into, title: `another ${w.clock.nowMs()}` });
    w.clock.advance(1000);
    state.forgetCalls();
    state.hold();
    const sweeping = meaning.sweep();
    await state.hasBeenCalled(1);
    const value = await work();
    await meaning.forget();
    state.release();
    await sweeping;
    expect(await faultsWithin(made.database)).toEqual([]);
    return value;
  };
  /** Ends what is left to do. The index then has what the tables have. */
  const rest = async (): Promise<void> => {
    await meaning.forget();
    await meaning.fill();
    expect(await differencesFromTables(made)).toEqual([]);
    const { embedded, backlog } = meaning.health() ?? {};
    const live = await w.store.read(async ({ contents }) => await contents.count());
    expect({ embedded, backlog }).toEqual({ embedded: live, backlog: 0 });
  };
  return { ...made, into, from, meaning, duringPass, rest };
}

function itemsOf(count: number) {
  return Array.from({ length: count }, (_, number) => ({
    external_id: `other-${number}`,
    title: `imported ${number}`,
    ...{ author: "ann", status: "open" as const, created_at: JUNE, updated_at: JUNE },
  }));
}

describeStore("the index of meanings equals the tables", (open) => {
  const issues = MANY[open.dialect];

  test(`after an import of ${issues} issues and its undo, both while a pass waits for the provider`, async () => {
    const { w, state, from, duringPass, rest } = await filled(open);
    const body = { source: "other", items: itemsOf(issues) };
    const { batch_uid } = await duringPass(
      async () => await w.call(importIssues, { params: from.path, body }),
    );
    await rest();
    await w.call(importIssues, { params: from.path, body: { ...body, source: "again" } });
    state.forgetCalls();
    // Each portion of the undo has another call of the provider beside it.
    let [deleted, after]: [number, string | undefined] = [0, ""];
    while (after !== undefined) {
      const body: { readonly after?: string } = after === "" ? {} : { after };
      const portion = await duringPass(
        async () => await w.call(undoImport, { params: { ...from.path, batch_uid }, body }),
      );
      deleted += portion.deleted;
      after = portion.next_after;
    }
    expect(deleted).toBe(issues);
    await rest();
    const sent = state.inputs().filter((text) => text.startsWith("imported"));
    expect(new Set(sent).size).toBe(sent.length);
  }, 600_000);

  test("after a move, a merge, an archive and a restore, each while a pass waits for the provider", async () => {
    const { w, state, into, from, duringPass, rest } = await filled(open);
    const [moved] = (await w.call(listIssues, { params: from.path })).issues;
    const params = { project_id: from.id, ref: moved?.uid ?? "" };
    await duringPass(
      async () =>
        await w.call(moveIssue, {
          ...{ params, headers: { "if-match": `"rev-${moved?.revision}"` } },
          body: { to_project_uid: into.uid },
        }),
    );
    await rest();
    await duringPass(
      async () =>
        await w.call(mergeProject, { params: into.path, body: { source_project_id: from.id } }),
    );
    await rest();
    expect(state.inputs().filter((text) => text.startsWith("from"))).toEqual([]);
    await duringPass(
      async () => await w.call(removeProject, { params: into.path, query: { force: true } }),
    );
    await rest();
    await w.given.issue({ title: "in a third project" });
    await w.call(restoreProject, { params: into.path });
    await rest();
    await duringPass(async () => {
      await w.call(removeProject, { params: into.path, query: { force: true } });
      await w.call(restoreProject, { params: into.path });
    });
    await rest();
  }, 300_000);
});
