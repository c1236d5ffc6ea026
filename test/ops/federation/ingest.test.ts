import { describe, expect, test } from "vitest";
import { msToInstant } from "../../../src/base/clock.ts";
import { canonicalJson, type JsonObject } from "../../../src/base/json.ts";
import { createCronJob } from "../../../src/contract/cron-jobs.ts";
import {
  createFederationEnrollment,
  revokeFederationEnrollment,
} from "../../../src/contract/federation.ts";
import { showIssueByUID } from "../../../src/contract/issues.ts";
import { acquireIssueLease, releaseIssueLease } from "../../../src/contract/leases.ts";
import { purgeIssue } from "../../../src/contract/removal.ts";
import { contentHash } from "../../../src/store/log/content-hash.ts";
import { R as NATIVE } from "../../domain/cron/bases.ts";
import { makeHub, poll, push, SPOKE } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, world } from "../../support/world.ts";

const ISSUE = "01J0000000000000000SPXKEA1";
const OTHER = "01J0000000000000000SPXKEA2";
const HOUR = 3_600_000;

/** A hub of the project `web` with one issue, and the enrollment of a spoke that acts as sam. */
async function hub(open: OpenStore, capabilities = "pull,push") {
  const w = await world({ store: open });
  const project = await w.given.project();
  await makeHub(w, project);
  const issue = await w.given.issue({ project, title: "of the hub" });
  const body = { spoke_instance_uid: SPOKE, project_id: project.id, capabilities, actor: "sam" };
  const enrollment = await w.call(createFederationEnrollment, { body });
  const { token } = enrollment;
  let last = 0;

  /** An event as the spoke sends it, with a hash that is right unless `changes` give another one. */
  const sent = (type: string, payload: JsonObject, changes: Sent = {}) => {
    last += 1;
    const base = w.clock.nowMs() + (changes.aheadMs ?? 0);
    const event = {
      uid: changes.uid ?? `01J00000000000000SPXKE${String(last).padStart(4, "0")}`,
      origin_instance_uid: changes.origin_instance_uid ?? SPOKE,
      project_uid: changes.project_uid ?? project.uid,
      ...(type.startsWith("issue.") ? { issue_uid: changes.issue_uid ?? ISSUE } : {}),
      ...(changes.related_issue_uid === undefined
        ? {}
        : { related_issue_uid: changes.related_issue_uid }),
      type,
      actor: changes.actor ?? "sam",
      hlc_physical_ms: base,
      hlc_counter: last,
      created_at: msToInstant(base),
    };
    const content_hash = contentHash(event as never, canonicalJson(payload));
    const { uid: event_uid, ...rest } = event;
    return {
      event_id: changes.event_id ?? 100 + last,
      event_uid,
      ...rest,
      payload,
      content_hash,
      ...changes.wire,
    };
  };
  const created = (changes: JsonObject = {}, event: Sent = {}) =>
    sent(
      "issue.created",
      {
        uid: event.issue_uid ?? ISSUE,
        short_id: "a1a1",
        title: "of the spoke",
        body: "",
        author: "sam",
        status: "open",
        metadata: {},
        created_at: w.clock.now(),
        ...changes,
      },
      event,
    );
  const retitled = (title: string, event: Sent = {}) =>
    sent("issue.updated", { title, updated_at: w.clock.now() }, { issue_uid: issue.uid, ...event });
  return {
    ...{ w, project, issue, enrollment, token, sent, created, retitled },
    send: async (events: readonly object[], more: object = {}) =>
      await push(w, project.id, { token, events, ...more }),
    titleOf: async (uid: string) => (await w.call(showIssueByUID, { params: { uid } })).issue.title,
    /** Whether the log is as it was before `work`. */
    addsNothing: async (work: () => Promise<unknown>) => {
      const before = (await w.events()).length;
      await work();
      return (await w.events()).length === before;
    },
  };
}

interface Sent {
  readonly uid?: string;
  readonly origin_instance_uid?: string;
  readonly project_uid?: string;
  readonly issue_uid?: string;
  readonly related_issue_uid?: string;
  readonly actor?: string;
  readonly aheadMs?: number;
  readonly event_id?: number;
  /** Fields of the request that are not as the hash says. */
  readonly wire?: object;
}

type Hub = Awaited<ReturnType<typeof hub>>;

describeStore("events of a spoke", (open) => {
  test("events of a spoke reach the hub's log, the hub's tables, and the other spokes", async () => {
    const { w, project, issue, token, created, retitled, send, titleOf } = await hub(open);
    const events = [created(), retitled("changed by the spoke")];
    const { status, body, headers } = await send(events);
    expect([status, body]).toEqual([
      200,
      { accepted: 2, duplicates: 0, push_cursor_event_id: 102 },
    ]);
    expect(headers.get("x-svc-event-features")).toContain("cron_v1");
    expect(await titleOf(issue.uid)).toBe("changed by the spoke");
    expect(await titleOf(ISSUE)).toBe("of the spoke");
    const read = (await poll(w, project.id, { token })).body.events.slice(-2);
    expect(
      read.map(({ event_uid, origin_instance_uid, actor }) => ({
        event_uid,
        origin_instance_uid,
        actor,
      })),
    ).toEqual(
      events.map(({ event_uid }) => ({ event_uid, origin_instance_uid: SPOKE, actor: "sam" })),
    );
  });

  test("events that were sent before count as duplicates, alone and together with new ones", async () => {
    const { created, retitled, send, titleOf, issue, addsNothing } = await hub(open);
    const first = [created(), retitled("first")];
    await send(first);
    expect(
      await addsNothing(async () => {
        expect((await send(first)).body).toEqual({
          accepted: 0,
          duplicates: 2,
          push_cursor_event_id: 102,
        });
      }),
    ).toBe(true);
    const second = await send([...first, retitled("second")]);
    expect(second.body).toEqual({ accepted: 1, duplicates: 2, push_cursor_event_id: 103 });
    expect(await titleOf(issue.uid)).toBe("second");
    const twice = retitled("third");
    expect((await send([twice, twice])).body).toMatchObject({ accepted: 1, duplicates: 1 });
  });

  test("events that arrive twice at once are added once, and both answers have the cursor", async () => {
    const { w, created, send } = await hub(open);
    const events = [created()];
    const answers = await Promise.all([send(events), send(events)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        { accepted: 1, duplicates: 0, push_cursor_event_id: 101 },
        { accepted: 0, duplicates: 1, push_cursor_event_id: 101 },
      ]),
    );
    expect((await w.events()).filter(({ issue_uid }) => issue_uid === ISSUE)).toHaveLength(1);
  });

  test("a request may have no events", async () => {
    const { send } = await hub(open);
    expect(await send([])).toMatchObject({
      status: 200,
      body: { accepted: 0, duplicates: 0, push_cursor_event_id: 0 },
    });
  });

  test("events keep the spelling of numbers, which the hash covers", async () => {
    const { w, project, token, sent } = await hub(open);
    const payload = { diff: { "x.y": { to: 1 } }, revision_new: 1, updated_at: w.clock.now() };
    const event = sent("project.metadata_updated", payload);
    const text = canonicalJson(payload).replace('"to":1', '"to":1.10');
    const { event_uid: uid, payload: _, content_hash: __, ...rest } = event;
    const content_hash = contentHash({ ...rest, uid } as never, text);
    const asText = JSON.stringify({ ...event, content_hash, payload: null }).replace(
      '"payload":null',
      `"payload":${text}`,
    );
    const response = await w.app.fetch(
      new Request(`http://localhost/api/v1/projects/${project.id}/federation/events:ingest`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "x-svc-event-features": "cron_notify_children_v1, cron_v1",
          "x-svc-instance": SPOKE,
        },
        body: `{"schema_version":30,"events":[${asText}]}`,
      }),
    );
    expect(await response.json()).toMatchObject({ accepted: 1 });
  });

  test("events of a purged issue are accepted and dropped, and bring nothing back", async () => {
    const { w, project, created, retitled, send } = await hub(open);
    await send([created()]);
    const confirm = "PURGE web#a1a1";
    await w.call(purgeIssue, {
      params: { project_id: project.id, ref: "a1a1" },
      body: { actor: "ann" },
      headers: { "x-svc-confirm": confirm },
    });
    const late = retitled("too late", { issue_uid: ISSUE });
    const { status, body } = await send([late, retitled("the other one")]);
    expect([status, body]).toEqual([
      200,
      { accepted: 2, duplicates: 0, push_cursor_event_id: 103 },
    ]);
    const again = await send([created({}, { uid: "01J00000000000000SPXKE9999" })]);
    expect(again.body).toMatchObject({ accepted: 1 });
    expect((await w.events()).filter(({ issue_uid }) => issue_uid === ISSUE)).toEqual([]);
  });

  describe("a request that is refused adds nothing", () => {
    const now = "2026-01-01T00:00:00.000Z";
    const native = {
      uid: OTHER,
      name: "nightly",
      definition: NATIVE as unknown as JsonObject,
      author: "sam",
      created_at: now,
      updated_at: now,
    };
    test.each<readonly [string, (hub: Hub) => object, string]>([
      [
        "another origin",
        (h) => h.created({}, { origin_instance_uid: OTHER }),
        "origin_instance_uid",
      ],
      ["another actor", (h) => h.created({ author: "eve" }, { actor: "eve" }), "its actor"],
      ["another project", (h) => h.created({}, { project_uid: OTHER }), "of another project"],
      ["another author of an issue", (h) => h.created({ author: "eve" }), "an author in it"],
      [
        "another author of a comment",
        (h) =>
          h.sent(
            "issue.commented",
            { comment_uid: OTHER, author: "eve", body: "x", created_at: now },
            { issue_uid: h.issue.uid },
          ),
        "an author in it",
      ],
      [
        "another author of a link",
        (h) =>
          h.created({
            links: [{ type: "blocks", to_issue_uid: h.issue.uid, to_short_id: "x", author: "eve" }],
          }),
        "an author in it",
      ],
      [
        "a content that its hash does not fit",
        (h) => h.created({}, { wire: { content_hash: "0".repeat(64) } }),
        "does not match its hash",
      ],
      ["a kind that is not known", (h) => h.sent("issue.imagined", {}), "is not known here"],
      ["a kind that never crosses", (h) => h.sent("issue.moved", {}), "may not send issue.moved"],
      [
        "a series",
        (h) => h.sent("recurrence.deleted", { recurrence_uid: OTHER, updated_at: now }),
        "may not send recurrence.deleted",
      ],
      [
        "a baseline",
        (h) => h.sent("project.federation_enabled", {}),
        "may not send project.federation_enabled",
      ],
      ["an issue of a series", (h) => h.created({ recurrence_uid: OTHER }), "of a series"],
      ["an occurrence", (h) => h.created({ occurrence_key: "2026-01-01" }), "of a series"],
      [
        "progress in a new issue",
        (h) => h.created({ metadata: { "cron.occurrence": {} } }),
        "progress",
      ],
      [
        "a change of progress",
        (h) =>
          h.sent(
            "issue.metadata_updated",
            { diff: { "cron.progress.x": { from: 1 } }, revision_new: 2, updated_at: now },
            { issue_uid: h.issue.uid },
          ),
        "progress",
      ],
      [
        "a job that creates issues",
        (h) => h.sent("cron.job.created", { ...native, project_uid: h.project.uid }),
        "jobs that create issues",
      ],
      [
        "an issue that is not there",
        (h) => h.retitled("x", { issue_uid: OTHER }),
        "references unknown issue",
      ],
      [
        "an issue that is there",
        (h) => h.created({ uid: h.issue.uid }, { issue_uid: h.issue.uid }),
        "exists already",
      ],
      ["no id", (h) => h.created({}, { event_id: 0 }), "event_id"],
      ["no time", (h) => h.created({}, { wire: { hlc_physical_ms: 0 } }), "hlc_physical_ms"],
      ["a payload of another issue", (h) => h.created({ uid: OTHER }), "another issue"],
      [
        "a link to be removed that does not say which",
        (h) =>
          h.sent(
            "issue.unlinked",
            {
              type: "blocks",
              from_uid: h.issue.uid,
              from_short_id: "a",
              to_uid: OTHER,
              to_short_id: "b",
              updated_at: now,
            },
            { issue_uid: h.issue.uid, related_issue_uid: OTHER },
          ),
        "not one of issue.unlinked",
      ],
    ])("a request with %s is refused, and none of its events is added", async (_, make, words) => {
      const it = await hub(open);
      const bad = make(it);
      const good = it.retitled("good");
      expect(
        await it.addsNothing(async () => {
          const { status, code, message } = await it.send([good, bad, it.retitled("after")]);
          expect([status, code]).toEqual([400, "validation"]);
          expect(message).toContain(words);
        }),
      ).toBe(true);
      expect((await it.send([good])).status).toBe(200);
    });

    test("a request with another content under the uid of a known event is refused, and nothing is added", async () => {
      const { created, retitled, send, addsNothing } = await hub(open);
      await send([created({}, { uid: "01J00000000000000SPXKE7777" })]);
      expect(
        await addsNothing(async () => {
          const { status, code } = await send([
            retitled("x", { uid: "01J00000000000000SPXKE7777" }),
          ]);
          expect([status, code]).toEqual([409, "remote_event_conflict"]);
          const { code: within } = await send([
            retitled("a", { uid: "01J00000000000000SPXKE7778" }),
            retitled("b", { uid: "01J00000000000000SPXKE7778" }),
          ]);
          expect(within).toBe("remote_event_conflict");
        }),
      ).toBe(true);
    });

    test("an event whose clock is more than a day ahead is refused, with the time to try again", async () => {
      const { retitled, send } = await hub(open);
      const { status, code, headers } = await send([retitled("x", { aheadMs: 25 * HOUR })]);
      expect([status, code]).toEqual([503, "clock_ahead"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await send([retitled("y", { aheadMs: 23 * HOUR })])).status).toBe(200);
    });

    test("a request with anything but snapshots after a snapshot is refused", async () => {
      const { w, sent, retitled, send } = await hub(open);
      const snapshot = (uid: string) =>
        sent(
          "issue.snapshot",
          {
            uid,
            short_id: uid.slice(-4).toLowerCase(),
            title: "old",
            body: "",
            author: "sam",
            status: "open",
            metadata: {},
            revision: 1,
            created_at: w.clock.now(),
            updated_at: w.clock.now(),
          },
          { issue_uid: uid },
        );
      const refused = await send([snapshot(ISSUE), retitled("x")]);
      expect([refused.code, refused.message]).toEqual([
        "validation",
        expect.stringContaining("only snapshots"),
      ]);
      expect((await send([retitled("x"), snapshot(ISSUE), snapshot(OTHER)])).body).toMatchObject({
        accepted: 3,
      });
    });
  });

  test.each([
    ["no version", undefined, "invalid_federation_schema"],
    ["version 0", 0, "invalid_federation_schema"],
    ["a negative version", -30, "invalid_federation_schema"],
    ["a version that is not known", 32, "unsupported_federation_schema"],
  ])(
    "events whose schema has %s are refused before they are examined",
    async (_, schema_version, code) => {
      const { send } = await hub(open);
      const { status, code: answered } = await send([{ nothing: "that is known" }], {
        schema_version,
      });
      expect([status, answered]).toEqual([400, code]);
    },
  );

  test("events of the oldest schema version are accepted", async () => {
    const { created, send } = await hub(open);
    expect((await send([created()], { schema_version: 1 })).status).toBe(200);
  });

  test("a request may have at most 1,000 events", async () => {
    const { send } = await hub(open);
    const { status, message } = await send(Array.from({ length: 1001 }, () => ({})));
    expect([status, message]).toEqual([400, expect.stringContaining("events")]);
  });

  test("a request that hands over a project is refused", async () => {
    const { send } = await hub(open);
    const { status, code } = await send([], { adoption_baseline: "open" });
    expect([status, code]).toEqual([400, "invalid_adoption_baseline"]);
  });

  test("events are refused if the spoke does not know an event feature that the project needs", async () => {
    const { w, project, created, send } = await hub(open);
    const parent = await w.given.issue({ project });
    const definition = { ...NATIVE, issue: { ...NATIVE.issue, parent_uid: parent.uid } };
    const body = { name: "nightly", definition: definition as never };
    await w.call(createCronJob, { params: project.path, body });
    const { status, code } = await send([created()], { features: "cron_v1" });
    expect([status, code]).toEqual([409, "unsupported_event_features"]);
  });

  test("events need the capability to push, and an enrollment that is not revoked", async () => {
    const reader = await hub(open, "pull");
    expect(await reader.send([reader.created()])).toMatchObject({
      status: 403,
      code: "auth_invalid",
    });
    const { w, enrollment, created, send } = await hub(open);
    await w.call(revokeFederationEnrollment, { params: { enrollment_id: enrollment.id } });
    expect(await send([created()])).toMatchObject({ status: 403, code: "auth_invalid" });
    expect((await w.events()).some(({ issue_uid }) => issue_uid === ISSUE)).toBe(false);
  });

  test("events are refused if the enrollment is revoked between their checks and their write", async () => {
    const { w, enrollment, created, send, addsNothing } = await hub(open);
    const write = w.store.write.bind(w.store);
    w.store.write = async (work, ...more) => {
      w.store.write = write;
      await w.call(revokeFederationEnrollment, { params: { enrollment_id: enrollment.id } });
      return await write(work, ...more);
    };
    let answer: object = {};
    const isUnchanged = await addsNothing(async () => (answer = await send([created()])));
    expect([isUnchanged, answer]).toEqual([
      true,
      expect.objectContaining({ status: 403, code: "auth_invalid" }),
    ]);
  });

  test("events of an archived project are refused", async () => {
    const { w, project, created, send } = await hub(open);
    await w.given.archived(project);
    expect(await send([created()])).toMatchObject({ status: 404, code: "project_not_found" });
  });

  test("events may link only issues that the spoke may read, but may always remove a link", async () => {
    const { w, project, created, send } = await hub(open);
    const elsewhere = await w.given.project("elsewhere");
    const secret = await w.given.issue({ project: elsewhere });
    const link = { type: "blocks", to_issue_uid: secret.uid, to_short_id: "x", author: "sam" };
    const { code, message } = await send([created({ links: [link] })]);
    expect([code, message]).toEqual(["validation", expect.stringContaining("may not read")]);
    await makeHub(w, elsewhere);
    const body = { spoke_instance_uid: SPOKE, project_id: elsewhere.id, capabilities: "pull" };
    await w.call(createFederationEnrollment, { body });
    expect((await send([created({ links: [link] })])).status).toBe(200);
    expect(project.uid).not.toBe(elsewhere.uid);
  });

  test("events that change an issue which somebody else has leased are kept, and recorded as violations", async () => {
    const { w, issue, sent, retitled, send, titleOf } = await hub(open);
    const leased = await w.call(acquireIssueLease, { params: issue.path, body: { actor: "ann" } });
    const comment = sent(
      "issue.commented",
      { comment_uid: OTHER, author: "sam", body: "hm", created_at: w.clock.now() },
      { issue_uid: issue.uid },
    );
    const change = retitled("in spite of the lease");
    expect((await send([comment, change])).body).toMatchObject({ accepted: 2 });
    expect(await titleOf(issue.uid)).toBe("in spite of the lease");
    const violations = async () =>
      (await w.events()).filter(({ type }) => type === "claim.violated");
    expect(await violations()).toMatchObject([
      {
        issue_uid: issue.uid,
        actor: "sam",
        payload: {
          offending_event_uid: change.event_uid,
          offending_event_type: "issue.updated",
          offending_origin_instance_uid: SPOKE,
          holder: "ann",
        },
      },
    ]);
    expect((await send([change])).body).toMatchObject({ duplicates: 1 });
    await w.call(releaseIssueLease, { params: issue.path, body: { actor: "ann" } });
    await send([retitled("after the lease")]);
    expect(await violations()).toHaveLength(1);
    expect(leased.granted).toBe(true);
  });

  test("whether a change is a violation depends on the lease at its arrival, not on the one at the time of the change", async () => {
    const { w, issue, retitled, send } = await hub(open);
    const violations = async () =>
      (await w.events())
        .filter(({ type }) => type === "claim.violated")
        .map(({ payload }) => (payload as { offending_event_uid: string }).offending_event_uid);
    const acquire = async (body: object) =>
      await w.call(acquireIssueLease, { params: issue.path, body: { actor: "ann", ...body } });
    const before = retitled("before anybody had a lease");
    w.clock.advance(HOUR);
    await acquire({});
    await send([before]);
    expect(await violations()).toEqual([before.event_uid]);

    const released = retitled("during a lease that was released meanwhile");
    await w.call(releaseIssueLease, { params: issue.path, body: { actor: "ann" } });
    await send([released]);
    await acquire({ claim_kind: "timed", ttl_seconds: 60 });
    const expired = retitled("during a lease that has expired meanwhile");
    w.clock.advance(HOUR);
    await send([expired]);
    expect(await violations()).toEqual([before.event_uid]);
  });
});
