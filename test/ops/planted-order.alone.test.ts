import { expect, test, vi } from "vitest";
import { examineDatabase } from "../../src/archive/doctor.ts";
import { exportLines } from "../../src/archive/export.ts";
import { restoreFile } from "../../src/archive/restore.ts";
import { verifyFile } from "../../src/archive/verify.ts";
import { writeFileWhole } from "../../src/archive/write-file.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, listAllIssues, showIssue } from "../../src/contract/issues.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import type * as Order from "../../src/domain/order.ts";
import { readKnown } from "../../src/ops/imports/known.ts";
import { deps, freshTarget, scratch } from "../archive/targets.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";

/**
 * Plants another order in the one file that has it: projects and issues are created first, and then the newest event is
 * folded first. The tables keep what each event did when it arrived, so a reader that asks the order differs from them.
 */
vi.mock("../../src/domain/order.ts", async (original) => {
  const module = await original<typeof Order>();
  const rank = ({ type }: Order.Place) =>
    ["project.created", "issue.created"].indexOf(type) === -1 ? 1 : 0;
  class NewestFirst extends module.FoldOrder {
    override get isOfArrival(): boolean {
      return false;
    }
    override numbersOf(place: Order.Place): readonly number[] {
      const first = rank(place);
      const rest = new Array<number>(module.PLACE_NUMBERS - 2).fill(0);
      return [first, first === 0 ? place.id : -place.id, ...rest];
    }
  }
  return { ...module, FoldOrder: NewestFirst };
});

describeStore("an order of events that this test puts in place of the real one", (open) => {
  test("the planted order is used by svc doctor and by the check of an export", async () => {
    const { w, target } = await retitled(open);
    const report = await examineDatabase(target);
    expect(report.fold).toMatchObject({ column: "title", folded: "first", stored: "second" });
    const path = `${await scratch()}/all.jsonl`;
    const snapshot = await w.store.openSnapshot();
    await writeFileWhole(path, exportLines(snapshot, { includeDeleted: true }));
    await snapshot.close();
    await expect(verifyFile(path)).rejects.toMatchObject({
      message: expect.stringContaining('title: should be "first", is "second"'),
    });
  });

  test("the planted order is used when an issue or a list of issues is read as of a past event", async () => {
    const { w, issue, at } = await retitled(open);
    const { issue: shown } = await w.call(showIssue, { params: issue.path, query: { at } });
    expect(shown.title).toBe("first");
    const { issues } = await w.call(listAllIssues, { query: { at } });
    expect(issues.map(({ title }) => title)).toEqual(["first"]);
  });

  test("the planted order is used by an undo, which goes back to the previous change in this order", async () => {
    const { w } = await retitled(open);
    const body = { since: "2020-01-01T00:00:00Z", of_actor: "ann", dry_run: true };
    const { reverts, conflicts } = await w.call(undoGlobal, { body });
    expect(conflicts).toEqual([]);
    expect(reverts).toMatchObject([{ field: "title", from: "first", to: "second" }]);
  });

  test("the planted order is used when an issue is folded again from its events, and the tables then agree with it", async () => {
    const { w, issue, target } = await retitled(open);
    expect(await w.store.write(async (tx) => await tx.refold([issue.uid]))).toBe(1);
    expect((await w.call(showIssue, { params: issue.path })).issue.title).toBe("first");
    expect(await examineDatabase(target)).not.toHaveProperty("fold");
  });

  test("the planted order is used by a restore, for the short ids that an issue had in other projects", async () => {
    const database = await open.database();
    const w = await world({ store: async (options) => await database.open(options) });
    const issue = await w.given.issue();
    const first = { id: issue.path.project_id, uid: issue.project_uid ?? "" };
    const second = await w.given.project("other");
    for (const [from, to] of [
      [first, second],
      [second, first],
    ] as const)
      await w.call(moveIssue, {
        params: { project_id: from.id, ref: issue.uid },
        headers: { "if-match": '"rev-1"' },
        body: { to_project_uid: to.uid },
      });
    await w.store.write(async (tx) => await tx.refold([issue.uid]));
    const folder = await scratch();
    const file = `${folder}/all.jsonl`;
    const snapshot = await w.store.openSnapshot();
    await writeFileWhole(file, exportLines(snapshot, { includeDeleted: true }));
    await snapshot.close();
    const target = await freshTarget(open.dialect, folder);
    const input = { file, target, force: false, newInstance: false, merge: false, actor: "ann" };
    await restoreFile(deps, input);
    expect(await examineDatabase(target)).not.toHaveProperty("fold");
  });

  test("the planted order is used to find the value that the last import gave a field", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    for (const title of ["made", "first", "second"]) {
      w.clock.advance(1000);
      const items = [{ ...ITEM, title, updated_at: w.clock.now() }];
      await w.call(importIssues, { params: project.path, body: { source: "beads", items } });
    }
    const base = await w.store.write(async (tx) => {
      const [issue] = await tx.issues.list({ project_uid: project.uid, limit: 10 }, "recent");
      const known = await readKnown(tx, "beads", [issue?.uid ?? ""]);
      return known.get(issue?.uid ?? "")?.imported.base.get("title");
    });
    expect(base).toBe("first");
  });
});

const ITEM = {
  external_id: "bd-1",
  body: "",
  author: "ann",
  status: "open" as const,
  created_at: "2026-01-01T00:00:00.000Z",
};

/** An issue that ann called "first", and that bea called "second" afterwards. */
async function retitled(open: OpenTestStore) {
  const database = await open.database();
  const w = await world({ store: async (options) => await database.open(options) });
  const issue = await w.given.issue({ title: "made", actor: "cyd" });
  w.clock.advance(1000);
  await w.call(editIssue, { params: issue.path, body: { title: "first" }, actor: "ann" });
  w.clock.advance(1000);
  await w.call(editIssue, { params: issue.path, body: { title: "second" }, actor: "bea" });
  const at = String(await w.store.read(async (reader) => await reader.events.lastId()));
  const target = { dialect: database.dialect, ...database.target };
  return { w, issue, at, target };
}
