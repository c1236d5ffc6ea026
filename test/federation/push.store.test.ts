import { describe, expect, test } from "vitest";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { revokeFederationEnrollment } from "../../src/contract/federation.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { X } from "../domain/cron/bases.ts";
import { answer } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { statusOf } from "./copies.ts";
import { writingCopy } from "./push-world.ts";

/** An answer as a hub gives it for an error. */
const refusal = (code: string, message = "no") => JSON.stringify({ error: { code, message } });

describeStore("a copy that sends what is written to it", (open) => {
  test("a copy and its hub have one history after an edit on both sides", async () => {
    const { hub, spoke, project, local, pull, batches, status, expectOneHistory } =
      await writingCopy(open);
    hub.clock.advance(1000);
    await hub.given.issue({ project, title: "of the hub" });
    const mine = await spoke.given.issue({ project: local, title: "of the spoke" });
    await spoke.given.comment({ on: mine, body: "said here" });
    expect(await status()).toMatchObject({ pending_push_count: 2, reset_blocker: "pending_push" });
    expect(await pull()).toMatchObject({ outcome: "current" });
    await expectOneHistory();
    expect(batches).toMatchObject([
      { schema_version: 30, events: [{ type: "issue.created", actor: "sam" }, {}] },
    ]);
    const shown = await status();
    expect(shown).toMatchObject({
      pending_push_count: 0,
      pending_push_high_water_event_id: 0,
      last_push_started_at: hub.clock.now(),
      last_push_success_at: hub.clock.now(),
    });
    expect(shown).not.toHaveProperty("reset_blocker");
  });

  test("a copy sends nothing that it got from the hub, and moves its cursor past these events", async () => {
    const { hub, spoke, project, pull, posts, binding } = await writingCopy(open);
    for (let n = 0; n < 3; n += 1) await hub.given.issue({ project });
    await pull();
    await pull();
    expect(posts()).toBe(0);
    const head = await spoke.store.read(async ({ events }) => await events.lastId());
    expect((await binding())?.push_cursor_event_id).toBe(head);
  });

  test("a copy sends a batch again if the answer was lost, and the hub adds the events only once", async () => {
    const { hub, spoke, server, local, pull, mend, quarantine, status, expectOneHistory } =
      await writingCopy(open);
    await spoke.given.issue({ project: local, title: "once" });
    server.intercept((request, response) => {
      const end = response.end.bind(response);
      Object.assign(response, { writeHead: () => response, end: () => response.destroy() });
      void answer(hub, request, response).then(end);
    });
    expect(await pull()).toMatchObject({ outcome: "failed", code: "hub_unavailable" });
    expect(await quarantine()).toBeUndefined();
    expect(await status()).toMatchObject({ pending_push_count: 1 });
    const before = await hub.events();
    expect(before.filter(({ type }) => type === "issue.created")).toHaveLength(1);
    mend();
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await hub.events()).toHaveLength(before.length);
    await expectOneHistory();
  });

  test("a copy that ended before it stored the cursor of the hub's answer sends the batch again", async () => {
    const { hub, spoke, server, local, project, pull, mend, binding, expectOneHistory } =
      await writingCopy(open);
    await spoke.given.issue({ project: local });
    const { push_cursor_event_id = 0 } = (await binding()) ?? {};
    server.intercept((request, response) => {
      if (request.method === "POST") void answer(hub, request, response);
      else response.writeHead(503).end();
    });
    await pull();
    await spoke.store.write(async (tx) => {
      const row = await tx.unfolded.find("federation_binding", { project_uid: project.uid });
      if (row) await tx.unfolded.put("federation_binding", { ...row, push_cursor_event_id });
    });
    mend();
    const before = await hub.events();
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await hub.events()).toHaveLength(before.length);
    await expectOneHistory();
  });

  test("a copy can be changed while the hub cannot be reached, and sends all changes afterwards", async () => {
    const { hub, spoke, server, local, pull, mend, quarantine, status, expectOneHistory } =
      await writingCopy(open);
    server.intercept((request) => void request.socket.destroy());
    const issue = await spoke.given.issue({ project: local, title: "offline" });
    for (let n = 1; n <= 3; n += 1) {
      hub.clock.advance(3_600_000);
      await spoke.call(editIssue, { params: issue.path, body: { title: `hour ${n}` } });
      expect(await pull()).toMatchObject({ outcome: "failed", code: "hub_unavailable" });
      expect(await status()).toMatchObject({ pending_push_count: n + 1 });
    }
    expect(await quarantine()).toBeUndefined();
    mend();
    expect(await pull()).toMatchObject({ outcome: "current" });
    await expectOneHistory();
  });

  test("a copy whose token was revoked keeps its changes, and sends them with a new token", async () => {
    const it = await writingCopy(open);
    await it.spoke.given.issue({ project: it.local, title: "kept" });
    const params = { enrollment_id: it.enrollment.id };
    await it.hub.call(revokeFederationEnrollment, { params });
    expect(await it.pull()).toMatchObject({ outcome: "failed", code: "auth_invalid" });
    expect(await it.quarantine()).toBeUndefined();
    expect(await it.status()).toMatchObject({ pending_push_count: 1, last_error: "auth_invalid" });
    await it.enroll();
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    await it.expectOneHistory();
  });

  test("a copy reads nothing from the hub while the hub accepts nothing from the copy", async () => {
    const it = await writingCopy(open);
    await it.spoke.given.issue({ project: it.local });
    it.server.intercept((_request, response) => void response.writeHead(403).end());
    const before = it.server.asked.length;
    expect(await it.pull()).toMatchObject({ outcome: "failed", code: "hub_authentication" });
    expect(it.server.asked.slice(before).map(({ method }) => method)).toEqual(["POST"]);
    expect(await it.quarantine()).toBeUndefined();
  });

  test("a copy sends its changes before it is cleared because of a purge at the hub", async () => {
    const it = await writingCopy(open);
    const { hub, spoke, project, local } = it;
    const doomed = await hub.given.issue({ project, title: "doomed" });
    await it.pull();
    const late = { params: { project_id: local.id, ref: doomed.uid } };
    await spoke.call(editIssue, { ...late, body: { title: "edited too late" } });
    await spoke.given.issue({ project: local, title: "new" });
    await hub.call(purgeIssue, {
      params: { project_id: project.id, ref: doomed.uid },
      body: { actor: "ann" },
      headers: { "x-svc-confirm": `PURGE ${doomed.qualified_id}` },
    });
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    await it.expectOneHistory();
    expect(await statusOf(spoke, project)).toMatchObject({ last_reset_at: hub.clock.now() });
    expect((await spoke.events()).some(({ issue_uid }) => issue_uid === doomed.uid)).toBe(false);
    // Its own events came back with the new baseline or after it, and count as the hub's.
    await spoke.given.issue({ project: local, title: "afterwards" });
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    await it.expectOneHistory();
  });

  test("a copy sends a recurring job only to a hub that says that it supports recurring jobs", async () => {
    const it = await writingCopy(open);
    const issue = await it.spoke.given.issue({ project: it.local });
    await it.pull();
    const params = { project_id: it.local.id };
    const definition = { ...X, issue: { kind: "existing", uid: issue.uid } } as never;
    const body = { name: "nightly", definition };
    await it.spoke.call(createCronJob, { params, body });
    it.server.intercept((request, response) => {
      const writeHead = response.writeHead.bind(response);
      Object.assign(response, {
        writeHead: (status: number, headers: Headers) =>
          writeHead(status, { ...headers, "x-svc-event-features": "" }),
      });
      void answer(it.hub, request, response);
    });
    const before = it.posts();
    expect(await it.pull()).toMatchObject({
      outcome: "failed",
      code: "unsupported_event_features",
    });
    expect(it.posts()).toBe(before);
    expect(await it.quarantine()).toBeUndefined();
    it.mend();
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect(it.batches.at(-1)).toMatchObject({ schema_version: 31 });
    await it.expectOneHistory();
  });

  describe("after an error of the hub that may pass", () => {
    test.each([
      [400, "unsupported_federation_schema", "unsupported_federation_schema"],
      [409, "unsupported_event_features", "unsupported_event_features"],
      [401, "auth_required", "auth_required"],
      [404, "project_not_found", "project_not_found"],
      [408, "", "hub_unavailable"],
      [413, "payload_too_large", "payload_too_large"],
      [429, "", "hub_unavailable"],
      [500, "internal", "internal"],
      [503, "clock_ahead", "clock_ahead"],
    ])("the answer %i %s keeps a batch for a later try", async (status, sent, code) => {
      const it = await writingCopy(open);
      await it.spoke.given.issue({ project: it.local });
      it.server.intercept((_request, response) =>
        response.writeHead(status).end(sent === "" ? "" : refusal(sent)),
      );
      expect(await it.pull()).toMatchObject({ outcome: "failed", code });
      expect(await it.quarantine()).toBeUndefined();
      it.mend();
      expect(await it.pull()).toMatchObject({ outcome: "current" });
      await it.expectOneHistory();
    });
  });

  test.each([
    ["before the batch", 0],
    ["behind the batch", 1_000_000],
  ])("a copy rejects an answer of the hub with a cursor %s", async (_, cursor) => {
    const it = await writingCopy(open);
    await it.spoke.given.issue({ project: it.local });
    const before = (await it.binding())?.push_cursor_event_id;
    const body = { accepted: 1, duplicates: 0, push_cursor_event_id: cursor };
    it.server.intercept((_request, response) => response.writeHead(200).end(JSON.stringify(body)));
    expect(await it.pull()).toMatchObject({ outcome: "failed", code: "hub_validation" });
    expect((await it.binding())?.push_cursor_event_id).toBe(before);
    expect(await it.quarantine()).toBeUndefined();
  });

  describe("after a refusal by the hub", () => {
    test.each([
      [400, "validation"],
      [409, "remote_event_conflict"],
      [400, "invalid_federation_schema"],
      [409, "a_code_of_a_newer_hub"],
    ])("the answer %i %s sets a batch aside", async (status, sent) => {
      const it = await writingCopy(open);
      const issue = await it.spoke.given.issue({ project: it.local });
      const words = `event 1: no\u001b[31m, ${it.enrollment.token} \u202etoken${"é".repeat(4000)}`;
      it.server.intercept((_request, response) =>
        response.writeHead(status).end(refusal(sent, words)),
      );
      const code = sent.startsWith("a_code") ? "hub_validation" : sent;
      expect(await it.pull()).toMatchObject({ outcome: "failed", code });
      const row = await it.quarantine();
      const created = (await it.spoke.events()).find(({ issue_uid }) => issue_uid === issue.uid);
      expect(row).toMatchObject({
        ...{ id: 1, direction: "push", error: code, event_uids: [created?.uid] },
        ...{ first_event_id: created?.id, last_event_id: created?.id },
      });
      expect(row?.detail).toMatch(/^event 1: no \[31m, \[redacted\] token[^]*é+$/);
      expect(Buffer.byteLength(row?.detail ?? "")).toBeLessThanOrEqual(4096);
      const asked = it.server.asked.length;
      await it.spoke.given.issue({ project: it.local, title: "later" });
      expect(await it.pull()).toMatchObject({ outcome: "failed", code });
      expect(it.server.asked).toHaveLength(asked);
      const shown = await it.status();
      expect(shown).toMatchObject({ active_quarantine_count: 1, reset_blocker: "quarantine" });
      expect(JSON.stringify(shown)).not.toContain("event 1");
    });
  });

  test("a copy sets a whole batch aside if the hub refuses one of its events", async () => {
    const it = await writingCopy(open);
    const { spoke, project, local } = it;
    await spoke.given.issue({ project: local, title: "one" });
    await spoke.store.write(async (tx) => {
      const row = await tx.unfolded.find("federation_binding", { project_uid: project.uid });
      if (row) await tx.unfolded.put("federation_binding", { ...row, bound_actor: "eve" });
    });
    await spoke.given.issue({ project: local, title: "two" });
    const before = (await it.hub.events()).length;
    expect(await it.pull()).toMatchObject({ outcome: "failed", code: "validation" });
    expect(await it.hub.events()).toHaveLength(before);
    const row = await it.quarantine();
    expect(row?.event_uids).toHaveLength(2);
    expect(row?.detail).toContain("its actor is not that of the enrollment");
  });
});

type Headers = Readonly<Record<string, string>>;
