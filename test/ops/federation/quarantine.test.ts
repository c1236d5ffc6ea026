import { describe, expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/hash.ts";
import { listIssueEvents } from "../../../src/contract/activity.ts";
import { createComment } from "../../../src/contract/comments.ts";
import {
  listFederationQuarantine,
  retryFederationQuarantine,
  showFederationQuarantine,
  skipFederationQuarantine,
} from "../../../src/contract/federation-quarantine.ts";
import { getProjectFederationStatus } from "../../../src/contract/federation-status.ts";
import { createIssue, editIssue, showIssue } from "../../../src/contract/issues.ts";
import { authenticator } from "../../../src/daemon/access/authenticate.ts";
import { bindingOf, expectClean } from "../../federation/copies.ts";
import { expectFolded } from "../../store/fold.ts";
import { makeHub } from "../../support/federated.ts";
import { quarantine, SENDING } from "../../support/quarantine.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, world } from "../../support/world.ts";
import { copy, lastId } from "./quarantined.ts";

const SKIP = { "x-svc-confirm": "SKIP FEDERATION BATCH 1" };
const RETRY = { "x-svc-confirm": "RETRY FEDERATION BATCH 1" };

/** A copy whose hub refused an edit of its issue. */
async function edited(open: OpenStore) {
  const given = await copy(open);
  const { w, project, known, since } = given;
  await w.call(editIssue, { params: known.path, body: { title: "changed here" } });
  const events = await since();
  const row = await quarantine(w, project, events);
  const params = { project_id: project.id, quarantine_id: 1 };
  const find = async () =>
    await w.store.read(
      async ({ unfolded }) =>
        await unfolded.find("federation_quarantine", { project_uid: project.uid, id: 1 }),
    );
  const titleOf = async () =>
    (await w.store.read(async ({ issues }) => await issues.find(known.uid)))?.title;
  const cursor = async () => (await bindingOf(w, project))?.push_cursor_event_id;
  return { ...given, events, row, params, find, titleOf, cursor };
}

describeStore("a quarantined batch", (open) => {
  test("a batch that is skipped is resolved, its changes disappear, and the cursor passes it", async () => {
    const { w, events, row, params, find, titleOf, cursor, known } = await edited(open);
    w.clock.advance(1000);
    const body = { reason: "done on the hub" };
    const answer = await w.call(skipFederationQuarantine, { params, headers: SKIP, body });
    expect(answer).toEqual({
      id: 1,
      direction: "push",
      first_event_id: row.first_event_id,
      last_event_id: row.last_event_id,
      event_uids: events.map(({ uid }) => uid),
      error: "validation",
      created_at: row.created_at,
      resolution: "skip",
      resolved_at: w.clock.now(),
      resolved_by: "ann",
      reason: "done on the hub",
      skipped_event_count: 1,
    });
    expect(await find()).toEqual({
      ...row,
      skipped_at: w.clock.now(),
      skipped_by: "ann",
      skip_reason: "done on the hub",
    });
    expect(await titleOf()).toBe("of the hub");
    expect(await cursor()).toBe(row.last_event_id);
    expect(w.federationWakes()).toBe(1);
    const log = await w.call(listIssueEvents, { params: known.path });
    expect(log.events.map(({ type, skipped_at }) => [type, skipped_at])).toEqual([
      ["issue.created", undefined],
      ["issue.updated", w.clock.now()],
    ]);
    await expectClean(w);
  });

  test("a batch that is skipped never takes the cursor back", async () => {
    const { w, project, params, cursor, row } = await edited(open);
    await makeHub(w, project, {
      ...SENDING,
      push_cursor_event_id: row.last_event_id + 5,
    });
    await w.call(skipFederationQuarantine, { params, headers: SKIP });
    expect(await cursor()).toBe(row.last_event_id + 5);
  });

  test("a batch that is retried is resolved, and nothing else changes", async () => {
    const { w, sent, row, params, find, titleOf, cursor } = await edited(open);
    const last = await lastId(w);
    const answer = await w.call(retryFederationQuarantine, { params, headers: RETRY });
    expect(answer).toMatchObject({
      resolution: "retry",
      resolved_by: "ann",
      reason: "operator requested retry",
    });
    expect(await find()).toMatchObject({ skip_reason: "retry: operator requested retry" });
    expect([await titleOf(), await cursor()]).toEqual(["changed here", sent]);
    expect([await lastId(w), w.federationWakes()]).toEqual([last, 1]);
    // The hub refuses it again, which is a new batch.
    await quarantine(w, { uid: row.project_uid }, await w.events(), { id: 2 });
    const again = { ...params, quarantine_id: 2 };
    const headers = { "x-svc-confirm": "RETRY FEDERATION BATCH 2" };
    const body = { reason: "upgraded" };
    const second = await w.call(retryFederationQuarantine, { params: again, headers, body });
    expect(second).toMatchObject({ id: 2, resolution: "retry", reason: "upgraded" });
  });

  describe("stays as it is", () => {
    test.each([
      ["without a confirmation", skipFederationQuarantine, undefined, "confirm_required"],
      ["with an empty confirmation", retryFederationQuarantine, "", "confirm_required"],
      ["with another confirmation text", skipFederationQuarantine, "yes", "confirm_mismatch"],
      [
        "to skip with the text of a retry",
        skipFederationQuarantine,
        "RETRY FEDERATION BATCH 1",
        "confirm_mismatch",
      ],
      [
        "to retry with the text of a skip",
        retryFederationQuarantine,
        "SKIP FEDERATION BATCH 1",
        "confirm_mismatch",
      ],
      [
        "with the text for another batch",
        skipFederationQuarantine,
        "SKIP FEDERATION BATCH 11",
        "confirm_mismatch",
      ],
    ])(
      "a decision %s is refused, and the batch stays as it is",
      async (_case, route, confirm, code) => {
        const { w, sent, row, params, find, titleOf, cursor } = await edited(open);
        const headers = confirm === undefined ? {} : { "x-svc-confirm": confirm };
        const response = await w.send(route, { params, headers });
        expect(response.status).toBe(412);
        expect(await response.json()).toMatchObject({ error: { code } });
        expect(await find()).toEqual(row);
        expect([await titleOf(), await cursor()]).toEqual(["changed here", sent]);
        expect(w.federationWakes()).toBe(0);
      },
    );

    test("a decision about a batch of another project, or about a missing batch, is refused", async () => {
      const { w, row, params, find } = await edited(open);
      const other = await w.given.project("other");
      for (const wrong of [
        { project_id: other.id, quarantine_id: 1 },
        { ...params, quarantine_id: 9 },
      ])
        for (const [route, headers] of [
          [skipFederationQuarantine, SKIP],
          [retryFederationQuarantine, RETRY],
          [showFederationQuarantine, {}],
        ] as const)
          expect((await w.refused(route, { params: wrong, headers })).code).toBe(
            "federation_quarantine_not_found",
          );
      expect(await find()).toEqual(row);
    });

    test("a skip with a reason of the form that marks a retry is refused", async () => {
      const { w, row, params, find } = await edited(open);
      const body = { reason: "retry: later" };
      const { code } = await w.refused(skipFederationQuarantine, { params, headers: SKIP, body });
      expect([code, await find()]).toEqual(["validation", row]);
    });

    test("a retry of a batch that came from the hub is refused", async () => {
      const { w, project, params, row } = await edited(open);
      await quarantine(w, project, await w.events(), { direction: "pull" });
      const { code } = await w.refused(retryFederationQuarantine, { params, headers: RETRY });
      expect(code).toBe("federation_quarantine_retry_unsupported");
      expect(row.direction).toBe("push");
    });
  });

  test("a batch is decided in the name of the token, whatever the body says", async () => {
    const { w, as, params, find } = await edited(open);
    as({ kind: "db_token", actor: "bea" });
    await w.call(skipFederationQuarantine, { params, headers: SKIP, body: { actor: "eve" } });
    expect((await find())?.skipped_by).toBe("bea");
  });

  test("a batch cannot be decided by a caller who may not write", async () => {
    const bootstrap = "configured-secret-0123456789";
    const mode = { mode: "identity", token: bootstrap } as const;
    const lookup = async (hash: string) =>
      hash === sha256Hex("svc_bea") ? { id: 1, actor: "bea" } : undefined;
    const w = await world({ store: open, authenticate: authenticator({ ...mode, lookup }) });
    const codeOf = async (verb: string, token?: string) => {
      const headers = {
        "content-type": "application/json",
        "x-svc-confirm": `${verb.toUpperCase()} FEDERATION BATCH 1`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const url = `http://localhost/api/v1/projects/1/federation/quarantine/1/${verb}`;
      const response = await w.app.fetch(
        new Request(url, { method: "POST", headers, body: '{"actor":"eve"}' }),
      );
      const { error } = (await response.json()) as { readonly error?: { readonly code: string } };
      return [response.status, error?.code];
    };
    for (const verb of ["skip", "retry"]) {
      expect(await codeOf(verb)).toEqual([401, "auth_required"]);
      expect(await codeOf(verb, bootstrap)).toEqual([403, "bootstrap_token_write_forbidden"]);
      expect(await codeOf(verb, `svc_fed_${"x".repeat(43)}`)).toEqual([403, "token_invalid"]);
      expect(await codeOf(verb, "svc_bea")).toEqual([404, "project_not_found"]);
    }
  });

  test("a batch is decided once, and a second decision, later or at the same time, is refused", async () => {
    const first = await edited(open);
    const { w, params } = first;
    await w.call(retryFederationQuarantine, { params, headers: RETRY });
    const later = await w.refused(skipFederationQuarantine, { params, headers: SKIP });
    expect(later.code).toBe("federation_quarantine_not_found");
    expect(await first.titleOf()).toBe("changed here");

    const second = await edited(open);
    const answers = await Promise.all([
      second.w.send(skipFederationQuarantine, { params: second.params, headers: SKIP }),
      second.w.send(skipFederationQuarantine, { params: second.params, headers: SKIP }),
      second.w.send(retryFederationQuarantine, { params: second.params, headers: RETRY }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const { skip_reason } = (await second.find()) ?? {};
    expect(await second.titleOf()).toBe(skip_reason === null ? "of the hub" : "changed here");
    await expectFolded(second.w.store);
  });
});

describeStore("a skip of a batch", (open) => {
  test("removes an issue that the batch created, and what was written about the issue later", async () => {
    const { w, project, known, since } = await copy(open);
    const made = await w.given.issue({ project, title: "refused" });
    await w.given.link(known, "blocks", made);
    const events = await since();
    await quarantine(w, project, events.slice(0, 1));
    await w.given.comment({ on: made, body: "later" });
    await w.call(editIssue, { params: known.path, body: { title: "later too" } });
    const reset = async () =>
      await w.store.read(async (reader) => await reader.events.resetAfter([project.uid]));
    const before = await lastId(w);
    const params = { project_id: project.id, quarantine_id: 1 };
    const shown = await w.call(showFederationQuarantine, { params });
    expect(shown.events).toMatchObject([
      { type: "issue.created", issue_uid: made.uid, issue_short_id: made.short_id },
    ]);
    const { skipped_event_count } = await w.call(skipFederationQuarantine, {
      params,
      headers: SKIP,
    });
    expect(skipped_event_count).toBe(2);
    expect((await w.refused(showIssue, { params: made.path })).code).toBe("issue_not_found");
    const kept = await w.call(showIssue, { params: known.path });
    expect(kept).toMatchObject({ issue: { title: "later too" }, links: [] });
    expect(await reset()).toBeGreaterThan(before);
    const marked = (await w.events()).filter(({ skipped_at }) => skipped_at !== undefined);
    expect(marked.map(({ type }) => type)).toEqual(["issue.created", "issue.commented"]);
    const after = await w.call(showFederationQuarantine, { params });
    expect(after.events).toEqual([
      {
        event_id: events[0]?.id,
        event_uid: events[0]?.uid,
        type: "issue.created",
        created_at: events[0]?.created_at,
        issue_uid: made.uid,
        skipped_at: w.clock.now(),
      },
    ]);
    await expectClean(w);
  });

  test("tells readers to start again even if no issue is removed", async () => {
    const { w, project, params } = await edited(open);
    const before = await lastId(w);
    await w.call(skipFederationQuarantine, { params, headers: SKIP });
    const reset = await w.store.read(
      async (reader) => await reader.events.resetAfter([project.uid]),
    );
    expect(reset).toBeGreaterThan(before);
  });

  test("lets a request be made again with the idempotency key of a skipped request", async () => {
    const { w, project, known, since } = await copy(open);
    const headers = { "idempotency-key": "k1" };
    const comment = async () =>
      await w.call(createComment, { params: known.path, headers, body: { body: "once" } });
    const create = async () =>
      await w.call(createIssue, {
        params: project.path,
        headers: { "idempotency-key": "k2" },
        body: { title: "once", force_new: true },
      });
    const [said, made] = [await comment(), await create()];
    await quarantine(w, project, await since());
    const params = { project_id: project.id, quarantine_id: 1 };
    await w.call(skipFederationQuarantine, { params, headers: SKIP });
    await expectFolded(w.store);
    expect((await comment()).comment.uid).not.toBe(said.comment.uid);
    expect((await create()).issue.uid).not.toBe(made.issue.uid);
    await expectClean(w);
  });
});

describeStore("quarantined batches", (open) => {
  test("are listed with the error text of the hub, and decided batches are listed only on request", async () => {
    const { w, project, params, row } = await edited(open);
    const list = async (query: object = {}) =>
      await w.call(listFederationQuarantine, { params: project.path, query });
    const one = {
      id: 1,
      direction: "push",
      first_event_id: row.first_event_id,
      last_event_id: row.last_event_id,
      event_uids: row.event_uids,
      error: "validation",
      created_at: row.created_at,
      detail: "event 9: references unknown issue",
    };
    expect(await list()).toEqual({ quarantines: [one] });
    await w.call(retryFederationQuarantine, { params, headers: RETRY });
    expect(await list()).toEqual({ quarantines: [] });
    await quarantine(w, project, await w.events(), { id: 2, detail: null });
    const all = await list({ include: "x, resolved" });
    expect(all.quarantines.map(({ id, resolution, detail }) => [id, resolution, detail])).toEqual([
      [2, undefined, undefined],
      [1, "retry", one.detail],
    ]);
    const first = await list({ include: "resolved", limit: 1 });
    expect([first.quarantines.map(({ id }) => id), first["truncated"]]).toEqual([[2], true]);
    const other = await w.given.project("other");
    const none = await w.call(listFederationQuarantine, { params: other.path });
    expect(none.quarantines).toEqual([]);
  });

  test("are shown in the status without the error text of the hub", async () => {
    const { w, project, params } = await edited(open);
    const status = async () => {
      const { statuses } = await w.call(getProjectFederationStatus, { params: project.path });
      return statuses[0];
    };
    const before = await status();
    expect(before).toMatchObject({ active_quarantine_count: 1, active_quarantines: [{ id: 1 }] });
    expect(JSON.stringify(before)).not.toContain("unknown issue");
    await w.call(skipFederationQuarantine, { params, headers: SKIP });
    expect(await status()).toMatchObject({ active_quarantine_count: 0, active_quarantines: [] });
  });

  test("are shown with those of their events that are still in the log", async () => {
    const { w, project, params, events } = await edited(open);
    const [event] = events;
    if (event === undefined) throw new Error("there is an event");
    const gone = { ...event, uid: "01J0000000000000000000GXNE" };
    await quarantine(w, project, [event, gone]);
    const { quarantine: batch, events: shown } = await w.call(showFederationQuarantine, { params });
    expect([batch.event_uids.length, shown.map(({ event_uid }) => event_uid)]).toEqual([
      2,
      [event.uid],
    ]);
  });
});
