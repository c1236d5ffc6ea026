import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { openScoring } from "../../../src/store/vectors/open-scoring.ts";
import type { NearestIssues, ScoringOutcome } from "../../../src/store/vectors/scoring-messages.ts";
import { ScoringService } from "../../../src/store/vectors/scoring-service.ts";
import { vectorsPath } from "../../../src/store/vectors/sqlite-path.ts";
import { type OpenTestStore, sqliteDatabase } from "../../support/store.ts";
import { all, DIMS, embedded, type Given, given, vector } from "./given.ts";

const ON_SQLITE: OpenTestStore = Object.assign(async () => await (await sqliteDatabase()).open(), {
  database: sqliteDatabase,
  dialect: "sqlite",
} as const);

/** Runs the work, and returns how SQLite reads the table in each of its statements on it. */
async function plansOf(
  path: string,
  table: string,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const execute = vi.spyOn(SqliteConnection.prototype, "execute");
  await work();
  const sent = execute.mock.calls.filter(([sql]) => new RegExp(`from ${table}\\s`).test(sql));
  execute.mockRestore();
  const database = new Database(path, { readonly: true });
  onTestFinished(() => void database.close());
  return sent.map(([sql, values]) => {
    const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
    const reads = plan.all(...values).map(({ detail }) => detail);
    const sorts = reads.filter((detail) => detail.includes("TEMP B-TREE"));
    return [...reads.filter((detail) => detail.includes(`SEARCH ${table} `)), ...sorts].join("; ");
  });
}

test("SQLite compares the texts of issues by an index that has no texts, in the order of their ids", async () => {
  const { w, database } = await given(ON_SQLITE);
  const { uid } = await w.given.issue();
  const marks = async () => await w.store.read(async ({ contents }) => await contents.marks(0, 9));
  const marksOf = async () =>
    await w.store.read(async ({ contents }) => await contents.marksOf([uid]));
  const texts = async () => await w.store.read(async ({ contents }) => await contents.texts([1]));
  expect(await plansOf(database.target.dsn, "issue", marks)).toEqual([
    "SEARCH issue USING COVERING INDEX issue_content (id>?)",
  ]);
  expect(await plansOf(database.target.dsn, "issue", marksOf)).toEqual([
    expect.stringMatching(/^SEARCH issue USING INDEX \w+ \(uid=\?\)$/),
  ]);
  expect(await plansOf(database.target.dsn, "issue", texts)).toEqual([
    "SEARCH issue USING INTEGER PRIMARY KEY (rowid=?)",
  ]);
});

test("SQLite reads stamps by uid, by local id and by project without those of other issues", async () => {
  const g = await given(ON_SQLITE);
  const issue = await embedded(g);
  await g.vectors.put(g.generation, [issue], all([issue]));
  const path = vectorsPath(g.database.target.dsn);
  const { issue_uid, project_uid } = issue;
  const plans = async (work: () => Promise<unknown>) => await plansOf(path, "vector_issue", work);
  const find = async () => await g.vectors.find(g.generation, [issue_uid]);
  expect(await plans(find)).toEqual([
    expect.stringMatching(
      /^SEARCH vector_issue USING INDEX sqlite_autoindex_vector_issue_2 \(issue_uid=\?\); USE TEMP/,
    ),
  ]);
  const range = async () => await g.vectors.range(g.generation, 0, 9, 9);
  expect(await plans(range)).toEqual([
    "SEARCH vector_issue USING PRIMARY KEY (generation=? AND issue_id>? AND issue_id<?)",
  ]);
  const ofProject = async () => await g.vectors.ofProject(g.generation, project_uid, 0, 9);
  expect(await plans(ofProject)).toEqual([
    "SEARCH vector_issue USING INDEX vector_issue_project (generation=? AND project_uid=? AND issue_id>?)",
  ]);
});

test("SQLite reads the vectors of a project, and later what has changed, without those of other projects", async () => {
  const g = await given(ON_SQLITE);
  const issues = [await embedded(g), await embedded(g, [vector(2)])];
  const { generation, vectors } = g;
  await vectors.put(generation, issues.slice(0, 1), all(issues));
  const ask = asks(g, issues[0]?.project_uid ?? "");
  const path = vectorsPath(g.database.target.dsn);
  const last = "SEARCH vector_issue USING COVERING INDEX vector_issue_version (generation=?)";
  expect(await plansOf(path, "vector_issue", async () => await ask())).toEqual([
    last,
    "SEARCH vector_issue USING INDEX vector_issue_project (generation=? AND project_uid=? AND issue_id>?)",
  ]);
  await vectors.put(generation, issues.slice(1), all(issues));
  expect(await plansOf(path, "vector_issue", async () => await ask())).toEqual([
    last,
    "SEARCH vector_issue USING INDEX vector_issue_version (generation=? AND version>?)",
  ]);
});

test("a project follows changes of more issues than one statement reads, also of one transaction", async () => {
  const g = await given(ON_SQLITE);
  const first = await embedded(g, [vector(3)]);
  await g.vectors.put(g.generation, [first], all([first]));
  const ask = asks(g, first.project_uid);
  expect((await ask(5000)).hits).toHaveLength(1);
  const many = Array.from({ length: 4500 }, (_, at) => {
    const issue_id = first.issue_id + 1 + at;
    return { ...first, issue_id, issue_uid: `01K${String(at).padStart(23, "0")}` };
  });
  await g.vectors.put(g.generation, many, all(many));
  expect((await ask(5000)).hits).toHaveLength(4501);
});

/** Returns a function that asks for the nearest issues of a project. */
function asks({ vectors, generation }: Given, project_uid: string) {
  const waiting: ((outcome: ScoringOutcome) => void)[] = [];
  const service = new ScoringService(
    { clock: systemClock, open: async () => await openScoring(vectors.scoring) },
    (outcome) => waiting.shift()?.(outcome),
  );
  onTestFinished(async () => await service.close());
  return async (limit = 1): Promise<NearestIssues> => {
    const { promise, resolve } = Promise.withResolvers<ScoringOutcome>();
    waiting.push(resolve);
    service.take({ id: 1, ask: { generation, dims: DIMS, project_uid, vector: vector(3), limit } });
    const outcome = await promise;
    if ("fault" in outcome) throw new Error(outcome.detail);
    return outcome;
  };
}
