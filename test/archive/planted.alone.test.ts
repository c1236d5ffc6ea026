import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import { verifyExport } from "../../src/archive/verify.ts";
import type { StoredEvent } from "../../src/contract/events.ts";
import type * as Evolve from "../../src/domain/evolve/evolve.ts";
import type * as Issues from "../../src/domain/tables/issues.ts";
import type * as Tables from "../../src/domain/tables/tables.ts";
import type * as Migrations from "../../src/store/migrations/index.ts";
import type { Store } from "../../src/store/types/store.ts";
import {
  commentEdited,
  commented,
  created,
  labeled,
  log,
  metadataSet,
  projectCreated,
  uid,
  unlabeled,
} from "../store/drafts.ts";
import { query } from "../support/postgres.ts";
import { LOST, planting } from "./planted.ts";
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

vi.mock("../../src/domain/tables/issues.ts", async (original) => {
  const { face, mood } = await import("./planted.ts");
  const { issue, ...others } = await original<typeof Issues>();
  return { ...others, issue: { ...issue, columns: { ...issue.columns, mood, face } } };
});

vi.mock("../../src/domain/tables/tables.ts", async (original) => {
  const { note, token } = await import("./planted.ts");
  const real = await original<typeof Tables>();
  const TABLES = { ...real.TABLES, note, token };
  const FOLDED = [...real.FOLDED, "note"];
  const ARCHIVED = real.ARCHIVED.flatMap((name) =>
    name === "event" ? ["note", "token", name] : [name],
  );
  return { ...real, TABLES, FOLDED, ARCHIVED, eachTable: () => Object.entries(TABLES) };
});

vi.mock("../../src/store/migrations/index.ts", async (original) => {
  const { planting } = await import("./planted.ts");
  const { MIGRATIONS } = await original<typeof Migrations>();
  return { MIGRATIONS: [...MIGRATIONS, planting] };
});

vi.mock("../../src/domain/evolve/evolve.ts", async (original) => {
  const { planted } = await import("./planted.ts");
  const real = await original<typeof Evolve>();
  const evolve: typeof Evolve.evolve = (state, event) =>
    planted(event as StoredEvent, real.evolve(state, event));
  return { ...real, evolve };
});

const P = uid(1);
const [A, B] = [uid(101), uid(102)];
const [KEPT, OTHER] = [uid(901), uid(903)];

const TOKEN = { name: "laptop", hash: "f00", key: Uint8Array.of(1, 2, 3, 0) };

async function story(store: Store): Promise<void> {
  await log(
    store,
    projectCreated(P, "web"),
    created(P, A, { metadata: { mood: "glad", face: "AAEC" } }),
    created(P, B),
    commented(P, A, KEPT, "one two"),
    commented(P, A, LOST, "three"),
    commented(P, B, OTHER, "four"),
  );
  await store.write(async ({ unfolded }) => {
    await unfolded.put("token" as never, TOKEN as never);
  });
  await log(store, commentEdited(P, A, KEPT, "five six"));
  await log(store, labeled(P, A, "bug"), unlabeled(P, A, "bug"));
  await log(
    store,
    ...[A, B].map((issue) => metadataSet(P, issue, { face: { from: null, to: FACE } })),
  );
  const read = await store.read(async ({ unfolded }) => await unfolded.list("token" as never, 9));
  expect(read).toEqual([TOKEN]);
}

/** The face that both issues get in one write. */
const FACE = "//79";

function notesIn(text: string): readonly Record<string, unknown>[] {
  return linesIn(text, "issue_note");
}

function linesIn(text: string, kind: string): readonly Record<string, unknown>[] {
  const lines = text.split("\n").filter((line) => line.startsWith(`{"kind":"${kind}"`));
  return lines.map((line) => JSON.parse(line).data);
}

const CASES: readonly (readonly [Dialect, Dialect])[] = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
];

test.each(CASES)(
  "a new table and a new column need only a description to work everywhere: %s to %s",
  async (from, to) => {
    const folder = await scratch();
    const source = await freshTarget(from, folder);
    await withStore(source, story);
    const file = join(folder, "one.jsonl");
    const text = await exportTo(source, file);
    expect(linesIn(text, "issue").map((issue) => issue["mood"])).toEqual(["glad", undefined]);
    expect(linesIn(text, "issue").map((issue) => issue["face"])).toEqual([FACE, FACE]);
    const put = { body: "five six", hint: "edited", state: "read", pinned: 1, size: 8 };
    expect(notesIn(text)).toEqual([
      {
        ...{ id: 1, issue_id: 1, name: KEPT, ...put, due: expect.any(String) },
        ...{
          extra: { said: "five six" },
          words: ["five", "six"],
          more: { said: "more" },
          about_id: 1,
          ...{ raw: "Zml2ZSBzaXg=", seal: "AP+A" },
        },
      },
      {
        ...{ id: 3, issue_id: 2, name: OTHER, body: "four", state: "new", pinned: 0, size: 4 },
        ...{ extra: { said: "four" }, words: ["four"], raw: "Zm91cg==" },
      },
    ]);
    expect(linesIn(text, "token")).toEqual([{ ...TOKEN, key: "AQIDAA==" }]);
    await verifyExport(file, { schemaVersion: planting.version });

    const target = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file, target });
    expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(text);
    expect(await examine(target)).not.toHaveProperty("fold");

    const merged = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file, target: merged, merge: true });
    const all = await exportTo(merged, join(folder, "merged.jsonl"));
    expect([notesIn(all).length, linesIn(all, "token").length]).toEqual([2, 0]);

    await withStore(target, async (store) => {
      await store.write(async (tx) => {
        const issue = await tx.issues.find(A);
        if (issue !== undefined) await tx.purgeIssue(issue, { actor: "ann", reason: null });
      });
    });
    const purged = await exportTo(target, join(folder, "three.jsonl"));
    expect(notesIn(purged).map(({ name }) => name)).toEqual([OTHER]);
    expect(await examine(target)).not.toHaveProperty("fold");
  },
);

test("doctor and the reader of an export say where a new column and table differ from the log", async () => {
  const folder = await scratch();
  const source = await freshTarget("postgres", folder);
  await withStore(source, story);
  const by = async (statement: string) =>
    await query(source.dsn, `set search_path to "${source.schema}"`, statement);
  await by(`update note set size = 9 where name = '${KEPT}'`);
  expect(await examine(source)).toMatchObject({
    fold: {
      table: "note",
      key: { issue_uid: A, name: KEPT },
      column: "size",
      folded: 8,
      stored: 9,
    },
  });
  await by("update issue set mood = 'sad' where mood is not null");
  expect(await examine(source)).toMatchObject({
    fold: { table: "issue", key: { uid: A }, column: "mood", folded: "glad", stored: "sad" },
  });
  const file = join(folder, "one.jsonl");
  await exportTo(source, file);
  const verified = verifyExport(file, { schemaVersion: planting.version });
  await expect(verified).rejects.toThrow(`issue ${A}, mood: should be "glad", is "sad"`);
  await by("update issue set mood = 'glad' where mood is not null");
  await by(`update note set seal = '\\x00ff', size = 8 where name = '${KEPT}'`);
  expect(await examine(source)).toMatchObject({
    fold: { table: "note", column: "seal", folded: "AP+A", stored: "AP8=" },
  });
  await by(`update note set extra = 'x' where name = '${KEPT}'`);
  expect(await examine(source)).toMatchObject({
    unreadable: expect.stringContaining(`the extra of note ${KEPT} is not JSON`),
  });
});
