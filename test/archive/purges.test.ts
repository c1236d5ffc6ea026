import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { Store, Tx } from "../../src/store/types/store.ts";
import {
  type Dialect,
  deps,
  examine,
  exportTo,
  freshTarget,
  ids,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

const BY = { actor: "ann", reason: "held a secret" };

async function project(tx: Tx, name: string): Promise<string> {
  const project_uid = ids.ulid();
  await tx.append({ type: "project.created", actor: "ann", project_uid, payload: { name } });
  return project_uid;
}

async function issue(tx: Tx, project_uid: string, short_id: string, more = {}): Promise<string> {
  const uid = ids.ulid();
  await tx.append({
    type: "issue.created",
    actor: "ann",
    project_uid,
    issue_uid: uid,
    payload: {
      uid,
      short_id,
      title: short_id,
      body: "",
      author: "ann",
      status: "open",
      metadata: {},
      created_at: tx.now,
      ...more,
    },
  });
  return uid;
}

async function move(tx: Tx, uid: string, from: string, to: string, short_id: string) {
  await tx.append({
    type: "issue.moved",
    actor: "ann",
    project_uid: to,
    issue_uid: uid,
    payload: {
      from_project_uid: from,
      to_project_uid: to,
      from_short_id: short_id,
      to_short_id: short_id,
      updated_at: tx.now,
    },
  });
}

async function purge(tx: Tx, uid: string): Promise<void> {
  const found = await tx.issues.find(uid);
  if (found !== undefined) await tx.purgeIssue(found, BY);
}

/** Writes issues that were moved and purged, a project that was merged into another one, and a purged project. */
async function story(store: Store) {
  return await store.write(async (tx) => {
    const [web, shop] = [await project(tx, "web"), await project(tx, "shop")];
    const [old, trial] = [await project(tx, "old"), await project(tx, "trial")];
    await issue(tx, web, "aaa1", { labels: ["x"] });
    const moved = await issue(tx, web, "aaa2", { source: "s", external_id: "1" });
    await move(tx, moved, web, shop, "aaa2");
    const gone = await issue(tx, web, "aaa3");
    await move(tx, gone, web, shop, "aaa3");
    await purge(tx, gone);
    await issue(tx, old, "aaa4");
    await purge(tx, await issue(tx, old, "aaa7"));
    const short_id_extensions: never[] = [];
    await tx.append({
      type: "project.merged",
      actor: "ann",
      project_uid: web,
      payload: { source_uid: old, source_name: "old", short_id_extensions },
    });
    const kept = await issue(tx, trial, "aaa5", { source: "s", external_id: "2" });
    await move(tx, kept, trial, shop, "aaa5");
    await issue(tx, trial, "aaa6");
    const payload = { alias_count: 0, open_issues: 1, force: true };
    await tx.append({ type: "project.removed", actor: "ann", project_uid: trial, payload });
    const archived = await tx.projects.find(trial);
    if (archived !== undefined) await tx.purgeProject(archived, BY);
    return { web, shop, trial };
  });
}

const CASES: readonly (readonly [Dialect, Dialect])[] = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
];

describe("an export after moves, merges and purges", () => {
  test.each(CASES)(
    "an export after moves, merges and purges gives the same bytes from %s to %s and back, and doctor finds no fault",
    async (from, to) => {
      const folder = await scratch();
      const source = await freshTarget(from, folder);
      const { web, shop } = await withStore(source, story);
      const file = join(folder, "one.jsonl");
      const first = await exportTo(source, file);
      expect(first).toContain('{"kind":"purge_log"');
      expect(first).toContain('{"kind":"project_purge_log"');
      const target = await freshTarget(to, folder);
      await restoreFile(deps, { ...plain, file, target });
      expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
      const report = await examine(target);
      expect(report).not.toHaveProperty("fold");
      expect(report).not.toHaveProperty("derived");
      expect(report.changedEvents).toEqual([]);
      const stateOf = async (store: Store) =>
        await store.read(async ({ issues, events }) => ({
          taken: [
            await issues.shortIdTaken(shop, "aaa3"),
            await issues.shortIdTaken(web, "aaa3"),
            await issues.shortIdTaken(web, "aaa2"),
            await issues.shortIdTaken(web, "aaa7"),
            await issues.shortIdTaken(web, "zzzz"),
          ],
          resets: [
            await events.resetAfter([shop]),
            await events.resetAfter(),
            await events.lastId(),
          ],
        }));
      const before = await withStore(source, stateOf);
      expect(before.taken).toEqual([true, true, true, true, false]);
      expect(await withStore(target, stateOf)).toEqual(before);
      await withStore(target, async (store) => {
        const next = await store.write(async (tx) => {
          const project_uid = await project(tx, "next");
          return await tx.projects.find(project_uid);
        });
        expect(next?.id).toBe(5);
      });
    },
  );

  test.each(["sqlite", "postgres"] as const)(
    "an export of one project on %s includes what happened to its issues in other projects",
    async (dialect) => {
      const folder = await scratch();
      const source = await freshTarget(dialect, folder);
      await withStore(source, story);
      const file = join(folder, "shop.jsonl");
      await exportTo(source, file, { project: { name: "shop" } });
      const target = await freshTarget(dialect, folder);
      const result = await restoreFile(deps, { ...plain, file, target });
      expect(result).toMatchObject({ projects: 1, issues: 2 });
      const report = await examine(target);
      expect(report).not.toHaveProperty("fold");
      expect(report).not.toHaveProperty("derived");
    },
  );
});
