import { expect, test } from "vitest";
import { editIssue } from "../../../src/contract/issues.ts";
import { purgeIssue } from "../../../src/contract/removal.ts";
import { bitBytesOf, bytesOf } from "../../../src/domain/meaning/vectors.ts";
import type { EmbeddedIssue } from "../../../src/store/types/vectors.ts";
import { describeStore } from "../../support/store.ts";
import {
  all,
  countsOf,
  DIMS,
  embedded,
  embeddedOf,
  given,
  rowsIn,
  storedVectors,
  vector,
} from "./given.ts";

describeStore("vectors that are written", (open) => {
  test("are stored in order with the stamp of their issue and the sign bits of each chunk", async () => {
    const at = await given(open);
    const vectors = [vector(1), vector(2), vector(3)];
    const issue = await embedded(at, vectors);
    const written = await at.vectors.put(at.generation, [issue], all([issue]));
    expect([...written]).toEqual([issue.issue_uid]);
    const { vectors: _, ...stamp } = issue;
    expect(await at.vectors.find(at.generation, [issue.issue_uid])).toEqual([
      { ...stamp, chunk_count: 3 },
    ]);
    const stored = await storedVectors(at.database);
    expect(stored.map(({ number }) => number)).toEqual([0, 1, 2]);
    expect(stored.map((row) => new Uint8Array(row.vector))).toEqual(vectors.map(bytesOf));
    const [row] = await rowsIn<{ bits: Uint8Array }>(at.database, "select bits from vector_issue");
    expect(new Uint8Array(row?.bits ?? [])).toEqual(bitBytesOf(vectors, DIMS));
  });

  test("take the place of the earlier ones of their issue", async () => {
    const at = await given(open);
    const issue = await embedded(at, [vector(1), vector(2)]);
    await at.vectors.put(at.generation, [issue], all([issue]));
    const again = { ...issue, vectors: [vector(5)] };
    await at.vectors.put(at.generation, [again], all([again]));
    const stored = await storedVectors(at.database);
    expect(stored.map((row) => new Uint8Array(row.vector))).toEqual([bytesOf(vector(5))]);
    expect(await countsOf(at.vectors, at.generation)).toEqual({ done: 1, skipped: 0, chunks: 1 });
    expect(await at.vectors.find(at.generation, [issue.issue_uid])).toMatchObject([
      { text_hash: issue.text_hash, chunk_count: 1 },
    ]);
  });

  test("never get the number of a chunk that was removed, so that a reader cannot take one for the other", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    const chunk = async () =>
      (await rowsIn<{ id: number | string }>(at.database, "select id from vector_chunk"))[0]?.id;
    await at.vectors.put(at.generation, [issue], all([issue]));
    const before = Number(await chunk());
    await at.vectors.remove([issue.issue_uid]);
    await at.vectors.put(at.generation, [issue], all([issue]));
    expect(Number(await chunk())).toBeGreaterThan(before);
  });

  test("are left out if their issue is not current any more", async () => {
    const at = await given(open);
    const [kept, changed] = [await embedded(at), await embedded(at)];
    const written = await at.vectors.put(at.generation, [kept, changed], all([kept]));
    expect([...written]).toEqual([kept.issue_uid]);
    expect((await storedVectors(at.database)).map(({ issue_uid }) => issue_uid)).toEqual([
      kept.issue_uid,
    ]);
  });

  test("are not stored if their issue is purged while it is asked which issues are current", async () => {
    const at = await given(open);
    const [kept, purged] = [await embedded(at), await embedded(at)];
    const written = await at.vectors.put(at.generation, [kept, purged], async () => {
      const current = await currentIn(at.w.store, [kept, purged]);
      const isThere = current.has(purged.issue_uid);
      if (isThere) await purge(at, purged.issue_uid);
      return current;
    });
    expect([...written]).toEqual([kept.issue_uid]);
    expect((await storedVectors(at.database)).map(({ issue_uid }) => issue_uid)).toEqual([
      kept.issue_uid,
    ]);
  });

  test("are not stored if their text changes while it is asked which issues are current", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    const written = await at.vectors.put(at.generation, [issue], async () => {
      const current = await currentIn(at.w.store, [issue]);
      if (current.size > 0) {
        const params = { project_id: 1, ref: issue.issue_uid };
        await at.w.call(editIssue, { params, body: { title: "another text" } });
      }
      return current;
    });
    expect([...written]).toEqual([]);
    expect(await storedVectors(at.database)).toEqual([]);
  });

  test("are removed by a removal that is asked for while they wait to be written", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    const asked = Promise.withResolvers<void>();
    const putting = at.vectors.put(at.generation, [issue], async () => {
      await asked.promise;
      return new Set([issue.issue_uid]);
    });
    const removing = at.vectors.remove([issue.issue_uid]);
    asked.resolve();
    await Promise.all([putting, removing]);
    expect(await storedVectors(at.database)).toEqual([]);
    expect(await countsOf(at.vectors, at.generation)).toEqual({ done: 0, skipped: 0, chunks: 0 });
  });

  test("are not stored in a generation that is gone", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    await at.vectors.dropRetired(at.generation, 10);
    expect(await at.vectors.put(at.generation, [issue], all([issue]))).toEqual(new Set());
    expect(await storedVectors(at.database)).toEqual([]);
  });

  test("take the place of another issue that had the same local id, and of their issue under an earlier id", async () => {
    const at = await given(open);
    const [one, two] = [await embedded(at), await embedded(at, [vector(2)])];
    await at.vectors.put(at.generation, [one, two], all([one, two]));
    const moved = { ...two, issue_id: one.issue_id };
    // On PostgreSQL the issues themselves are looked at.
    if (at.vectors.dialect === "postgres")
      for (const [uid, id] of [
        [one.issue_uid, 1000],
        [two.issue_uid, one.issue_id],
      ])
        await rowsIn(at.database, `update issue set id = ${id} where uid = '${uid}'`);
    await at.vectors.put(at.generation, [moved], all([moved]));
    expect(await at.vectors.range(at.generation, 0, 1000)).toMatchObject([
      { issue_id: one.issue_id, issue_uid: two.issue_uid },
    ]);
    expect(await storedVectors(at.database)).toHaveLength(1);
  });

  test("may be none: for an issue without text, and for one that the provider refused", async () => {
    const at = await given(open);
    const blank = await embedded(at, []);
    const refused: EmbeddedIssue = {
      ...(await embedded(at, [])),
      ...{ state: "skipped", reason: "refused_400" },
    };
    await at.vectors.put(at.generation, [blank, refused], all([blank, refused]));
    expect(await countsOf(at.vectors, at.generation)).toEqual({ done: 1, skipped: 1, chunks: 0 });
    expect(await at.vectors.skipped(at.generation, 5)).toMatchObject([
      { issue_uid: refused.issue_uid, reason: "refused_400" },
    ]);
  });

  test("must have as many dimensions as their generation", async () => {
    const at = await given(open);
    const issue = await embedded(at, [vector(1, DIMS + 1)]);
    await expect(at.vectors.put(at.generation, [issue], all([issue]))).rejects.toThrow(
      "vectors have as many dimensions as their generation",
    );
    expect(await countsOf(at.vectors, at.generation)).toEqual({ done: 0, skipped: 0, chunks: 0 });
  });

  test("keep their rows when only the stamp changes", async () => {
    const at = await given(open);
    const [one, unknown] = [await embedded(at, [vector(1), vector(2)]), await embedded(at)];
    await at.vectors.put(at.generation, [one], all([one]));
    const before = await storedVectors(at.database);
    const params = { project_id: 1, ref: one.issue_uid };
    await at.w.call(editIssue, { params, body: { title: "another text" } });
    const stamps = [await embeddedOf(at.w, one.issue_uid), unknown].map(
      ({ issue_id, issue_uid, project_uid, content_revision, text_hash }) => {
        return { issue_id, issue_uid, project_uid, content_revision, text_hash };
      },
    );
    await at.vectors.restamp(at.generation, stamps);
    expect(await at.vectors.range(at.generation, 0, 1000)).toMatchObject([
      {
        issue_uid: one.issue_uid,
        content_revision: 2,
        text_hash: stamps[0]?.text_hash,
        chunk_count: 2,
      },
    ]);
    expect(await storedVectors(at.database)).toEqual(before);
  });
});

type TestStore = Awaited<ReturnType<typeof given>>["w"]["store"];

async function currentIn(
  store: TestStore,
  issues: readonly EmbeddedIssue[],
): Promise<ReadonlySet<string>> {
  const uids = issues.map(({ issue_uid }) => issue_uid);
  const rows = await store.read(async (reader) => await reader.issues.many(uids));
  const isCurrent = ({ issue_uid, content_revision }: EmbeddedIssue) =>
    rows.get(issue_uid)?.content_revision === content_revision;
  return new Set(issues.filter(isCurrent).map(({ issue_uid }) => issue_uid));
}

async function purge({ w }: Pick<Awaited<ReturnType<typeof given>>, "w">, uid: string) {
  const issue = await w.store.read(async ({ issues }) => await issues.find(uid));
  await w.call(purgeIssue, {
    params: { project_id: issue?.project_id ?? 0, ref: uid },
    headers: { "x-svc-confirm": `PURGE web#${issue?.short_id}` },
  });
}
