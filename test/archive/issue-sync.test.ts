import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import { type BindingRow, newStatus, type StatusRow } from "../../src/domain/issue-sync/run.ts";
import type { Store } from "../../src/store/types/store.ts";
import { log, projectCreated, projectRemoved, T0, uid } from "../store/drafts.ts";
import { deps, exportTo, freshTarget, plain, scratch, withStore } from "./targets.ts";

const PROJECT = uid(1);
const BINDING: BindingRow = {
  project_uid: PROJECT,
  provider: "github",
  source_key: "github:R_1",
  remote_id: "R_1",
  display_name: "ann/web",
  config: { host: "github.com", owner: "ann", repo: "web", repo_id: "1", title_prefix: true },
  enabled: 1,
  interval_seconds: 300,
  last_cursor_at: T0,
  created_at: T0,
  updated_at: T0,
};
const STATUS: StatusRow = {
  ...newStatus(PROJECT),
  sync_started_at: T0,
  last_attempt_at: T0,
  last_created: 3,
};

async function bound(store: Store): Promise<void> {
  await log(store, projectCreated(PROJECT, "web"));
  await store.write(async (tx) => {
    await tx.unfolded.put("issue_sync_binding", BINDING);
    await tx.unfolded.put("issue_sync_status", STATUS);
  });
}

async function rowsOf(store: Store) {
  return await store.read(async ({ unfolded }) => [
    ...(await unfolded.list("issue_sync_binding", 10)),
    ...(await unfolded.list("issue_sync_status", 10)),
  ]);
}

test.each([
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
] as const)(
  "a binding of issue sync and its status are restored from an export disabled and unclaimed: %s to %s",
  async (from, to) => {
    const folder = await scratch();
    const [source, restored] = [await freshTarget(from, folder), await freshTarget(to, folder)];
    await withStore(source, bound);
    const file = join(folder, "all.jsonl");
    const kinds = (await exportTo(source, file))
      .split("\n")
      .flatMap((line) => /^{"kind":"(issue_sync_\w+)"/.exec(line)?.[1] ?? []);
    expect(kinds).toEqual(["issue_sync_binding", "issue_sync_status"]);
    await restoreFile(deps, { ...plain, file, target: restored });
    await withStore(restored, async (store) => {
      expect(await rowsOf(store)).toEqual([
        { ...BINDING, enabled: 0 },
        { ...STATUS, sync_started_at: null },
      ]);
      await log(store, projectRemoved(PROJECT));
      await store.write(async (tx) => {
        const project = await tx.projects.find(PROJECT);
        if (project !== undefined) await tx.purgeProject(project, { actor: "ann", reason: null });
      });
      expect(await rowsOf(store)).toEqual([]);
    });
  },
);
