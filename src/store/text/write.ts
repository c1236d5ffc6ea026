import { slicesById } from "../../base/slices.ts";
import type { Connection } from "../connection.ts";
import { isIn, statement } from "../rows/statement.ts";
import { commentTexts } from "./comment-texts.ts";
import { marksOf } from "./marks.ts";
import type { NewText } from "./pending.ts";
import { type IndexedText, vectorOf } from "./vector.ts";
import { addWords, clearWords } from "./vocabulary.ts";
import { DELETED_WORD, labelWord, projectWord } from "./words.ts";

/**
 * Writes the full-text rows of the issues: title, body and all comments in their order
 * (docs/contract/search.md#31-the-index). The `scope` column gets words for project, labels and deletion, and the words
 * that `marksOf` returns. Adds the words to the vocabulary. If `newText` returns the text of an issue, the issue's rows
 * are not read.
 */
export async function writeTexts(
  connection: Connection,
  uids: readonly string[],
  newText: (uid: string) => NewText | undefined = () => undefined,
): Promise<void> {
  // Texts may be long, so only one slice of them is in memory at a time.
  for (let at = 0; at < uids.length; at += SLICE_ISSUES)
    await writeSlice(connection, uids.slice(at, at + SLICE_ISSUES), newText);
}

const SLICE_ISSUES = 500;

async function writeSlice(
  connection: Connection,
  uids: readonly string[],
  newText: (uid: string) => NewText | undefined,
): Promise<void> {
  const texts = uids.flatMap((uid) => newText(uid) ?? []);
  const others = new Set(uids);
  for (const { uid } of texts) others.delete(uid);
  const words = new Set<string>();
  const rows = [
    ...(await newRows(connection, texts)),
    ...(await storedRows(connection, [...others])),
  ].map((row) => ({ ...row, scope: [...row.scope, ...marksOf(row, words)] }));
  await addWords(connection, words);
  // Sort by id: SQLite writes its full-text index to the disk whenever an id is smaller than the one before.
  rows.sort((a, b) => a.id - b.id);
  await (connection.dialect === "sqlite"
    ? putTexts(connection, rows)
    : putVectors(connection, rows));
}

async function newRows(
  connection: Connection,
  texts: readonly NewText[],
): Promise<readonly IndexedText[]> {
  if (texts.length === 0) return [];
  const places = await placesOf.all(connection, { uids: texts.map(({ uid }) => uid) });
  const byUid = new Map(places.map((place) => [place.uid, place]));
  return texts.flatMap(({ uid, title, body, labels, isDeleted }) => {
    const place = byUid.get(uid);
    if (place === undefined) return [];
    const scope = scopeOf(place.project_id, labels, isDeleted);
    return [{ id: place.id, scope, title, body, comments: "" }];
  });
}

async function storedRows(
  connection: Connection,
  uids: readonly string[],
): Promise<readonly IndexedText[]> {
  if (uids.length === 0) return [];
  const comments = await commentTexts(connection, uids);
  const labelRows = await labelNames.all(connection, { uids });
  const labels = Map.groupBy(labelRows, ({ issue_uid }) => issue_uid);
  return (await texts.all(connection, { uids })).map((row) => {
    const { id, uid, title, body, project_id, deleted_at } = row;
    const own = (labels.get(uid) ?? []).map(({ label }) => label);
    const scope = scopeOf(project_id, own, deleted_at !== null);
    return { id, scope, title, body, comments: comments.get(uid) ?? "" };
  });
}

function scopeOf(
  projectId: number,
  labels: readonly string[],
  isDeleted: boolean,
): readonly string[] {
  const words = [projectWord(projectId), ...labels.map(labelWord)];
  return isDeleted ? [...words, DELETED_WORD] : words;
}

/**
 * Writes a full slice with one statement, which costs less than a statement for each row. A smaller slice is written
 * row by row, since SQLite writes its index to the disk before each statement of several rows.
 */
async function putTexts(connection: Connection, rows: readonly IndexedText[]): Promise<void> {
  const [text, size] = rows.length === SLICE_ISSUES ? [PUT_SLICE, SLICE_ISSUES] : [PUT_ONE, 1];
  const values = rows.map(({ id, scope, title, body, comments }) => {
    return [id, scope.join(" "), title, body, comments];
  });
  for (let at = 0; at < rows.length; at += size)
    await connection.execute(text, values.slice(at, at + size).flat());
}

const PUT_ONE = putText(1);
const PUT_SLICE = putText(SLICE_ISSUES);

function putText(rows: number): string {
  const values = Array.from({ length: rows }, () => "(?, ?, ?, ?, ?)").join(", ");
  return `insert or replace into issue_text (rowid, scope, title, body, comments) values ${values}`;
}

async function putVectors(connection: Connection, rows: readonly IndexedText[]): Promise<void> {
  for (let at = 0; at < rows.length; at += VECTORS_PER_STATEMENT) {
    const slice = rows.slice(at, at + VECTORS_PER_STATEMENT);
    await connection.execute(
      `insert into issue_text (issue_id, words)
       select id, words::tsvector from unnest($1::bigint[], $2::text[]) as given (id, words)
       on conflict (issue_id) do update set words = excluded.words`,
      [slice.map(({ id }) => id), slice.map(vectorOf)],
    );
  }
}

/** Vectors per statement, since each may be as large as PostgreSQL allows. */
const VECTORS_PER_STATEMENT = 50;

const placesOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .innerJoin("project", "project.uid", "issue.project_uid")
    .select(["issue.id", "issue.uid", "project.id as project_id"])
    .where(({ ref }) => isIn(dialect, ref("issue.uid"), p.uids)),
);

const texts = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .innerJoin("project", "project.uid", "issue.project_uid")
    .select(["issue.id", "issue.uid", "issue.title", "issue.body", "issue.deleted_at"])
    .select("project.id as project_id")
    .where(({ ref }) => isIn(dialect, ref("issue.uid"), p.uids)),
);

const labelNames = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("label")
    .select(["issue_uid", "label"])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

export async function rebuildTexts(connection: Connection): Promise<void> {
  await connection.execute(
    connection.dialect === "sqlite"
      ? "insert into issue_text (issue_text) values ('delete-all')"
      : "delete from issue_text",
    [],
  );
  await clearWords(connection);
  const read = async (after: number) =>
    await nextUids.all(connection, { after, most: SLICE_ISSUES });
  for await (const slice of slicesById(SLICE_ISSUES, 0, read))
    await writeTexts(
      connection,
      slice.map(({ uid }) => uid),
    );
}

export const nextUids = statement((db, p: { after: number; most: number }) =>
  db
    .selectFrom("issue")
    .select(["id", "uid"])
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.most),
);
