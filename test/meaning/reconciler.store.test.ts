import { expect, test } from "vitest";
import { assignIssue, setIssuePriority } from "../../src/contract/actions.ts";
import { createComment } from "../../src/contract/comments.ts";
import { mergeProject, removeProject, restoreProject } from "../../src/contract/project-actions.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { describeStore } from "../support/store.ts";
import { meaningWorld } from "./world.ts";

describeStore("the index of meanings", (open) => {
  test("gets the vectors of all issues, newest first, and health says so", async () => {
    const { w, state, start, stamps } = await meaningWorld(open);
    for (const title of ["one", "two", "three", "four", "five"]) await w.given.issue({ title });
    const { fill, health } = start({ batchSize: 2 });
    expect(await fill()).toBe(300_000);
    expect(state.calls().map(({ inputs }) => inputs)).toEqual([
      ["five", "four"],
      ["three", "two"],
      ["one"],
    ]);
    expect(await stamps()).toMatchObject([{ state: "done", chunk_count: 1 }, {}, {}, {}, {}]);
    expect(health()).toEqual({
      configured: true,
      embedded: 5,
      skipped: 0,
      backlog: 0,
      error_present: false,
      last_success_at: w.clock.now(),
    });
  });

  test("has title and body of an issue, and nothing else of it", async () => {
    const { w, state, start } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "slow pages", body: "It takes long." });
    await w.given.comment({ on: issue, body: "I saw it too" });
    await start().fill();
    expect(state.inputs()).toEqual(["slow pages\n\nIt takes long."]);
  });

  test("is not filled again for changes of anything but title and body", async () => {
    const { w, state, start, edit } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "slow pages" });
    const { fill, health } = start();
    await fill();
    state.forgetCalls();
    await w.call(assignIssue, { params: issue.path, body: { owner: "bob" } });
    await w.call(setIssuePriority, { params: issue.path, body: { priority: 1 } });
    await w.call(createComment, { params: issue.path, body: { body: "new" } });
    await edit(issue, { title: "slow pages" });
    await w.given.closed(issue);
    await fill();
    expect(state.calls()).toEqual([]);
    expect(health()).toMatchObject({ embedded: 1, backlog: 0 });
  });

  test("gets the vectors of a new text, and of the old text without a call", async () => {
    const { w, state, start, edit, indexed } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "old" });
    const { fill, look, health } = start();
    await fill();
    await edit(issue, { title: "new" });
    await look();
    expect(health()).toMatchObject({ embedded: 0, backlog: 1 });
    await fill();
    expect(await indexed()).toEqual(["new"]);
    state.forgetCalls();
    await edit(issue, { title: "other" });
    await edit(issue, { title: "new" });
    await look();
    expect(health()).toMatchObject({ embedded: 0, backlog: 1 });
    await fill();
    expect(state.calls()).toEqual([]);
    expect(health()).toMatchObject({ embedded: 1, backlog: 0 });
  });

  test("loses a deleted issue, and gets a restored one again", async () => {
    const { w, start, remove, restore, stamps, indexed } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "one" });
    await w.given.issue({ title: "two" });
    const { fill, health } = start();
    await fill();
    await remove(issue);
    await fill();
    expect((await stamps()).map(({ issue_uid }) => issue_uid)).not.toContain(issue.uid);
    expect(health()).toMatchObject({ embedded: 1, backlog: 0 });
    await restore(issue);
    await fill();
    expect(await indexed()).toEqual(["one", "two"]);
  });

  test("has no backlog of issues that were deleted before they were embedded", async () => {
    const { w, state, start, remove } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "one" });
    state.always({ status: 503 });
    const { fill, look, health } = start();
    await fill();
    expect(health()).toMatchObject({ embedded: 0, backlog: 1 });
    await remove(issue);
    await look();
    expect(health()).toMatchObject({ embedded: 0, backlog: 0 });
  });

  test("never gets an issue that was deleted before", async () => {
    const { w, state, start, remove } = await meaningWorld(open);
    await remove(await w.given.issue({ title: "gone" }));
    await start().fill();
    expect(state.calls()).toEqual([]);
  });

  test("loses the issues of an archived project, and gets them again when it is restored", async () => {
    const { w, state, start, stamps } = await meaningWorld(open);
    const project = await w.given.project("old");
    await w.given.issue({ project, title: "one" });
    const { fill, health } = start();
    await fill();
    await w.call(removeProject, { params: project.path, query: { force: true } });
    await fill();
    expect(await stamps()).toEqual([]);
    expect(health()).toMatchObject({ embedded: 0, backlog: 0 });
    state.forgetCalls();
    await w.call(restoreProject, { params: project.path });
    await fill();
    expect(state.inputs()).toEqual(["one"]);
    expect(health()).toMatchObject({ embedded: 1, backlog: 0 });
  });

  test("keeps the vectors of issues that get into another project by a move or a merge", async () => {
    const { w, state, start, stamps } = await meaningWorld(open);
    const [from, to] = [await w.given.project("from"), await w.given.project("to")];
    const moved = await w.given.issue({ project: from, title: "moved" });
    await w.given.issue({ project: from, title: "merged" });
    const { fill } = start();
    await fill();
    state.forgetCalls();
    await w.call(moveIssue, {
      params: moved.path,
      headers: { "if-match": `"rev-${moved.revision}"` },
      body: { to_project_uid: to.uid },
    });
    await fill();
    expect((await stamps()).map(({ project_uid }) => project_uid)).toEqual([to.uid, from.uid]);
    await w.call(mergeProject, { params: to.path, body: { source_project_id: from.id } });
    await fill();
    expect((await stamps()).map(({ project_uid }) => project_uid)).toEqual([to.uid, to.uid]);
    expect(state.calls()).toEqual([]);
  });

  test("has an issue that the provider refuses as skipped, until its text changes", async () => {
    const { w, state, start, edit, stamps } = await meaningWorld(open);
    state.poison("poison");
    const issue = await w.given.issue({ title: "poison" });
    for (const title of ["one", "two", "three"]) await w.given.issue({ title });
    const { fill, health, farSide } = start();
    await fill();
    expect(health()).toMatchObject({ embedded: 3, skipped: 1, backlog: 0, error_present: false });
    expect(await stamps()).toMatchObject([{ state: "skipped", reason: "refused_400" }, {}, {}, {}]);
    expect((await farSide.show()).skipped).toMatchObject([{ issue_uid: issue.uid }]);
    state.forgetCalls();
    await edit(issue, { owner: "bob" });
    await fill();
    expect(state.calls()).toEqual([]);
    await edit(issue, { title: "cured" });
    await fill();
    expect(state.inputs()).toEqual(["cured"]);
    expect(health()).toMatchObject({ embedded: 4, skipped: 0, backlog: 0 });
  });

  test("waits five minutes after the provider refused the key, and begins at once with a new one", async () => {
    const { w, state, start } = await meaningWorld(open);
    await w.given.issue({ title: "one" });
    state.always({ status: 401, body: `{"error":"the key sk-123 is wrong"}` });
    const { fill, health, reload } = start();
    expect(await fill()).toBe(300_000);
    expect(state.calls()).toHaveLength(1);
    expect(health()).toMatchObject({ backlog: 1, error_present: true, last_error_status: 401 });
    expect(JSON.stringify(health())).not.toContain("sk-123");
    w.clock.advance(299_000);
    expect(await fill()).toBe(1000);
    await w.given.issue({ title: "two" });
    await fill();
    expect(state.calls()).toHaveLength(1);
    expect(health()).toMatchObject({ backlog: 2 });
    state.always();
    await reload();
    await fill();
    expect(health()).toMatchObject({ embedded: 2, backlog: 0, error_present: false });
    expect(health()).not.toHaveProperty("last_error_status");
  });

  test("waits as long as a busy provider asks for", async () => {
    const { w, state, start } = await meaningWorld(open);
    await w.given.issue({ title: "one" });
    state.next({ status: 429, headers: { "retry-after": "2" } });
    const { fill } = start();
    expect(await fill()).toBe(2000);
    w.clock.advance(1999);
    expect(await fill()).toBe(1);
    expect(state.calls()).toHaveLength(1);
    w.clock.advance(1);
    expect(await fill()).toBe(300_000 - 2000);
    expect(state.calls()).toHaveLength(2);
  });

  test("is filled on by the next daemon where a stopped one was", async () => {
    const { w, state, start, stamps } = await meaningWorld(open);
    for (const title of ["one", "two", "three"]) await w.given.issue({ title });
    const first = start({ batchSize: 1 });
    state.hold();
    const sweeping = first.sweep();
    await state.hasBeenCalled(1);
    state.release();
    state.hold();
    await state.hasBeenCalled(2);
    await first.stop();
    await sweeping;
    state.release();
    expect(await stamps()).toHaveLength(1);
    state.forgetCalls();
    const second = start();
    await second.fill();
    expect(state.inputs()).toEqual(["two", "one"]);
    expect(second.health()).toMatchObject({ embedded: 3, backlog: 0 });
  });

  test("does not get the vectors of a text that changed during the call", async () => {
    const { w, state, start, edit, stamps, indexed } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "before" });
    const { sweep, fill } = start();
    state.hold();
    const sweeping = sweep();
    await state.hasBeenCalled(1);
    await edit(issue, { title: "after" });
    state.release();
    await sweeping;
    await fill();
    expect(state.inputs()).toEqual(["before", "after"]);
    expect(await indexed()).toEqual(["after"]);
    expect(await stamps()).toHaveLength(1);
  });

  test("does not get the vectors of an issue that was purged during the call", async () => {
    const { w, state, start, purge, stamps } = await meaningWorld(open);
    const issue = await w.given.issue({ title: "secret" });
    const { sweep, fill, health } = start();
    state.hold();
    const sweeping = sweep();
    await state.hasBeenCalled(1);
    await purge(issue);
    state.release();
    await sweeping;
    expect(await stamps()).toEqual([]);
    await fill();
    expect(health()).toMatchObject({ embedded: 0, backlog: 0 });
  });

  test("has a blank issue without asking the provider", async () => {
    const { w, state, start, stamps } = await meaningWorld(open);
    const { uid } = await w.given.issue({ title: "one" });
    await w.append({
      type: "issue.updated",
      actor: "ann",
      project_uid:
        (await w.store.read(async ({ issues }) => await issues.find(uid)))?.project_uid ?? "",
      issue_uid: uid,
      payload: { title: " ", updated_at: w.clock.now() },
    });
    await start().fill();
    expect(await stamps()).toMatchObject([{ state: "done", chunk_count: 0 }]);
    expect(state.calls()).toEqual([]);
  });
});
