import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import { verifyExport } from "../../src/archive/verify.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import type * as Tables from "../../src/domain/tables/tables.ts";
import type * as Migrations from "../../src/store/migrations/index.ts";
import type { Reader, Store } from "../../src/store/types/store.ts";
import { created, log, projectCreated, projectRemoved, T0, uid } from "../store/drafts.ts";
import { type Planted, planting, put, rowsOf } from "./project-rows.ts";
import {
  type Dialect,
  deps,
  examine,
  exportTo,
  freshTarget,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

vi.mock("../../src/domain/tables/tables.ts", async (original) => {
  const { cached, mark, tie } = await import("./project-rows.ts");
  const real = await original<typeof Tables>();
  const TABLES = { ...real.TABLES, tie, mark, cached };
  // The records of ties come before those of issues, as those of issue sync do
  // (docs/contract/command-line.md#61-the-file).
  const ARCHIVED = real.ARCHIVED.flatMap((name) =>
    name === "alias" ? [name, "tie", "mark"] : name,
  );
  return { ...real, TABLES, ARCHIVED, eachTable: () => Object.entries(TABLES) };
});

vi.mock("../../src/store/migrations/index.ts", async (original) => {
  const { planting } = await import("./project-rows.ts");
  const { MIGRATIONS } = await original<typeof Migrations>();
  return { MIGRATIONS: [...MIGRATIONS, planting] };
});

const [WEB, APP, TIED] = [uid(1), uid(2), uid(3)];
const [A, B] = [uid(101), uid(102)];

const SECRET = Uint8Array.of(0, 1, 254, 255);
const TIE = { project_uid: TIED, name: "ann/web", enabled: 1, claimed_at: T0, secret: SECRET };
const mark = (project_uid: string, name: string, place: string) => ({ project_uid, name, place });
const cached = (project_uid: string, name: string) => ({ name, project_uid, found: SECRET });

async function story(store: Store): Promise<void> {
  await log(
    store,
    ...[projectCreated(WEB, "web"), projectCreated(APP, "app"), projectCreated(TIED, "tied")],
    ...[created(WEB, A), created(TIED, B)],
  );
  await store.write(async (tx) => {
    await put(tx, "tie", TIE);
    for (const row of [mark(WEB, "x", "web"), mark(WEB, "y", "web"), mark(APP, "x", "app")])
      await put(tx, "mark", row);
    for (const row of [cached(WEB, "w"), cached(APP, "a")]) await put(tx, "cached", row);
  });
}

function merged(source_uid: string, project_uid: string): EventDraft<"project.merged"> {
  const payload = { source_uid, source_name: "s", short_id_extensions: [] };
  return { type: "project.merged", actor: "ann", project_uid, payload };
}

function moved(issue_uid: string, from: string, to: string): EventDraft<"issue.moved"> {
  const ids = { from_short_id: issue_uid.slice(-6), to_short_id: issue_uid.slice(-6) };
  const payload = { from_project_uid: from, to_project_uid: to, ...ids, updated_at: T0 };
  return { type: "issue.moved", actor: "ann", project_uid: to, issue_uid, payload } as never;
}

async function all(store: Store, table: Planted) {
  return await store.read(async (reader: Reader) => await rowsOf(reader, table));
}

async function purge(store: Store, uid: string): Promise<void> {
  await log(store, projectRemoved(uid));
  await store.write(async (tx) => {
    const project = await tx.projects.find(uid);
    if (project !== undefined) await tx.purgeProject(project, { actor: "ann", reason: null });
  });
}

const DIALECTS: readonly Dialect[] = ["sqlite", "postgres"];

async function told(dialect: Dialect) {
  const folder = await scratch();
  const target = await freshTarget(dialect, folder);
  await withStore(target, story);
  return { folder, target };
}

test.each(DIALECTS)(
  "a merge moves the rows of a table, deletes them or is refused, as the table's description says: %s",
  async (dialect) => {
    const { target } = await told(dialect);
    await withStore(target, async (store) => {
      await expect(log(store, merged(TIED, APP))).rejects.toThrow(
        expect.objectContaining({ code: "same_project" }),
      );
      expect(await all(store, "tie")).toEqual([TIE]);
      await log(store, merged(WEB, APP));
      expect(await all(store, "mark")).toEqual([mark(APP, "x", "app"), mark(APP, "y", "web")]);
      expect(await all(store, "cached")).toEqual([cached(APP, "a")]);
      await log(store, merged(APP, TIED));
      expect(await all(store, "mark")).toEqual([mark(TIED, "x", "app"), mark(TIED, "y", "web")]);
    });
    expect(await examine(target)).not.toHaveProperty("fold");
  },
);

test.each(DIALECTS)(
  "a move of an issue leaves a project's rows with the project, or is refused: %s",
  async (dialect) => {
    const { target } = await told(dialect);
    await withStore(target, async (store) => {
      const before = await all(store, "mark");
      await expect(log(store, moved(B, TIED, WEB))).rejects.toThrow(
        expect.objectContaining({ code: "recurrence_pinned" }),
      );
      await log(store, moved(A, WEB, APP), moved(A, APP, TIED));
      expect(await all(store, "mark")).toEqual(before);
    });
  },
);

test.each(DIALECTS)(
  "a purge of a project deletes only this project's rows, or is refused: %s",
  async (dialect) => {
    const { target } = await told(dialect);
    await withStore(target, async (store) => {
      await expect(purge(store, TIED)).rejects.toThrow(
        expect.objectContaining({ code: "project_has_open_issues" }),
      );
      expect(await all(store, "tie")).toEqual([TIE]);
      await purge(store, WEB);
      expect(await all(store, "mark")).toEqual([mark(APP, "x", "app")]);
      expect(await all(store, "cached")).toEqual([cached(APP, "a")]);
    });
  },
);

test.each([
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
] as const)(
  "an export has the rows of its projects, and a restore changes what the tables' descriptions say: %s to %s",
  async (from, to) => {
    const { folder, target: source } = await told(from);
    const file = join(folder, "all.jsonl");
    const text = await exportTo(source, file);
    const records = text.split("\n").filter((line) => /^{"kind":"(tie|mark|cached)"/.test(line));
    const tie = { project_id: 3, name: "ann/web", enabled: 1, claimed_at: T0, secret: "AAH+/w==" };
    expect(records.map((line) => JSON.parse(line))).toEqual([
      { kind: "tie", data: tie },
      { kind: "mark", data: { project_id: 1, name: "x", place: "web" } },
      { kind: "mark", data: { project_id: 1, name: "y", place: "web" } },
      { kind: "mark", data: { project_id: 2, name: "x", place: "app" } },
    ]);
    await verifyExport(file, { schemaVersion: planting.version });

    const restored = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file, target: restored });
    await withStore(restored, async (store) => {
      expect(await all(store, "tie")).toEqual([{ ...TIE, enabled: 0, claimed_at: null }]);
      expect(await all(store, "mark")).toHaveLength(3);
      expect(await all(store, "cached")).toEqual([]);
    });

    const one = join(folder, "one.jsonl");
    await exportTo(source, one, { project: { name: "tied" } });
    const merged = await freshTarget(to, folder);
    await withStore(merged, async (store) => await log(store, projectCreated(uid(9), "other")));
    await restoreFile(deps, { ...plain, file: one, target: merged, merge: true });
    await withStore(merged, async (store) => {
      expect(await all(store, "tie")).toEqual([{ ...TIE, enabled: 0, claimed_at: null }]);
      expect(await all(store, "mark")).toEqual([]);
    });
  },
);
