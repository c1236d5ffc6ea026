import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { silentLog } from "../../../src/base/log.ts";
import { textOf } from "../../../src/domain/meaning/recipe.ts";
import { normalised } from "../../../src/domain/meaning/vectors.ts";
import { hashOf } from "../../../src/meaning/identity.ts";
import type { EmbeddedIssue, VectorStore } from "../../../src/store/types/vectors.ts";
import { openVectors, type VectorsOptions } from "../../../src/store/vectors/open.ts";
import { vectorsPath } from "../../../src/store/vectors/sqlite-path.ts";
import { query } from "../../support/postgres.ts";
import type { OpenTestStore, TestDatabase } from "../../support/store.ts";
import { world } from "../../support/world.ts";

export const DIMS = 8;

const OF = { fingerprint: "f1", model: "m1", dims: DIMS } as const;

/** The name of the engine that embeds. */
const ENGINE = "embeddings";

export type Given = Awaited<ReturnType<typeof given>>;

/** A database with issues, the vectors beside it, and a building generation. */
export async function given(open: OpenTestStore, more: Partial<VectorsOptions> = {}) {
  const database = await open.database();
  const w = await world({ store: async (options) => await database.open(options) });
  const elected = await w.store.elect(ENGINE);
  const holder = w.store.elections().find(({ name }) => name === ENGINE)?.holder;
  const term = elected === undefined ? undefined : { ...elected, holder };
  let commits = 0;
  onTestFinished(w.store.onCommit(() => (commits += 1)));
  const { epoch } = await w.store.read(async ({ events }) => await events.place(0));
  const { instanceUid } = w.store;
  const options = {
    ...{ ...database.target, instanceUid, epoch, clock: systemClock, log: silentLog },
    ...{ commits: () => commits, term: () => term, ...more },
  };
  const reopened = async (other: Partial<VectorsOptions> = {}): Promise<VectorStore> => {
    const vectors = await openVectors({ ...options, ...other });
    onTestFinished(async () => await vectors.close());
    return vectors;
  };
  const vectors = await reopened();
  const { id: generation } = await vectors.begin(OF, "building", w.clock.now());
  return { w, database, vectors, generation, reopened, of: OF };
}

/** A vector of pseudorandom components, which are the same for the same number. */
export function vector(number: number, dims = DIMS): Float32Array {
  let state = number * 2 + 1;
  const values = Array.from({ length: dims }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  return normalised(values, dims) as Float32Array;
}

/** Creates an issue, and returns what an embedding of it would give. */
export async function embedded(
  { w }: Pick<Given, "w">,
  vectors: readonly Float32Array[] = [vector(1)],
): Promise<EmbeddedIssue> {
  const { uid } = await w.given.issue();
  return await embeddedOf(w, uid, vectors);
}

export async function embeddedOf(
  { store }: Given["w"],
  uid: string,
  vectors: readonly Float32Array[] = [vector(1)],
): Promise<EmbeddedIssue> {
  const issue = await store.read(async ({ issues }) => await issues.find(uid));
  const { id: issue_id = 0, project_uid = "", content_revision = 0 } = issue ?? {};
  const stamp = { issue_id, issue_uid: uid, project_uid, content_revision };
  const text_hash = issue === undefined ? "" : hashOf(textOf(issue));
  return { ...stamp, text_hash, state: "done", reason: null, vectors };
}

export const all = (issues: readonly EmbeddedIssue[]) => async () =>
  await Promise.resolve(new Set(issues.map(({ issue_uid }) => issue_uid)));

/** How many issues of the generation have vectors or were refused, and how many chunks the first ones have. */
export async function countsOf(vectors: Pick<VectorStore, "range">, generation: number) {
  const issues = await vectors.range(generation, 0, Number.MAX_SAFE_INTEGER);
  const done = issues.filter(({ state }) => state === "done");
  const chunks = done.reduce((sum, { chunk_count }) => sum + chunk_count, 0);
  return { done: done.length, skipped: issues.length - done.length, chunks };
}

export interface StoredVector {
  readonly issue_uid: string;
  readonly number: number;
  readonly vector: Uint8Array;
}

/** Reads the rows of a table of the vectors from outside of svc. */
export async function rowsIn<T>(database: TestDatabase, sql: string): Promise<readonly T[]> {
  const { dsn, schema } = database.target;
  if (schema !== undefined)
    return (await query(dsn, `set search_path to ${schema}`, sql)) as unknown as T[];
  const file = new Database(vectorsPath(dsn), { readonly: true });
  try {
    return file.prepare(sql).all() as T[];
  } finally {
    file.close();
  }
}

export async function storedVectors(database: TestDatabase): Promise<readonly StoredVector[]> {
  const rows = await rowsIn<StoredVector>(
    database,
    "select issue_uid, number, vector from vector_chunk order by issue_uid, number",
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}
