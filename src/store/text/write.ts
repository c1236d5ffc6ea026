import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, statement } from "../statement.ts";
import { type IndexedText, vectorOf } from "./vector.ts";

/** Writes the full-text rows of these issues: title, body and all comments in their order (facts search, 3). */
export async function writeTexts(connection: Connection, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return;
  const comments = new Map<string, string[]>();
  for (const { issue_uid, body } of await commentBodies.all(connection, { uids })) {
    const bodies = comments.get(issue_uid);
    if (bodies === undefined) comments.set(issue_uid, [body]);
    else bodies.push(body);
  }
  for (const issue of await texts.all(connection, { uids })) {
    const text = {
      title: issue.title,
      body: issue.body,
      comments: (comments.get(issue.uid) ?? []).join(" "),
    };
    await put(connection, issue.id, scopeOf(issue.project_id), text);
  }
}

/** The word that stands for the project in the index. */
export function scopeOf(projectId: number): string {
  return `p${projectId}`;
}

async function put(
  connection: Connection,
  id: number,
  scope: string,
  text: IndexedText,
): Promise<void> {
  if (connection.dialect === "sqlite") {
    await connection.execute(
      "insert or replace into issue_text (rowid, scope, title, body, comments) values (?, ?, ?, ?, ?)",
      [id, scope, text.title, text.body, text.comments],
    );
    return;
  }
  await connection.execute(
    "insert into issue_text (issue_id, words) values ($1, $2::tsvector) on conflict (issue_id) do update set words = excluded.words",
    [id, vectorOf(scope, text)],
  );
}

const texts = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .innerJoin("project", "project.uid", "issue.project_uid")
    .select(["issue.id", "issue.uid", "issue.title", "issue.body", "project.id as project_id"])
    .where(({ ref }) => isIn(dialect, ref("issue.uid"), p.uids)),
);

const commentBodies = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("comment")
    .select(["issue_uid", "body"])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .orderBy("id"),
);

/** Empties the index and writes it anew, a slice at a time. */
export async function rebuildTexts(connection: Connection): Promise<void> {
  await connection.execute(
    connection.dialect === "sqlite"
      ? "insert into issue_text (issue_text) values ('delete-all')"
      : "delete from issue_text",
    [],
  );
  let after = 0;
  for (;;) {
    const slice = await nextUids.all(connection, { after });
    await writeTexts(
      connection,
      slice.map(({ uid }) => uid),
    );
    const last = slice.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

const nextUids = statement((db, p: { after: number }) =>
  db
    .selectFrom("issue")
    .select(["id", "uid"])
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(sql.lit(500)),
);
