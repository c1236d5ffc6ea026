import { expect, test } from "vitest";
import { instantToMs } from "../../../src/base/clock.ts";
import { closeIssue, reopenIssue } from "../../../src/contract/actions.ts";
import { createComment, editComment } from "../../../src/contract/comments.ts";
import { SvcError } from "../../../src/contract/errors.ts";
import { DELETED_TEXT } from "../../../src/domain/bridges/comments-in.ts";
import { REQUEST_LABEL, REQUEST_TEXTS } from "../../../src/domain/bridges/lifecycle.ts";
import { ConnectorFault } from "../../../src/ops/bridges/far-side.ts";
import { reconcile } from "../../../src/ops/bridges/reconcile.ts";
import { claimBridge, TO_THE_END } from "../../../src/ops/bridges/run.ts";
import type { Tx } from "../../../src/store/types/store.ts";
import { makeHub } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type Bridged, bridgedWorld, codeOf } from "./bridged.ts";

const say = async ({ call, issue }: Bridged, body: string) =>
  (await call(createComment, { params: issue.path, body: { body } })).comment;

const close = async ({ call, issue }: Bridged) =>
  await call(closeIssue, { params: issue.path, body: { source: "tui" } });

const UNCHANGED = {
  ...{ root_updated: false, comments_created: 0, comments_edited: 0, field_conflicts: 0 },
  ...{ completion_requests: 0, reopen_requests: 0, paused: false },
};

describeStore("a reconcile", (open) => {
  test("writes no event if nothing changed", async () => {
    const b = await bridgedWorld(open);
    b.provider.comment("r", "c1", "hello");
    await b.bind();
    b.provider.comment("r", "c2", "hello again");
    await b.run();
    const before = (await b.events()).length;
    expect(await b.run()).toMatchObject(UNCHANGED);
    expect((await b.events()).length).toBe(before);
  });

  test("by the key of the root runs the bridge of that root", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    b.provider.edit("r", { title: "New" });
    expect(await b.runByKey("r")).toMatchObject({ root_updated: true });
    expect(await codeOf(b.runByKey("other"))).toBe("bridge_not_found");
  });

  test("brings the words of the root, and refuses other words under the same revision", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    b.clock.advance(1000);
    b.provider.edit("r", { title: "Ship all", body: "Everything." });
    expect(await b.run()).toMatchObject({ root_updated: true });
    expect(await b.shown()).toMatchObject({ title: "Ship all", body: "Everything." });
    const before = (await b.events()).length;
    b.provider.record("r").body = "Something else.";
    expect(await codeOf(b.run())).toBe("connector_error");
    expect((await b.events()).length).toBe(before);
    expect(await b.bridge()).toMatchObject({
      last_error: "external connector protocol failed: root_changed",
      consecutive_failures: 1,
    });
    await b.folded();
  });

  test("imports new comments with the time of the provider, edits them and marks deleted ones", async () => {
    const b = await bridgedWorld(open);
    b.provider.comment("r", "c0", "before the bind");
    await b.bind();
    b.clock.advance(1000);
    const at = b.clock.now();
    b.provider.comment("r", "c1", "hello");
    b.clock.advance(1000);
    expect(await b.run()).toMatchObject({ comments_created: 1 });
    expect(await b.comments()).toEqual(["connector:files: hello"]);
    const rows = await b.store.read(async (reader) => await reader.comments.of(b.issue.uid));
    expect(rows[0]?.created_at).toBe(at);
    b.provider.editComment("r", "c1", { body: "hello, edited" });
    b.provider.editComment("r", "c0", { body: "edited after the bind" });
    expect(await b.run()).toMatchObject({ comments_created: 1, comments_edited: 1 });
    b.provider.editComment("r", "c1", { deleted: true, body: "" });
    expect(await b.run()).toMatchObject({ comments_created: 0, comments_edited: 1 });
    expect((await b.comments()).sort()).toEqual([
      `connector:files: ${DELETED_TEXT}`,
      "connector:files: edited after the bind",
    ]);
    expect(await b.run()).toMatchObject(UNCHANGED);
    await b.folded();
  });

  test("imports no comment whose revision alone changed, whoever wrote it", async () => {
    const b = await bridgedWorld(open);
    b.provider.comment("r", "c0", "before the bind");
    await b.bind({ publish: true });
    await say(b, "mine");
    await b.run();
    b.clock.advance(1000);
    for (const id of ["c0", "p1"]) b.provider.editComment("r", id, {});
    const before = (await b.events()).length;
    expect(await b.run()).toMatchObject(UNCHANGED);
    expect((await b.events()).length).toBe(before);
    // The new revision is known by now: other words under it are no new version.
    const [c0] = b.provider.record("r").comments;
    b.provider.editComment("r", "c0", { body: "edited", revision: c0?.revision ?? "" });
    expect(await b.run()).toMatchObject(UNCHANGED);
    b.provider.editComment("r", "c0", { body: "edited" });
    b.provider.editComment("r", "p1", { body: "edited too" });
    expect(await b.run()).toMatchObject({ comments_created: 2 });
    await b.folded();
  });

  test("ignores a version of a comment that is older than the one it knows", async () => {
    const b = await bridgedWorld(open);
    b.provider.comment("r", "c0", "before the bind");
    const [old] = b.provider.record("r").comments;
    b.clock.advance(1000);
    b.provider.editComment("r", "c0", { body: "edited before the bind" });
    await b.bind();
    b.provider.editComment("r", "c0", { ...old });
    expect(await b.run()).toMatchObject(UNCHANGED);
    expect(await b.comments()).toEqual([]);
  });

  test("keeps what the stages before a failure wrote, and waits longer after each failure", async () => {
    const b = await bridgedWorld(open);
    await b.bind({ publish: true });
    await say(b, "to publish");
    b.provider.edit("r", { title: "New" });
    for (const [failures, least, most] of [
      [1, 27, 33],
      [2, 54, 66],
    ] as const) {
      b.provider.failNext("publish_comment", new ConnectorFault("timeout"));
      expect(await codeOf(b.run())).toBe("connector_error");
      const row = await b.bridge();
      expect(row.consecutive_failures).toBe(failures);
      const wait = (instantToMs(row.next_attempt_at ?? "") - b.clock.nowMs()) / 1000;
      expect([wait >= least, wait <= most]).toEqual([true, true]);
    }
    expect((await b.shown()).title).toBe("New");
  });

  test("is refused while another one runs", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    let other: string | undefined;
    b.provider.during("describe", async () => {
      other = await codeOf(b.run());
    });
    await b.run();
    expect(other).toBe("external_root_claim_lost");
  });

  test("goes on after a run was killed, when the claim of that is stale", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    b.provider.comment("r", "c1", "hello");
    await b.claimed();
    b.clock.advance(5 * 60_000 - 1);
    expect(await codeOf(b.run())).toBe("external_root_claim_lost");
    b.clock.advance(1);
    expect(await b.run()).toMatchObject({ comments_created: 1 });
  });

  test("ends without a failure if its claim was taken over", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    b.provider.during("read_root", async () => await b.claimed());
    b.provider.edit("r", { title: "Not taken" });
    expect(await codeOf(b.run())).toBe("external_root_claim_lost");
    expect((await b.shown()).title).toBe("Ship it");
    expect((await b.bridge()).consecutive_failures).toBe(0);
  });

  test.each([
    ["the root is gone", "external_root_missing", (b: Bridged) => b.provider.records.delete("r")],
    [
      "the root is deleted",
      "external_root_deleted",
      (b: Bridged) => b.provider.edit("r", { state: "deleted" }),
    ],
    [
      "the account changed",
      "external_root_identity_changed",
      (b: Bridged) => (b.provider.account = "other"),
    ],
  ])("pauses the bridge if %s, and calls nobody until it is resumed", async (_, reason, change) => {
    const b = await bridgedWorld(open);
    await b.bind();
    change(b);
    const run = await b.run();
    expect(run).toMatchObject({ paused: true, bridge: { enabled: false, paused_reason: reason } });
    expect((await b.events()).at(-1)).toMatchObject({
      type: "issue.external_root_paused",
      payload: { reason, enabled: false },
    });
    b.provider.calls = [];
    expect(await codeOf(b.run())).toBe("external_root_claim_lost");
    expect(b.provider.calls).toEqual([]);
    await b.folded();
  });

  test("fails if its pause cannot be written, and waits before it is repeated", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    const copy = { role: "spoke", hub_url: "https://hub.example" } as const;
    await makeHub(b.w, { uid: b.issue.project_uid ?? "" }, copy);
    b.provider.records.delete("r");
    expect(await codeOf(b.run())).toBe("federated_read_only");
    const row = await b.bridge();
    expect(row).toMatchObject({
      ...{ claim_token: null, enabled: 1, consecutive_failures: 1, last_error_at: b.clock.now() },
      last_error: "external connector request failed: federated_read_only",
    });
    expect(row.next_attempt_at).not.toBeNull();
  });

  test("is answered with what made it fail, also if its end cannot be written", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    let isWritable = true;
    const store = {
      read: b.store.read.bind(b.store),
      write: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
        if (!isWritable) throw new SvcError("busy");
        return await b.store.write(work);
      },
    };
    const deps = { ...b.runDeps, store };
    const claim = await claimBridge(deps, (await b.bridge()).uid, true);
    if (claim === undefined) throw new Error("it is not due");
    const fault = new ConnectorFault("timeout");
    b.provider.failNext("describe", fault, true);
    b.provider.during("describe", () => void (isWritable = false));
    await expect(reconcile(deps, claim, TO_THE_END)).rejects.toBe(fault);
  });

  test("stays paused if it is resumed with another account, and goes on with the right one", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    b.provider.account = "other";
    await b.run();
    const before = (await b.events()).length;
    expect(await codeOf(b.resume())).toBe("external_root_conflict");
    expect((await b.events()).length).toBe(before);
    b.provider.account = "account-4711";
    const resumed = await b.resume();
    expect(resumed).toMatchObject({ enabled: true });
    expect(resumed.paused_reason).toBeUndefined();
    await b.run();
  });
});

describeStore("comments of an issue", (open) => {
  test("are published only if the bridge does so, and only those made after the bind", async () => {
    const b = await bridgedWorld(open);
    await say(b, "before the bind");
    await b.bind({ publish: true });
    await say(b, "first");
    await say(b, "second");
    await b.run();
    expect(b.provider.record("r").comments.map(({ body }) => body)).toEqual(["first", "second"]);
    // What svc published is listed by the provider, and is not imported.
    expect(await b.run()).toMatchObject(UNCHANGED);
    expect(await b.comments()).toEqual(["ann: before the bind", "ann: first", "ann: second"]);
    const kinds = (await b.eventKinds()).filter((kind) => kind.includes("external_comment"));
    expect(kinds).toHaveLength(2);
    await b.folded();
  });

  test("stay here if the bridge does not publish", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    await say(b, "mine");
    await b.run();
    expect(b.provider.record("r").comments).toEqual([]);
  });

  test("are there once after the answer was lost, and an edit there comes back as a new comment", async () => {
    const b = await bridgedWorld(open);
    await b.bind({ publish: true });
    await say(b, "hello");
    b.provider.failNext("publish_comment", new ConnectorFault("process"), true);
    expect(await codeOf(b.run())).toBe("connector_error");
    const { pending_comment_uid } = await b.bridge();
    expect(pending_comment_uid).not.toBeNull();
    // The comment is listed by now, and is not guessed to be the pending one.
    expect(await b.run()).toMatchObject({ comments_created: 0 });
    expect(b.provider.record("r").comments).toHaveLength(1);
    expect(await b.comments()).toEqual(["ann: hello"]);
    const published = (await b.events()).filter(
      ({ type }) => type === "issue.external_comment_resolved",
    );
    expect(published).toMatchObject([{ payload: { action: "published", pending_comment_uid } }]);
    b.provider.editComment("r", "p1", { body: "hello, edited there" });
    expect(await b.run()).toMatchObject({ comments_created: 1 });
    expect(await b.comments()).toEqual(["ann: hello", "connector:files: hello, edited there"]);
    await b.folded();
  });

  test("that wait for a decision are skipped for good, and the next one is sent", async () => {
    const b = await bridgedWorld(open);
    await b.bind({ publish: true });
    await say(b, "lost");
    b.provider.failNext("publish_comment", new ConnectorFault("timeout"));
    await codeOf(b.run());
    expect(await codeOf(b.unbind())).toBe("external_comment_pending");
    expect(await b.resolveComment("skip")).not.toHaveProperty("pending_comment_uid");
    await say(b, "next");
    await b.run();
    expect(b.provider.record("r").comments.map(({ body }) => body)).toEqual(["next"]);
    expect(await codeOf(b.resolveComment("skip"))).toBe("external_comment_pending");
    await b.folded();
  });

  test("are adopted only if svc can have written the named comment", async () => {
    const b = await bridgedWorld(open);
    await b.bind({ publish: true });
    const { uid } = await say(b, "lost");
    b.provider.failNext("publish_comment", new ConnectorFault("timeout"));
    await codeOf(b.run());
    b.provider.comment("r", "foreign", "lost", "bea");
    b.provider.comment("r", "own", "lost", "svc");
    expect(await codeOf(b.resolveComment("adopt", "none"))).toBe("validation");
    expect(await codeOf(b.resolveComment("adopt", "foreign"))).toBe("validation");
    expect((await b.bridge()).pending_comment_uid).toBe(uid);
    expect(await b.resolveComment("retry")).toMatchObject({ pending_comment_uid: uid });
    expect(await b.resolveComment("adopt", "own")).not.toHaveProperty("pending_comment_uid");
    await b.run();
    expect(b.provider.calls.filter((call) => call === "publish_comment")).toHaveLength(1);
    expect(await b.comments()).toEqual(["ann: lost", "connector:files: lost"]);
    await b.folded();
  });

  test.each([
    [
      "here",
      async (b: Bridged, comment_ref: string) => {
        const params = { ...b.issue.path, comment_ref };
        await b.call(editComment, { params, body: { body: "edited" } });
      },
    ],
    ["there", async (b: Bridged) => b.provider.editComment("r", "p1", { body: "edited" })],
  ])(
    "that were edited %s after the answer was lost are not imported, and can be adopted",
    async (_, edit) => {
      const b = await bridgedWorld(open);
      await b.bind({ publish: true });
      const { uid } = await say(b, "hello");
      b.provider.failNext("publish_comment", new ConnectorFault("timeout"), true);
      await codeOf(b.run());
      await edit(b, uid);
      expect(await codeOf(b.run())).toBe("connector_error");
      expect(await b.comments()).toHaveLength(1);
      expect(await b.resolveComment("adopt", "p1")).not.toHaveProperty("pending_comment_uid");
      expect(await b.run()).toMatchObject(UNCHANGED);
      await b.folded();
    },
  );

  test("that were edited while they were published stay undecided", async () => {
    const b = await bridgedWorld(open);
    await b.bind({ publish: true });
    const { uid } = await say(b, "first words");
    b.provider.during("publish_comment", async () => {
      const edited_at = b.clock.now();
      const payload = { comment_uid: uid, body: "other words", edited_at };
      const { uid: issue_uid, project_uid = "" } = b.issue;
      await b.append({
        type: "issue.comment_edited",
        actor: "ann",
        project_uid,
        issue_uid,
        payload,
      });
    });
    expect(await codeOf(b.run())).toBe("connector_error");
    expect((await b.bridge()).pending_comment_uid).toBe(uid);
  });
});

describeStore("the state of a root", (open) => {
  test("that was completed asks people once, and the issue stays open", async () => {
    const b = await bridgedWorld(open);
    await b.bind({ publish: true });
    b.provider.edit("r", { state: "complete" });
    expect(await b.run()).toMatchObject({ completion_requests: 1 });
    expect(await b.run()).toMatchObject(UNCHANGED);
    expect(await b.comments()).toEqual([`connector:files: ${REQUEST_TEXTS.completion}`]);
    expect((await b.shown()).status).toBe("open");
    const labels = await b.store.read(async (reader) => await reader.labels.of(b.issue.uid));
    expect(labels.map(({ label }) => label)).toEqual(["mine", REQUEST_LABEL]);
    // The request is not published to the root, which knows it already.
    expect(b.provider.record("r").comments).toEqual([]);
    await b.folded();
  });

  test("is complete after the issue was closed, and a failure leaves the issue closed", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    await close(b);
    b.provider.failNext("complete_root", new ConnectorFault("timeout"));
    expect(await codeOf(b.run())).toBe("connector_error");
    expect((await b.shown()).status).toBe("closed");
    expect(b.provider.record("r").state).toBe("open");
    b.provider.calls = [];
    expect(await b.run()).toMatchObject({ completion_requests: 0 });
    expect(b.provider.record("r").state).toBe("complete");
    expect(b.provider.calls.slice(-2)).toEqual(["complete_root", "read_root"]);
    expect(await b.bridge()).toMatchObject({ last_external_state: "complete" });
    expect(await b.run()).toMatchObject(UNCHANGED);
  });

  test("stays open if the issue was reopened before the run, and a reopened issue reopens no root", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    await close(b);
    await b.call(reopenIssue, { params: b.issue.path, body: {} });
    await b.run();
    expect(b.provider.calls).not.toContain("complete_root");
    await close(b);
    await b.run();
    await b.call(reopenIssue, { params: b.issue.path, body: {} });
    await b.run();
    expect(b.provider.record("r").state).toBe("complete");
  });

  test("that was opened again while the issue is closed is requested, and completed in the same run", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    await close(b);
    await b.run();
    b.provider.edit("r", { state: "open" });
    expect(await b.run()).toMatchObject({ reopen_requests: 1 });
    expect(b.provider.record("r").state).toBe("complete");
    expect((await b.shown()).status).toBe("closed");
    expect(await b.run()).toMatchObject(UNCHANGED);
  });
});
