import { expect, test } from "vitest";
import { purgeIssue } from "../../../src/contract/removal.ts";
import { describePostgres } from "../../support/store.ts";
import { created, uid } from "../drafts.ts";
import { asSpoke, baseline } from "../foreign-events.ts";
import { P } from "../random-events.ts";
import { all, countsOf, embedded, embeddedOf, given, rowsIn, storedVectors } from "./given.ts";

describePostgres("vectors of several daemons on one database", (open) => {
  test("are written only by the daemon that has the term, and read by all", async () => {
    const at = await given(open);
    const [kept, other] = [await embedded(at), await embedded(at)];
    await at.vectors.put(at.generation, [kept], all([kept]));
    const [held] = at.w.store.elections();
    const { name = "", term = 0, holder } = held ?? {};
    for (const lost of [undefined, { name, number: term + 1, holder }, { name, number: term }]) {
      const vectors = await at.reopened({ term: () => lost });
      const refused = { data: { reason: "not_elected" } };
      const now = at.w.clock.now();
      await expect(vectors.put(at.generation, [other], all([other]))).rejects.toMatchObject(
        refused,
      );
      await expect(vectors.begin(at.of, "active", now)).rejects.toMatchObject(refused);
      await expect(vectors.switchTo(at.generation, now)).rejects.toMatchObject(refused);
      await expect(vectors.dropRetired(at.generation, 1)).rejects.toMatchObject(refused);
      await expect(vectors.restamp(at.generation, [kept])).rejects.toMatchObject(refused);
      expect(await countsOf(vectors, at.generation)).toMatchObject({ done: 1 });
    }
    expect(await at.vectors.generations()).toMatchObject([{ state: "building" }]);
  });

  test("are not written to another issue that has the uid, as when a copy was read again", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    const other = { ...issue, issue_id: issue.issue_id + 1 };
    expect([...(await at.vectors.put(at.generation, [other], all([other])))]).toEqual([]);
    expect(await storedVectors(at.database)).toEqual([]);
  });

  test("are not written if another daemon clears a copy and reads it again in the last moment before", async () => {
    const at = await given(open);
    const other = await at.database.open({ clock: at.w.clock });
    const pull = await asSpoke(other);
    const text = { title: "größe", body: "with a body" };
    await pull(created(P, uid(11), { title: "before" }), created(P, uid(12), text));
    const issues = [await embeddedOf(at.w, uid(11)), await embeddedOf(at.w, uid(12))];
    const written = await at.vectors.put(at.generation, issues, async () => {
      await other.write(async (tx) => await tx.clearReplica(P, { sentUpTo: 0 }));
      await pull(
        ...[baseline(P), created(P, uid(11), { title: "after" }), created(P, uid(12), text)],
      );
      return await all(issues)();
    });
    const after = await embeddedOf(at.w, uid(11));
    expect(after).toMatchObject({ issue_id: issues[0]?.issue_id, content_revision: 1 });
    expect([...written]).toEqual([uid(12)]);
    expect((await storedVectors(at.database)).map(({ issue_uid }) => issue_uid)).toEqual([uid(12)]);
  });

  test("go away with their issue in the transaction of the purge", async () => {
    const at = await given(open);
    const [kept, purged] = [await embedded(at), await embedded(at)];
    await at.vectors.put(at.generation, [kept, purged], all([kept, purged]));
    const issue = await at.w.store.read(async ({ issues }) => await issues.find(purged.issue_uid));
    await at.w.call(purgeIssue, {
      params: { project_id: issue?.project_id ?? 0, ref: purged.issue_uid },
      headers: { "x-svc-confirm": `PURGE web#${issue?.short_id}` },
    });
    expect((await storedVectors(at.database)).map(({ issue_uid }) => issue_uid)).toEqual([
      kept.issue_uid,
    ]);
    expect(await rowsIn(at.database, "select issue_uid from vector_issue")).toEqual([
      { issue_uid: kept.issue_uid },
    ]);
  });

  test("are left alone while a purge is deleting their issue, without a deadlock", async () => {
    const at = await given(open);
    const [kept, purged] = [await embedded(at), await embedded(at)];
    await at.vectors.put(at.generation, [kept, purged], all([kept, purged]));
    await at.w.store.write(async (tx) => {
      const issue = await tx.issues.find(purged.issue_uid);
      if (issue === undefined) throw new Error("the issue was not found");
      await tx.purgeIssue(issue, { actor: "ann", reason: null });
      // The purge has not been committed, and these do not wait for it.
      const again = [kept, purged];
      expect([...(await at.vectors.put(at.generation, again, all(again)))]).toEqual([
        kept.issue_uid,
      ]);
      await at.vectors.remove([purged.issue_uid]);
    });
    expect((await storedVectors(at.database)).map(({ issue_uid }) => issue_uid)).toEqual([
      kept.issue_uid,
    ]);
  });

  test("are written on a new session after the server closed the old one", async () => {
    const at = await given(open);
    const issue = await embedded(at);
    await rowsIn(
      at.database,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    const counts = await countsOf(at.vectors, at.generation);
    expect(counts).toEqual({ done: 0, skipped: 0, chunks: 0 });
    const put = async () => await at.vectors.put(at.generation, [issue], all([issue]));
    expect([...(await put())]).toEqual([issue.issue_uid]);
  });
});
