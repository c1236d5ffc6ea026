import { expect, test } from "vitest";
import { createComment, editComment } from "../../src/contract/comments.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const KEY = { "idempotency-key": "k1" };

describeStore("comments", (open) => {
  test("a comment records its author, time and teammate, and updates the issue's time", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    w.clock.advance(1000);
    const made = await w.call(createComment, {
      params: issue.path,
      body: { body: " keep *this*\n", actor: " bea ", teammate: "scout-7" },
    });
    expect(made).toMatchObject({
      changed: true,
      comment: {
        author: "bea",
        body: " keep *this*\n",
        teammate: "scout-7",
        issue_id: issue.id,
        created_at: "2026-01-01T00:00:01.000Z",
      },
      issue: { uid: issue.uid, revision: 1, updated_at: "2026-01-01T00:00:01.000Z" },
      event: { type: "issue.commented", actor: "bea", issue_uid: issue.uid },
    });
    const { comments } = await w.call(showIssue, { params: issue.path });
    expect(comments).toEqual([made.comment]);
  });

  test("comments appear in order of creation, and have a teammate only if one was named", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    for (const body of ["one", "two", "three"]) await w.given.comment({ on: issue, body });
    const { comments } = await w.call(showIssue, { params: issue.path });
    expect(comments.map(({ body }) => body)).toEqual(["one", "two", "three"]);
    expect(comments.filter((comment) => "teammate" in comment)).toEqual([]);
  });

  test("a repeated request with the same idempotency key creates one comment and returns it again", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const request = { params: issue.path, headers: KEY, body: { body: "once" } };
    const first = await w.call(createComment, request);
    w.clock.advance(1000);
    const again = await w.call(createComment, request);
    expect(again).toMatchObject({ comment: first.comment, event: null, changed: false });
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.commented"]);
  });

  test.each([
    ["another text", { body: "twice" }],
    ["another actor", { body: "once", actor: "bea" }],
  ])("%s under a used idempotency key is refused", async (_, body) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await w.call(createComment, { params, headers: KEY, body: { body: "once" } });
    const refused = await w.refused(createComment, { params, headers: KEY, body });
    expect(refused.code).toBe("idempotency_mismatch");
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.commented"]);
  });

  test("one idempotency key can be used for comments on two issues", async () => {
    const w = await world({ store: open });
    const [one, two] = [await w.given.issue(), await w.given.issue()];
    const body = { body: "same" };
    const first = await w.call(createComment, { params: one.path, headers: KEY, body });
    const second = await w.call(createComment, { params: two.path, headers: KEY, body });
    expect(second.changed).toBe(true);
    expect(second.comment.uid).not.toBe(first.comment.uid);
  });

  test("an edit keeps author, uid, time and place and logs one event", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const { comment } = await w.given.comment({ on: issue, author: "ann", body: "old" });
    await w.given.comment({ on: issue, body: "later" });
    w.clock.advance(1000);
    const edited = await w.call(editComment, {
      params: comment.path,
      body: { actor: "bea", body: "new" },
    });
    const { path: _, ...before } = comment;
    expect(edited).toMatchObject({
      changed: true,
      comment: { ...before, body: "new" },
      issue: { updated_at: "2026-01-01T00:00:01.000Z" },
      event: { type: "issue.comment_edited", actor: "bea" },
    });
    const { comments } = await w.call(showIssue, { params: issue.path });
    expect(comments.map(({ body }) => body)).toEqual(["new", "later"]);
  });

  test("an edit that leaves the text the same changes nothing", async () => {
    const w = await world({ store: open });
    const { comment } = await w.given.comment({ body: "same" });
    const edited = await w.call(editComment, { params: comment.path, body: { body: "same" } });
    expect(edited).toMatchObject({ changed: false, event: null, comment: { body: "same" } });
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.commented"]);
  });

  test("a comment can be named by its uid in any letter case", async () => {
    const w = await world({ store: open });
    const { comment } = await w.given.comment();
    const params = { ...comment.path, comment_ref: comment.uid.toLowerCase() };
    expect((await w.call(editComment, { params, body: { body: "new" } })).changed).toBe(true);
  });

  test("a comment is not found under another issue, by a row number or by a part of its uid", async () => {
    const w = await world({ store: open });
    const [issue, { comment }] = [await w.given.issue(), await w.given.comment()];
    const refs = [comment.uid, String(comment.id), comment.uid.slice(0, 20)];
    const codes: string[] = [];
    for (const [at, comment_ref] of refs.entries()) {
      const on = at === 0 ? issue.path : comment.path;
      const params = { ...on, comment_ref };
      codes.push((await w.refused(editComment, { params, body: { body: "x" } })).code);
    }
    expect(codes).toEqual(refs.map(() => "comment_not_found"));
  });

  test.each([
    ["no text", {}, "body: is required"],
    ["a blank text", { body: " \n\t" }, "body: must not be blank"],
    ["a text with NUL", { body: "a\u0000b" }, "body: must not contain NUL"],
    ["a number for a text", { body: 5 }, "body: must be text"],
    ["a blank actor", { body: "x", actor: "  " }, "actor is required"],
    ["an empty teammate", { body: "x", teammate: "" }, /^teammate: must be 1 to 64 ASCII/],
    [
      "a teammate of 65 characters",
      { body: "x", teammate: "t".repeat(65) },
      /^teammate: must be 1 to 64 ASCII/,
    ],
    ["a teammate beyond ASCII", { body: "x", teammate: "é" }, /^teammate: must be 1 to 64 ASCII/],
    ["an unknown field", { body: "x", text: "y" }, "text: is not a known field"],
  ])("a comment with %s is refused and nothing is logged", async (_, body, message) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    // A cast, because the type of the body does not allow what the schema must refuse.
    const refused = await w.refused(createComment, { params, body: body as { body: string } });
    expect(refused).toMatchObject({ code: "validation", message: expect.stringMatching(message) });
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test("a teammate may have 64 printable ASCII characters", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const teammate = `~!${"t".repeat(62)}`;
    const made = await w.call(createComment, { params, body: { body: "x", teammate } });
    expect(made.comment.teammate).toBe(teammate);
  });

  test.each([
    ["a blank key", " "],
    ["256 characters", "k".repeat(256)],
  ])("%s is not a valid idempotency key", async (_, key) => {
    const w = await world({ store: open });
    const refused = await w.refused(createComment, await keyed(w, key));
    expect(refused).toMatchObject({ code: "validation", data: { field: "Idempotency-Key" } });
  });

  test("an idempotency key may have 255 characters", async () => {
    const w = await world({ store: open });
    expect((await w.call(createComment, await keyed(w, "k".repeat(255)))).changed).toBe(true);
  });

  test("a deleted issue and an issue of an archived project accept no comments", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const [gone, hidden] = [await w.given.issue({ project }), await w.given.issue({ project })];
    await w.given.deleted(gone);
    const body = { body: "x" };
    expect((await w.refused(createComment, { params: gone.path, body })).code).toBe(
      "issue_not_found",
    );
    await w.given.archived(project);
    expect((await w.refused(createComment, { params: hidden.path, body })).code).toBe(
      "project_not_found",
    );
  });
});

async function keyed(w: World, key: string) {
  const { path: params } = await w.given.issue();
  return { params, headers: { "idempotency-key": key }, body: { body: "x" } };
}
