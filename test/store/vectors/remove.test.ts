import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { silentLog } from "../../../src/base/log.ts";
import { bitBytesOf, bytesOf } from "../../../src/domain/meaning/vectors.ts";
import type { EmbeddedIssue } from "../../../src/store/types/vectors.ts";
import { vectorsPath } from "../../../src/store/vectors/sqlite-path.ts";
import { SqlitePlace } from "../../../src/store/vectors/sqlite-place.ts";
import { VectorTables } from "../../../src/store/vectors/vector-tables.ts";
import { describeStore, type TestDatabase } from "../../support/store.ts";
import { all, countsOf, embeddedOf, type Given, given, storedVectors, vector } from "./given.ts";

const DIMS = 768;

/** Issues that the database need not have, since SQLite keeps the vectors in a file of their own. */
function issuesOf(count: number, project_uid = "p"): readonly EmbeddedIssue[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ issue_id: count - at, issue_uid: `${project_uid}${at}`, project_uid },
    ...{ content_revision: 1, text_hash: "", state: "done", reason: null },
    vectors: [vector(at, DIMS), vector(at + 10_000, DIMS)],
  }));
}

async function filled(at: Given, ...groups: readonly (readonly EmbeddedIssue[])[]) {
  const { id } = await at.vectors.begin({ ...at.of, dims: DIMS }, "active", at.w.clock.now());
  for (const issues of groups)
    for (const issue of issues) await at.vectors.put(id, [issue], all([issue]));
  return id;
}

/** Which of the issues have bytes of a vector, or all sign bits of one, anywhere in the files. */
function foundIn({ target }: TestDatabase, issues: readonly EmbeddedIssue[]): readonly string[] {
  const path = vectorsPath(target.dsn);
  const files = Buffer.concat([path, `${path}-wal`].map((name) => readFileSync(name)));
  const isIn = (bytes: Uint8Array) => files.includes(Buffer.from(bytes));
  const has = ({ vectors }: EmbeddedIssue) =>
    vectors.some((one) => partsOf(one).some(isIn) || isIn(bitBytesOf([one], DIMS)));
  return issues.filter(has).map(({ issue_uid }) => issue_uid);
}

/** A page may have only a part of a vector. */
function partsOf(one: Float32Array): readonly Uint8Array[] {
  const bytes = bytesOf(one);
  return [0, 1000, 2000, 3000].map((from) => bytes.subarray(from, from + 40));
}

describeStore("removed vectors", (open) => {
  test("are gone in all generations, and those of other issues stay", async () => {
    const at = await given(open);
    const uids = [(await at.w.given.issue()).uid, (await at.w.given.issue()).uid];
    const issues: EmbeddedIssue[] = [];
    for (const uid of uids) issues.push({ ...(await embeddedOf(at.w, uid)), project_uid: "p" });
    const other = await at.vectors.begin(at.of, "active", at.w.clock.now());
    for (const id of [at.generation, other.id]) await at.vectors.put(id, issues, all(issues));
    await at.vectors.remove([uids[0] ?? "", "unknown"]);
    const left = (await storedVectors(at.database)).map(({ issue_uid }) => issue_uid);
    expect(left).toEqual([uids[1], uids[1]]);
    expect(await countsOf(at.vectors, other.id)).toMatchObject({ done: 1 });
    await at.vectors.remove(uids);
    expect(await storedVectors(at.database)).toEqual([]);
    expect(await countsOf(at.vectors, at.generation)).toEqual({ done: 0, skipped: 0, chunks: 0 });
  });

  if (open.dialect === "postgres") return;

  test("leave no bytes of vectors in the files", async () => {
    const at = await given(open);
    const issues = issuesOf(60);
    await filled(at, issues);
    expect(foundIn(at.database, issues)).toHaveLength(60);
    const [gone, kept] = [issues.slice(0, 30), issues.slice(30)];
    await at.vectors.remove(uidsOf(gone), { erase: true });
    expect(foundIn(at.database, gone)).toEqual([]);
    expect(foundIn(at.database, kept)).toHaveLength(30);
  });

  test("are not erased unless that is asked for, then or later", async () => {
    const at = await given(open);
    const [issues, others] = [issuesOf(400), issuesOf(400, "q").map(laterId)];
    await filled(at, issues, others);
    await at.vectors.remove(uidsOf(issues));
    expect(await at.vectors.meta("erase")).toBeUndefined();
    await at.vectors.erase();
    expect(foundIn(at.database, issues)).not.toEqual([]);
    await at.vectors.remove(uidsOf(issues), { erase: true });
    await at.vectors.erase();
    expect(foundIn(at.database, issues)).toEqual([]);
    expect(foundIn(at.database, others)).toHaveLength(400);
  });

  test("leave no copy that a split of pages made once the file was erased", async () => {
    const at = await given(open);
    const [one, other] = [issuesOf(400), issuesOf(400, "q").map(laterId)];
    const generation = await filled(at, one, other);
    await at.vectors.remove(uidsOf(one), { erase: true });
    await at.vectors.erase();
    expect(foundIn(at.database, one)).toEqual([]);
    expect(await countsOf(at.vectors, generation)).toMatchObject({ done: 400 });
  });

  test("are erased after the next start if the daemon was killed right after their removal", async () => {
    const at = await given(open);
    const [one, other] = [issuesOf(400), issuesOf(400, "q").map(laterId)];
    await filled(at, one, other);
    const { epoch } = await at.w.store.read(async ({ events }) => await events.place(0));
    const place = new SqlitePlace({
      path: vectorsPath(at.database.target.dsn),
      owner: { instance_uid: at.w.store.instanceUid, epoch },
      ...{ clock: systemClock, log: silentLog, onReplaced: () => undefined },
    });
    place.removed = async () => await Promise.reject(new Error("killed"));
    const killed = new VectorTables(place, () => 0);
    await expect(killed.remove(uidsOf(one), { erase: true })).rejects.toThrow("killed");
    // The first connection is still open, so closing this one leaves the log as it is, as a kill does.
    await killed.close();
    expect(foundIn(at.database, one)).not.toEqual([]);
    const next = await at.reopened();
    await next.erase();
    expect(foundIn(at.database, one)).toEqual([]);
    expect(foundIn(at.database, other)).toHaveLength(400);
  });

  test("are erased again if another program read the file, which keeps the old content", async () => {
    const at = await given(open, { clock: { sleep: async () => {} } });
    const issues = issuesOf(20);
    await filled(at, issues);
    const other = new Database(vectorsPath(at.database.target.dsn));
    other.exec("begin");
    other.prepare("select count(*) from vector_chunk").get();
    await at.vectors.remove(uidsOf(issues), { erase: true });
    await at.vectors.erase();
    expect(foundIn(at.database, issues)).toHaveLength(20);
    other.close();
    await at.vectors.erase();
    expect(foundIn(at.database, issues)).toEqual([]);
    expect(await at.vectors.meta("erase")).toBeUndefined();
  });

  test("are erased only if a removal asked for it since the last time", async () => {
    const at = await given(open);
    const issues = issuesOf(20);
    await filled(at, issues);
    const size = () => readFileSync(vectorsPath(at.database.target.dsn)).length;
    await at.vectors.remove(uidsOf(issues), { erase: true });
    const before = size();
    await at.vectors.erase();
    const after = size();
    expect(after).toBeLessThan(before);
    expect(await at.vectors.meta("erase")).toBeUndefined();
    await at.vectors.erase();
    expect(size()).toBe(after);
  });
});

function uidsOf(issues: readonly EmbeddedIssue[]): readonly string[] {
  return issues.map(({ issue_uid }) => issue_uid);
}

/** The same vectors as those of the other project would be found in its place. */
function laterId(issue: EmbeddedIssue, at: number): EmbeddedIssue {
  const vectors = [vector(at + 50_000, DIMS), vector(at + 60_000, DIMS)];
  return { ...issue, issue_id: issue.issue_id * 2 + 1000, vectors };
}
