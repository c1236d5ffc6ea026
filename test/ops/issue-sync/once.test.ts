import { expect, test } from "vitest";
import { closeIssue } from "../../../src/contract/actions.ts";
import { createComment } from "../../../src/contract/comments.ts";
import { undoImport } from "../../../src/contract/import-batches.ts";
import { importIssues } from "../../../src/contract/imports.ts";
import {
  disableIssueSync,
  getIssueSyncStatus,
  runIssueSyncOnce,
} from "../../../src/contract/issue-sync.ts";
import { editIssue } from "../../../src/contract/issues.ts";
import { addLabel } from "../../../src/contract/labels.ts";
import { acquireIssueLease, releaseIssueLease } from "../../../src/contract/leases.ts";
import { moveIssue } from "../../../src/contract/removal.ts";
import { dueRuns } from "../../../src/ops/issue-sync/claim.ts";
import { ProviderFault } from "../../../src/sync/provider.ts";
import { expectFolded } from "../../store/fold.ts";
import { describeStore } from "../../support/store.ts";
import { comment, JULY, JUNE, MAY, parentIs } from "./host.ts";
import { syncWorld } from "./synced.ts";

describeStore("a run of issue sync", (open) => {
  test("creates issues with their fields, comments and parents, and a second run writes nothing", async () => {
    const { w, host, enable, once, show } = await syncWorld(open);
    host.put(1, {
      title: "crash",
      labels: ["Bug", "Needs help"],
      owner: "cat",
      comments: [comment(7)],
    });
    host.put(2, {
      state: "closed",
      state_reason: "not_planned",
      closed_at: JUNE,
      parent: parentIs(1),
    });
    await enable();
    const first = await once();
    expect(first.import).toMatchObject({
      created: 2,
      updated: 0,
      comments: 1,
      links: 1,
      errors: [],
    });
    expect(first.status).toMatchObject({ state: "enabled", last_created: 2 });
    const one = await show(1);
    expect(one.issue).toMatchObject({
      title: "[GitHub #1] crash",
      body: "a body\n---\nImported from GitHub: https://github.com/ann/web/issues/1",
      author: "ann",
      owner: "cat",
      status: "open",
      updated_at: JUNE,
    });
    expect(one.labels.map(({ label }) => label)).toEqual(["bug", "needs-help"]);
    expect(one.comments).toMatchObject([{ author: "bea", body: "comment 7" }]);
    const two = await show(2);
    expect(two.issue).toMatchObject({ status: "closed", closed_reason: "wontfix" });
    expect(two.parent).toMatchObject({ uid: one.issue.uid });
    const events = (await w.events()).length;
    expect((await once()).import).toMatchObject({ created: 0, updated: 0, comments: 0 });
    host.issues.clear();
    expect((await w.events()).length).toBe(events);
    await expectFolded(w.store);
  });

  test("a full read that finds nothing new counts every issue as unchanged", async () => {
    const { w, host, enable, once } = await syncWorld(open);
    host.put(1, { comments: [comment(7)], labels: ["bug"] });
    host.put(2, { parent: parentIs(1) });
    await enable();
    await once();
    const events = (await w.events()).length;
    await enable({ config: { owner: "ann", repo: "web", title_prefix: false } });
    await enable({ config: { owner: "ann", repo: "web", title_prefix: true } });
    const again = await once();
    expect(host.runs.at(-1)?.since).toBeUndefined();
    expect(again.import).toMatchObject({ created: 0, updated: 0, unchanged: 2, items: [] });
    expect((await w.events()).length).toBe(events);
  });

  test("an edit on the host becomes one update; labels of the host follow it, and labels that were set here stay", async () => {
    const { w, host, enable, once, show } = await syncWorld(open);
    host.put(1, { labels: ["bug", "ui"] });
    await enable();
    await once();
    const { issue } = await show(1);
    await w.call(addLabel, {
      params: { project_id: issue.project_id, ref: issue.uid },
      body: { label: "mine" },
    });
    const before = (await w.events()).length;
    host.put(1, { title: "renamed", labels: ["ui", "soon"], updated_at: JULY });
    expect((await once({ parents: false })).import).toMatchObject({ updated: 0 });
    w.clock.advance(0);
    const later = await full(enable, once);
    expect(later.import).toMatchObject({ created: 0, updated: 1 });
    const types = (await w.events()).slice(before).map(({ type }) => type);
    expect(types.sort()).toEqual(["issue.labeled", "issue.unlabeled", "issue.updated"]);
    const now = await show(1);
    expect(now.issue.title).toBe("[GitHub #1] renamed");
    expect(now.labels.map(({ label }) => label).sort()).toEqual(["mine", "soon", "ui"]);
  });

  test("a local edit stays until the host has a newer version, which then replaces the edit", async () => {
    const { w, host, enable, once, show } = await syncWorld(open);
    host.put(1);
    await enable();
    await once();
    const { issue } = await show(1);
    const path = { project_id: issue.project_id, ref: issue.uid };
    await w.call(editIssue, { params: path, body: { title: "mine" } });
    await w.call(createComment, { params: path, body: { body: "here" } });
    expect((await full(enable, once)).import).toMatchObject({ updated: 0, unchanged: 1 });
    expect((await show(1)).issue.title).toBe("mine");
    host.put(1, { updated_at: JULY, body: "another body" });
    await full(enable, once);
    const now = await show(1);
    expect(now.issue.title).toBe("[GitHub #1] issue 1");
    expect(now.comments).toMatchObject([{ body: "here" }]);
  });

  test("an issue closed on the host is closed here, and one closed here opens again after a later change on the host", async () => {
    const { w, host, enable, once, show } = await syncWorld(open);
    host.put(1);
    host.put(2);
    await enable();
    await once();
    const { issue } = await show(2);
    await w.call(closeIssue, {
      params: { project_id: issue.project_id, ref: issue.uid },
      body: { source: "tui" },
    });
    host.put(1, { state: "closed", state_reason: "completed", closed_at: JULY, updated_at: JULY });
    host.put(2, { updated_at: JULY });
    await full(enable, once);
    expect((await show(1)).issue).toMatchObject({
      status: "closed",
      closed_reason: "done",
      closed_at: JULY,
    });
    expect((await show(2)).issue.status).toBe("open");
  });

  test("comments are only added: one that was changed or deleted on the host stays here as it was", async () => {
    const { host, enable, once, show } = await syncWorld(open);
    host.put(1, { comments: [comment(1), comment(2)] });
    await enable();
    await once();
    host.put(1, { comments: [comment(2, "edited"), comment(3)], updated_at: JULY });
    expect((await full(enable, once)).import).toMatchObject({ comments: 1 });
    expect((await show(1)).comments.map(({ body }) => body).sort()).toEqual([
      "comment 1",
      "comment 2",
      "comment 3",
    ]);
  });

  test("a full read of parents updates them except those set here, and an unknown parent is set when it arrives", async () => {
    const { w, host, enable, once, show } = await syncWorld(open);
    for (const number of [1, 2, 3]) host.put(number);
    host.put(4, { parent: parentIs(1) });
    host.put(5, { parent: parentIs(9) });
    await enable();
    await once();
    const uids = new Map<number, string>();
    for (const number of [1, 2, 3, 4, 5]) uids.set(number, (await show(number)).issue.uid);
    const parentOf = async (number: number) => (await show(number)).parent?.uid;
    expect(await parentOf(4)).toBe(uids.get(1));
    const { issue } = await show(3);
    const path = { project_id: issue.project_id, ref: issue.uid };
    await w.call(editIssue, {
      params: path,
      body: { links_delta: { set_parent: uids.get(2) ?? "" } },
    });
    host.put(4, { parent: parentIs(2) });
    host.put(3, { parent: parentIs(1) });
    const scanned = await once({ parents: true });
    expect(host.runs.at(-1)?.parents).toBe("scan");
    expect(scanned.import).toMatchObject({ updated: 1, links: 1 });
    expect(await parentOf(4)).toBe(uids.get(2));
    expect(await parentOf(3)).toBe(uids.get(2));
    host.put(4, { parent: { kind: "none" } });
    host.put(9);
    await full(enable, once);
    expect(await parentOf(4)).toBeUndefined();
    expect(await parentOf(5)).toBe((await show(9)).issue.uid);
    await expectFolded(w.store);
  });

  test("issues imported earlier from a file of the repository are taken over with their comments and local edits", async () => {
    const { w, host, project, enable, once, show, list } = await syncWorld(open);
    const item = (number: number) => ({
      external_id: `gh-${number}`,
      title: `issue ${number}`,
      body: "a body",
      author: "ann",
      status: "open" as const,
      created_at: "2025-05-01T10:00:00.000Z",
      updated_at: JUNE,
      labels: [],
      comments: [
        { external_id: `gh-${number}/IC_1`, author: "bea", body: "comment 7", created_at: JUNE },
      ],
    });
    await w.call(importIssues, {
      params: project.path,
      body: { source: "github:ann/web", items: [item(1), item(2)] },
    });
    const before = await list();
    await w.call(editIssue, {
      params: { project_id: project.id, ref: "gh-2" },
      body: { title: "mine" },
    });
    host.put(1, { comments: [comment(7), comment(8)] });
    host.put(2, { comments: [comment(7)] });
    host.put(3);
    await enable();
    expect((await once()).import).toMatchObject({ created: 1, updated: 2, comments: 1 });
    expect((await list()).map(({ uid }) => uid).sort()).toEqual(
      [...before.map(({ uid }) => uid), (await show(3)).issue.uid].sort(),
    );
    expect((await show(1)).issue.title).toBe("[GitHub #1] issue 1");
    expect((await show(2)).issue.title).toBe("mine");
    expect((await show(1)).comments).toHaveLength(2);
    expect((await full(enable, once)).import).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 3,
    });
    await expectFolded(w.store);
  });

  test("an import from a file of a repository is refused in the project that syncs with it, and in no other", async () => {
    const { w, project, enable } = await syncWorld(open);
    await enable();
    const body = { source: "github:ann/web", items: [] };
    const refused = await w.refused(importIssues, { params: project.path, body });
    expect(refused).toMatchObject({ code: "validation", data: { field: "source" } });
    const elsewhere = { ...body, source: "github:ann/site" };
    await w.call(importIssues, { params: project.path, body: elsewhere });
    const other = await w.given.project("other");
    await w.call(importIssues, { params: other.path, body });
  });

  test("an issue that was deleted here is not created again, and one that was moved is updated where it is now", async () => {
    const { w, host, enable, once, show, list } = await syncWorld(open);
    host.put(1);
    host.put(2);
    await enable();
    await once();
    const [one, two] = [(await show(1)).issue, (await show(2)).issue];
    await w.given.deleted({ uid: one.uid, project_uid: one.project_uid });
    const other = await w.given.project("other");
    await w.call(moveIssue, {
      params: { project_id: two.project_id, ref: two.uid },
      headers: { "if-match": `"rev-${two.revision}"` },
      body: { to_project_uid: other.uid },
    });
    host.put(1, { title: "again", updated_at: JULY });
    host.put(2, { title: "followed", updated_at: JULY });
    expect((await full(enable, once)).import).toMatchObject({
      created: 0,
      updated: 1,
      unchanged: 1,
    });
    expect(await list()).toEqual([]);
    const moved = await w.store.read(async (reader) => await reader.issues.find(two.uid));
    expect(moved).toMatchObject({ title: "[GitHub #2] followed", project_uid: other.uid });
  });

  test("svc import undo takes back what a run changed", async () => {
    const { w, host, project, enable, once, list, show } = await syncWorld(open);
    host.put(1);
    await enable();
    await once();
    host.put(1, { title: "renamed", updated_at: JULY });
    host.put(2, { updated_at: JULY });
    const second = await full(enable, once);
    const undone = await w.call(undoImport, {
      params: { project_id: project.id, batch_uid: second.import.sync_uid },
      body: {},
    });
    expect(undone).toMatchObject({ deleted: 1, reverted: 1, conflicts: [] });
    expect((await show(1)).issue.title).toBe("[GitHub #1] issue 1");
    expect(await list()).toHaveLength(1);
    expect((await full(enable, once)).import).toMatchObject({ created: 0, updated: 2 });
    expect(await list()).toHaveLength(2);
  });

  test("an issue that somebody has leased is updated after the lease has ended", async () => {
    const { w, host, enable, once, show } = await syncWorld(open);
    host.put(1);
    await enable();
    await once();
    const { issue } = await show(1);
    const path = { project_id: issue.project_id, ref: issue.uid };
    await w.call(acquireIssueLease, { params: path, body: {} });
    host.put(1, { title: "renamed", updated_at: JULY });
    const held = await full(enable, once);
    expect(held.import.items).toMatchObject([
      { status: "unchanged", reason: "somebody else holds its lease" },
    ]);
    expect(held.binding.last_cursor_at).toBe(JULY);
    await w.call(releaseIssueLease, { params: path, body: {} });
    expect((await once()).import).toMatchObject({ updated: 1 });
    expect((await show(1)).issue.title).toBe("[GitHub #1] renamed");
  });

  test("of two runs at once the second is refused, and disabling the binding ends the first at its next write", async () => {
    const { w, host, params, enable, once, list } = await syncWorld(open);
    for (const number of [1, 2]) host.put(number);
    host.batch = 1;
    await enable();
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let batches = 0;
    host.before = async (kind) => {
      if (kind !== "issues" || (batches += 1) !== 2) return;
      reached.resolve();
      await goOn.promise;
    };
    const running = w.refused(runIssueSyncOnce, { params, body: {} });
    await reached.promise;
    expect((await w.call(getIssueSyncStatus, { params })).status.state).toBe("running");
    const second = await w.refused(runIssueSyncOnce, { params, body: {} });
    expect(second.code).toBe("issue_sync_already_running");
    await w.call(disableIssueSync, { params, body: {} });
    goOn.resolve();
    expect((await running).code).toBe("issue_sync_binding_changed");
    expect(await list()).toHaveLength(1);
    const { status } = await w.call(getIssueSyncStatus, { params });
    expect(status).toMatchObject({ state: "disabled", last_created: 0 });
    expect(status.last_error).toBeUndefined();
    host.before = async () => undefined;
    await enable();
    expect((await once()).import).toMatchObject({ created: 1, unchanged: 1 });
  });

  test("after a killed run, the next one is refused for 30 minutes and then creates nothing a second time", async () => {
    const { w, host, params, enable, once } = await syncWorld(open);
    host.put(1);
    await enable();
    await once();
    await w.store.write(async (tx) => {
      const [status] = await tx.unfolded.list("issue_sync_status", 1);
      if (status !== undefined)
        await tx.unfolded.put("issue_sync_status", { ...status, sync_started_at: tx.now });
    });
    w.clock.advance(30 * 60_000 - 1);
    const early = await w.refused(runIssueSyncOnce, { params, body: {} });
    expect(early.code).toBe("issue_sync_already_running");
    w.clock.advance(1);
    expect((await once()).import).toMatchObject({ created: 0, updated: 0 });
  });

  test("a failed run reports why it failed, and leaves the counts and the cursor unchanged", async () => {
    const { w, host, params, enable, once } = await syncWorld(open);
    host.put(1);
    await enable();
    const { binding } = await once();
    w.clock.advance(60_000);
    host.fault = new ProviderFault("rate_limited", "the host asks to wait 120 s", "try later");
    const refused = await w.refused(runIssueSyncOnce, { params, body: {} });
    expect(refused).toMatchObject({
      code: "issue_sync_failed",
      message: "rate_limited: the host asks to wait 120 s",
      hint: "try later",
      data: { category: "rate_limited" },
    });
    const after = await w.call(getIssueSyncStatus, { params });
    expect(after.binding?.last_cursor_at).toBe(binding.last_cursor_at);
    expect(after.status).toMatchObject({
      state: "enabled",
      last_created: 1,
      last_error: "rate_limited: the host asks to wait 120 s",
    });
    host.fault = undefined;
    expect((await once()).status.last_error).toBeUndefined();
  });

  test("a run asks for changes since two minutes before the last run began, by the slower of the two clocks", async () => {
    const { w, host, enable, once } = await syncWorld(open);
    await enable();
    const first = await once();
    expect(first.binding.last_cursor_at).toBe("2026-01-01T00:00:00.000Z");
    w.clock.advance(600_000);
    host.hostTime = "2026-01-01T00:09:00.000Z";
    const second = await once();
    expect(host.runs.map(({ since }) => since)).toEqual([undefined, "2025-12-31T23:58:00.000Z"]);
    expect(second.binding.last_cursor_at).toBe("2026-01-01T00:09:00.000Z");
    expect(host.runs.map(({ parents }) => parents)).toEqual(["scan", "rows"]);
    w.clock.advance(24 * 3_600_000);
    await once();
    expect(host.runs.at(-1)?.parents).toBe("scan");
  });

  test("if the clock is set back during a run, no change is missed and the next run is not delayed", async () => {
    const { w, host, project, enable, once, list } = await syncWorld(open);
    host.put(1, { updated_at: MAY });
    host.batch = 1;
    await enable({ interval: 60 });
    host.hostTime = "2026-01-01T00:00:00.000Z";
    host.before = async (kind) => {
      if (kind === "links") w.clock.advance(-3_600_000);
    };
    const { binding, status } = await once();
    expect(status).toMatchObject({ state: "enabled", last_created: 1 });
    expect(binding.last_cursor_at).toBe("2026-01-01T00:00:00.000Z");
    host.before = async () => undefined;
    const due = async () =>
      await w.store.read(async (reader) => await dueRuns(reader, w.clock.nowMs()));
    // The host shows both changes by its own clock, one of them of the time before the run.
    host.hostTime = "2026-01-01T00:01:00.000Z";
    host.put(2, { updated_at: "2025-12-31T23:59:30.000Z" });
    host.put(1, { title: "renamed", updated_at: "2026-01-01T00:00:30.000Z" });
    w.clock.advance(60_000);
    expect((await due()).projects).toEqual([project.uid]);
    expect((await once()).import).toMatchObject({ created: 1, updated: 1 });
    expect(await due()).toMatchObject({ projects: [], nextMs: w.clock.nowMs() + 60_000 });
    expect(await list()).toHaveLength(2);
    expect((await once()).import).toMatchObject({ created: 0, updated: 0 });
  });

  test("a renamed repository is still read, and another repository under the old binding is refused", async () => {
    const { w, host, params, enable, once } = await syncWorld(open);
    await enable();
    host.displayName = "ann/site";
    const renamed = await once();
    expect(renamed.binding).toMatchObject({
      display_name: "ann/site",
      source_key: "github:R_1",
      config: { owner: "ann", repo: "site" },
    });
    host.remoteId = "R_2";
    const refused = await w.refused(runIssueSyncOnce, { params, body: {} });
    expect(refused.data).toMatchObject({ category: "repository_mismatch" });
  });
});

/** Reads everything again, as after a change of the config. */
async function full<T>(
  enable: (body: object) => Promise<unknown>,
  once: () => Promise<T>,
): Promise<T> {
  for (const title_prefix of [false, true])
    await enable({ config: { owner: "ann", repo: "web", title_prefix } });
  return await once();
}
