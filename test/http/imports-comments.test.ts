import { expect, test } from "vitest";
import { editComment } from "../../src/contract/comments.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { rewriteAuthorIdentity } from "../../src/contract/project-actions.ts";
import type { Input } from "../../src/contract/route.ts";
import { COMMENT_REMOVED } from "../../src/domain/imports/fields.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

type Body = Input<typeof importIssues>["body"];
type Comment = NonNullable<Body["items"][number]["comments"]>[number];

const MAY = "2025-05-01T10:00:00Z";
const JUNE = "2025-06-01T10:00:00Z";
const JULY = "2025-07-01T10:00:00Z";

/** Comments as a short text: `c1 ann hello` has the external id c1. */
function comment(words: string, created_at: string | null = JUNE): Comment {
  const [external_id = "", author = "", ...text] = words.split(" ");
  return {
    ...{ external_id, author, body: text.join(" ") },
    ...(created_at !== null && { created_at }),
  };
}

describeStore("a comment of a second import", (open) => {
  test("a comment replaces the text of the existing one if id, author and time are the same", async () => {
    const { bring, comments } = await importer();
    await bring([comment("c1 ann one"), comment("c2 ann two")]);
    const [first] = await comments();
    const result = await bring([comment("c1 ann one, edited"), comment("c2 ann two")]);
    expect(result.items[0]?.changed).toEqual(["comment.c1"]);
    expect(await comments()).toEqual([{ ...first, body: "one, edited" }, expect.anything()]);
  });

  test("a comment that has the id of another author's comment is a separate comment", async () => {
    const { bring, said } = await importer();
    await bring([comment("1 ann from ann")]);
    const renumbered = [comment("1 cy from cy"), comment("2 ann from ann")];
    expect(await bring(renumbered)).toMatchObject({ comments: 1, conflicts: [] });
    expect(await said()).toEqual(["ann: from ann", "cy: from cy"]);
    expect(await bring(renumbered)).toMatchObject({ unchanged: 1, comments: 0 });
    await bring([comment("1 ann from ann")]);
    expect(await said()).toEqual(["ann: from ann", `cy: ${COMMENT_REMOVED}`]);
    await bring([comment("1 ann from ann"), comment("2 cy from cy")]);
    expect(await said()).toEqual(["ann: from ann", "cy: from cy"]);
  });

  test("a comment that an older version of svc gave to the wrong author is replaced by a correct one", async () => {
    const { bring, said } = await importer();
    // Older versions took the comment 1 for the same, and edited it.
    await bring([comment("1 ann from ann")]);
    await bring([comment("1 ann from cy"), comment("2 ann from ann")]);
    await bring([comment("1 cy from cy"), comment("2 ann from ann")]);
    expect(await said()).toEqual([`ann: ${COMMENT_REMOVED}`, "ann: from ann", "cy: from cy"]);
  });

  test("a comment exists as often as in the source, even if several comments are equal", async () => {
    const { bring, said } = await importer();
    const equal = [comment("1 ann +1"), comment("2 ann +1")];
    await bring(equal);
    expect(await said()).toEqual(["ann: +1", "ann: +1"]);
    await bring([comment("2 ann +1"), comment("3 ann +1"), comment("4 ann +1")]);
    expect(await said()).toEqual(["ann: +1", "ann: +1", "ann: +1"]);
    await bring([comment("1 ann +1")]);
    const removed = `ann: ${COMMENT_REMOVED}`;
    expect(await said()).toEqual([removed, removed, "ann: +1"]);
  });

  test("a comment without a time gets the time of its issue, and is matched by author and text", async () => {
    const { w, bring, comments } = await importer();
    await bring([comment("#1 ann one", null), comment("#2 ann two", null)]);
    const first = await comments();
    expect(first[0]).toMatchObject({ body: "one", created_at: "2025-05-01T10:00:00.000Z" });
    const before = await w.events();
    await bring([comment("#1 ann two", null), comment("#2 ann one", null)], {
      created_at: "2025-05-02T10:00:00Z",
    });
    expect(await w.events()).toEqual(before);
  });

  test("a comment keeps a text that was edited in svc, even if the comment's number changes in the source", async () => {
    const { bring, said, edit } = await importer();
    await bring([comment("1 ann one"), comment("2 cy two")]);
    await edit("one", "redacted");
    expect(await bring([comment("8 cy two"), comment("9 ann one")])).toMatchObject({
      unchanged: 1,
      conflicts: [],
    });
    expect(await said()).toEqual(["ann: redacted", "cy: two"]);
    const { conflicts } = await bring([comment("1 cy two")]);
    expect(conflicts).toMatchObject([{ field: "comment.1", base: "one", local: "redacted" }]);
    expect(await said()).toEqual(["ann: redacted", "cy: two"]);
  });

  test("a comment is matched by its author in the source even after that author was renamed in svc", async () => {
    const { w, params, bring, said } = await importer();
    await bring([comment("1 ann one")]);
    await w.call(rewriteAuthorIdentity, { params, body: { from: "ann", to: "anna" } });
    expect(await bring([comment("7 ann one")])).toMatchObject({ unchanged: 1, comments: 0 });
    expect(await said()).toEqual(["anna: one"]);
  });

  test("a comment is kept even if another comment in the file has the same id", async () => {
    const { w, bring, said } = await importer();
    const twice = [comment("1 ann one"), comment("1 cy two"), comment("1 cy two")];
    expect(await bring(twice)).toMatchObject({ comments: 2 });
    expect(await said()).toEqual(["ann: one", "cy: two"]);
    const before = await w.events();
    await bring(twice);
    expect(await w.events()).toEqual(before);
  });

  async function importer() {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    let ref = "";
    const bring = async (list: Comment[], more: { readonly created_at?: string } = {}) => {
      const item = {
        ...{ external_id: "a", title: "a", author: "ann", status: "open" as const },
        ...{ created_at: MAY, updated_at: JULY, comments: list, ...more },
      };
      const result = await w.call(importIssues, { params, body: { source: "x", items: [item] } });
      ref = result.items[0]?.issue_short_id ?? ref;
      return result;
    };
    const comments = async () => (await w.call(showIssue, { params: { ...params, ref } })).comments;
    const said = async () =>
      (await comments()).map(({ author, body }) => `${author}: ${body}`).sort();
    const edit = async (text: string, body: string) => {
      const comment_ref = (await comments()).find((one) => one.body === text)?.uid ?? "";
      await w.call(editComment, { params: { ...params, ref, comment_ref }, body: { body } });
    };
    return { w, params, bring, comments, said, edit };
  }
});
