import { expect, test } from "vitest";
import { describeStore } from "../../support/store.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

const P = uid(1);

describeStore("rewriting the full-text index", (open) => {
  test("is requested by a purge, proceeds in steps and restores other forms of words", async () => {
    const store = await open();
    const many = Array.from({ length: 250 }, (_, at) =>
      created(P, uid(101 + at), { title: `migrations of schema ${at}` }),
    );
    await log(store, projectCreated(P, "web"), ...many);
    const found = async (text = "migrating") =>
      await store.read(
        async ({ search }) =>
          await search.lexical({
            project_uid: P,
            text,
            limit: 200,
            include_deleted: false,
            labels: [],
            exclude_labels: [],
          }),
      );
    expect(await found()).toHaveLength(100);
    expect(await store.rewriteTexts()).toBe(false);
    await store.write(async (tx) => {
      const issue = await tx.issues.find(uid(101));
      if (issue === undefined) throw new Error("it was created");
      await tx.purgeIssue(issue, { actor: "ann", reason: "a secret" });
    });
    expect(await found()).toEqual([]);
    expect(await found("migrations")).toHaveLength(200);
    let steps = 0;
    while (await store.rewriteTexts()) steps += 1;
    expect(steps).toBeGreaterThan(1);
    expect((await found()).map(({ matched }) => matched)).toEqual(
      Array.from({ length: 100 }, () => "forms"),
    );
    expect(await store.rewriteTexts()).toBe(false);
  });
});
