import { expect } from "vitest";
import { examineStorage } from "../../src/archive/doctor.ts";
import type { FoldedTable } from "../../src/domain/tables/tables.ts";
import { collect, expectFolded } from "../store/fold.ts";
import type { World } from "../support/world.ts";

const SHARED: readonly FoldedTable[] = [
  "issue",
  "comment",
  "label",
  "link",
  "external_root",
  "cron_jobs",
  "cron_runs",
];

/** Local ids, and how often a database has changed the text of an issue. */
const LOCAL: ReadonlySet<string> = new Set(["id", "issue_id", "project_id", "content_revision"]);

/** The rows of a project that every copy has. */
export async function rowsOf({ store }: Pick<World, "store">) {
  const snapshot = await store.openSnapshot();
  try {
    const found: Record<string, readonly unknown[]> = {};
    for (const table of SHARED)
      found[table] = (await collect(snapshot, table))
        .map((row) => JSON.stringify(Object.entries(row).filter(([name]) => !LOCAL.has(name))))
        .sort();
    return found;
  } finally {
    await snapshot.close();
  }
}

export async function expectClean({ store }: Pick<World, "store">): Promise<void> {
  await expectFolded(store);
  const snapshot = await store.openSnapshot();
  const report = await examineStorage(snapshot);
  await snapshot.close();
  expect(report).toMatchObject({ changedEvents: [], brokenChain: [] });
}

export const statusOf = async (
  { store }: Pick<World, "store">,
  { uid: project_uid }: { uid: string },
) =>
  await store.read(
    async ({ unfolded }) => await unfolded.find("federation_sync_status", { project_uid }),
  );

export const bindingOf = async (
  { store }: Pick<World, "store">,
  { uid: project_uid }: { uid: string },
) =>
  await store.read(
    async ({ unfolded }) => await unfolded.find("federation_binding", { project_uid }),
  );
