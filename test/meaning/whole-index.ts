import { chunksOf, textOf } from "../../src/domain/meaning/recipe.ts";
import { bitBytesOf, bytesOf, normalised } from "../../src/domain/meaning/vectors.ts";
import { hashOf } from "../../src/meaning/identity.ts";
import { rowsIn } from "../store/vectors/given.ts";
import type { TestDatabase } from "../support/store.ts";
import type { World } from "../support/world.ts";
import { vectorOfText } from "./provider/vectors.ts";

const END = Number.MAX_SAFE_INTEGER;
const AT_ONCE = 500;

interface Place {
  readonly w: Pick<World, "store">;
  readonly database: TestDatabase;
}

interface IssueRow {
  readonly generation: number;
  readonly issue_id: number;
  readonly issue_uid: string;
  readonly project_uid: string;
  readonly content_revision: number;
  readonly text_hash: string;
  readonly state: "done" | "skipped";
  readonly chunk_count: number;
  readonly first_chunk: number;
  readonly bits: Uint8Array;
}

interface ChunkRow {
  readonly id: number;
  readonly generation: number;
  readonly issue_uid: string;
  readonly number: number;
  readonly vector: Uint8Array;
}

/** Everything that the index has, read from outside of svc. */
export async function wholeIndex(database: TestDatabase) {
  const generations = await rowsIn<{ id: number; state: string }>(
    database,
    "select id, state from vector_generation order by id",
  );
  const issues = await rowsIn<IssueRow>(database, "select * from vector_issue order by issue_id");
  const chunks = await rowsIn<ChunkRow>(database, "select * from vector_chunk order by id");
  return { generations, issues, chunks };
}

/**
 * What is wrong with the index in itself, whatever the tables say: vectors that are there twice, that belong to no
 * issue, or that are not those that their issue names.
 */
export async function faultsWithin(database: TestDatabase): Promise<readonly string[]> {
  const { issues, chunks } = await wholeIndex(database);
  const chunksByIssue = Map.groupBy(chunks, keyOf);
  const faults: string[] = [];
  for (const issue of issues) {
    const own = chunksByIssue.get(keyOf(issue)) ?? [];
    const first = Number(issue.first_chunk);
    const found = own.map(({ id, number }) => `${Number(id) - first} ${Number(number)}`).join();
    const expected = Array.from({ length: Number(issue.chunk_count) }, (_, at) => `${at} ${at}`);
    if (found !== expected.join()) faults.push(`${keyOf(issue)} has the chunks ${found}`);
    chunksByIssue.delete(keyOf(issue));
  }
  for (const key of chunksByIssue.keys()) faults.push(`${key} has chunks and no stamp`);
  if (new Set(issues.map(keyOf)).size < issues.length) faults.push("an issue has two stamps");
  return faults;
}

/**
 * In what the index differs from the tables, a line for each difference: each live issue has one stamp, with its text,
 * revision and project as they are now, and the vectors of this text; there is nothing else, and one generation.
 * `isSkipped` says of which texts the provider gives no vectors.
 */
export async function differencesFromTables(
  { w, database }: Place,
  isSkipped: (text: string) => boolean = () => false,
): Promise<readonly string[]> {
  const { generations, issues, chunks } = await wholeIndex(database);
  const states = generations.map(({ state }) => state).join();
  const byUid = Map.groupBy(chunks, ({ issue_uid }) => issue_uid);
  const found = issues.map((issue) =>
    [stampLine(issue), hex(issue.bits), ...vectorsIn(byUid.get(issue.issue_uid) ?? [])].join(" "),
  );
  const dims = (chunks[0]?.vector.length ?? 0) / 4;
  const expected = await expectedLines(w, { dims, isSkipped });
  const [has, should] = [new Set(found), new Set(expected)];
  return [
    ...(states === "active" ? [] : [`generations: ${states}`]),
    ...(found.length === expected.length ? [] : [`${found.length} of ${expected.length} issues`]),
    ...found.filter((line) => !should.has(line)).map((line) => `has ${line.slice(0, 300)}`),
    ...expected.filter((line) => !has.has(line)).map((line) => `lacks ${line.slice(0, 300)}`),
  ];
}

async function expectedLines(
  { store }: Place["w"],
  { dims, isSkipped }: { readonly dims: number; readonly isSkipped: (text: string) => boolean },
): Promise<readonly string[]> {
  const lines: string[] = [];
  const marks = await store.read(async ({ contents }) => await contents.marks(0, END));
  for (let at = 0; at < marks.length; at += AT_ONCE) {
    const ids = marks.slice(at, at + AT_ONCE).map(({ id }) => id);
    const texts = await store.read(async ({ contents }) => await contents.texts(ids));
    for (const { id: issue_id, uid: issue_uid, title, body, ...mark } of texts) {
      const text = textOf({ title, body });
      const state = isSkipped(text) ? "skipped" : "done";
      const vectors =
        state === "skipped" ? [] : chunksOf(text).map((one) => vector(one.text, dims));
      const stamp = { issue_id, issue_uid, ...mark, text_hash: hashOf(text), state };
      const bits = hex(bitBytesOf(vectors, dims));
      lines.push([stampLine(stamp), bits, ...vectors.map((one) => hex(bytesOf(one)))].join(" "));
    }
  }
  return lines;
}

function stampLine(
  of: Omit<IssueRow, "generation" | "chunk_count" | "first_chunk" | "bits" | "state"> & {
    readonly state: string;
  },
): string {
  const { issue_id, issue_uid, project_uid, content_revision, text_hash, state } = of;
  return [issue_uid, issue_id, project_uid, content_revision, text_hash, state].join(" ");
}

function vectorsIn(chunks: readonly ChunkRow[]): readonly string[] {
  return chunks
    .toSorted((a, b) => Number(a.number) - Number(b.number))
    .map((chunk) => hex(chunk.vector));
}

function vector(text: string, dims: number): Float32Array {
  const found = normalised(vectorOfText(text, "meaning", dims), dims);
  if (typeof found === "string") throw new Error(`no vector of a text: ${found}`);
  return found;
}

function keyOf({ generation, issue_uid }: Pick<IssueRow, "generation" | "issue_uid">): string {
  return `${generation} ${issue_uid}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
