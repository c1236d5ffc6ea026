import { expect, test } from "vitest";
import {
  reindexEmbeddings,
  showEmbeddings,
  testEmbeddings,
} from "../../src/contract/embeddings.ts";
import { health } from "../../src/contract/health.ts";
import { DIMS, makeUnreadable, routedMeaning } from "../meaning/routed.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

describeStore("the index of meanings over HTTP", (open) => {
  test("is not configured by default, and then it can be neither built nor tested", async () => {
    const w = await world({ store: open });
    expect(await w.call(showEmbeddings)).toEqual({ configured: false });
    expect(await w.call(health)).not.toHaveProperty("embeddings");
    for (const route of [reindexEmbeddings, testEmbeddings])
      expect(await w.refused(route)).toMatchObject({
        code: "validation",
        hint: expect.stringContaining("base_url and model of [search.embeddings]"),
      });
  });

  test("tells how far it is, and which issues the provider refused", async () => {
    const { w, state, sweep } = await routedMeaning(open);
    const issue = await w.given.issue({ title: "poison" });
    await w.given.issue({ title: "one" });
    state.poison("poison");
    expect(await w.call(showEmbeddings)).toMatchObject({
      configured: true,
      embedded: 0,
      backlog: 2,
      total: 2,
    });
    await sweep();
    await sweep();
    expect(await w.call(showEmbeddings)).toEqual({
      configured: true,
      model: "test-model",
      dims: DIMS,
      generation: "active",
      embedded: 1,
      skipped: 1,
      backlog: 0,
      total: 2,
      error_present: false,
      last_success_at: w.clock.now(),
      skipped_issues: [{ qualified_id: issue.qualified_id, uid: issue.uid, reason: "refused_400" }],
    });
  });

  test("names the cure of the last error, and nothing that the provider said", async () => {
    const { w, state, sweep } = await routedMeaning(open);
    await w.given.issue({ title: "one" });
    state.always({ status: 401, body: "key sk-123 is wrong" });
    await sweep();
    const shown = await w.call(showEmbeddings);
    expect(shown).toMatchObject({ last_error_status: 401, error_present: true });
    expect(shown.error_cure).toContain("svc daemon reload");
    expect(JSON.stringify(shown)).not.toContain("sk-123");
  });

  test("says what to do if the index cannot be read, and still answers", async () => {
    const { w, database } = await routedMeaning(open);
    await w.given.issue({ title: "one" });
    await makeUnreadable(database);
    const shown = await w.call(showEmbeddings);
    expect(shown).toMatchObject({
      ...{ configured: true, model: "test-model", generation: "none", skipped_issues: [] },
      ...{ error_present: true, index_failed: true },
    });
    expect(shown.error_cure).toContain("the index of meanings cannot be read");
  });

  test("is built anew when that is asked for", async () => {
    const { w, state, sweep } = await routedMeaning(open);
    await w.given.issue({ title: "one" });
    await sweep();
    await sweep();
    expect(await w.call(reindexEmbeddings)).toEqual({ total: 1 });
    await sweep();
    await sweep();
    expect(state.inputs()).toEqual(["one", "one"]);
  });

  test("says whether the provider embeds a word", async () => {
    const { w, state } = await routedMeaning(open);
    expect(await w.call(testEmbeddings)).toEqual({ result: "ok", ms: 0 });
    expect(state.inputs()).toEqual(["issue"]);
    state.always({ status: 404 });
    expect(await w.call(testEmbeddings)).toMatchObject({ result: "failed", status: 404 });
    state.always({ body: "not JSON" });
    const failed = await w.call(testEmbeddings);
    expect(failed.result).toBe("failed");
    expect(failed).not.toHaveProperty("status");
    expect(failed.reason).toContain("cannot be reached");
  });

  test("is true in health at each look", async () => {
    const { w, sweep } = await routedMeaning(open);
    const { look } = (await w.meaning?.get()) ?? {};
    const field = async () => {
      await look?.();
      return (await w.meaning?.get())?.engines[0]?.health?.read(true);
    };
    await w.given.issue({ title: "one" });
    expect(await field()).toMatchObject({ embedded: 0, backlog: 1 });
    await sweep();
    expect(await field()).toMatchObject({ embedded: 1, backlog: 0 });
    await w.given.issue({ title: "two" });
    expect(await field()).toMatchObject({ embedded: 1, backlog: 1 });
  });

  test("stays empty where everybody may read without a token, and the provider is not called", async () => {
    const { w, state, sweep } = await routedMeaning(open, { readonly: true });
    await w.given.issue({ title: "one" });
    await sweep();
    expect(await w.call(showEmbeddings)).toMatchObject({
      configured: true,
      generation: "none",
      embedded: 0,
      backlog: 1,
    });
    expect(state.calls()).toEqual([]);
  });
});
