import { describe, expect, test } from "vitest";
import { msToInstant } from "../../../src/base/clock.ts";
import { canonicalJson, type JsonObject } from "../../../src/base/json.ts";
import {
  createFederationEnrollment,
  listFederationEnrollments,
} from "../../../src/contract/federation.ts";
import { showIssueByUID } from "../../../src/contract/issues.ts";
import { contentHash } from "../../../src/store/log/content-hash.ts";
import { expectFolded } from "../../store/fold.ts";
import { makeHub, push, SPOKE } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, world } from "../../support/world.ts";

const uidOf = (at: number) => `01J0000000000000000SPXKA${String(at).padStart(2, "0")}`;

/** A hub, and a spoke that may hand over a project as sam. Its issue `at` is event 100 + `at` of its log. */
async function hub(open: OpenStore, allows = true) {
  const w = await world({ store: open });
  const project = await w.given.project();
  await makeHub(w, project);
  const { token } = await w.call(createFederationEnrollment, {
    body: {
      ...{ spoke_instance_uid: SPOKE, project_id: project.id, capabilities: "pull,push" },
      ...{ actor: "sam", allow_adoption_snapshot_authors: allows },
    },
  });
  const physical = w.clock.nowMs();
  const sent = (type: string, at: number, payload: JsonObject) => {
    const event = {
      ...{ uid: `01J00000000000000SPXKE${String(at).padStart(4, "0")}`, type, actor: "sam" },
      ...{ origin_instance_uid: SPOKE, project_uid: project.uid },
      ...(type.startsWith("issue.") ? { issue_uid: uidOf(at) } : {}),
      ...{ hlc_physical_ms: physical, hlc_counter: 0, created_at: msToInstant(physical) },
    };
    const content_hash = contentHash(event, canonicalJson(payload));
    const { uid: event_uid, ...rest } = event;
    return { event_id: 100 + at, event_uid, ...rest, payload, content_hash };
  };
  const snapshot = (at: number, author = "ann") =>
    sent("issue.snapshot", at, {
      ...{
        uid: uidOf(at),
        short_id: `s${at}`,
        title: `issue ${at}`,
        body: "",
        author,
        status: "open",
      },
      ...{ metadata: {}, revision: 3, created_at: w.clock.now(), updated_at: w.clock.now() },
      comments: [
        { comment_uid: uidOf(at + 50), author: "bea", body: "hm", created_at: w.clock.now() },
      ],
    });
  const send = async (events: readonly object[], adoption_baseline?: string, end?: number) => {
    const adoption_baseline_end_event_id = end;
    const more = { adoption_baseline, adoption_baseline_end_event_id };
    const { status, code, body } = await push(w, project.id, { token, events, ...more });
    return status === 200 ? body : [status, code];
  };
  const permits = async () => {
    const { enrollments } = await w.call(listFederationEnrollments);
    return enrollments[0]?.allow_adoption_snapshot_authors;
  };
  const authorOf = async (at: number) =>
    (await w.call(showIssueByUID, { params: { uid: uidOf(at) } })).issue.author;
  return { w, project, token, sent, snapshot, send, permits, authorOf };
}

const BAD = [400, "invalid_adoption_baseline"];

describeStore("the adoption of a project of a spoke", (open) => {
  test("an adoption goes on part by part, keeps the authors, and is permitted once", async () => {
    const { w, snapshot, send, permits, authorOf } = await hub(open);
    expect(await send([snapshot(1), snapshot(2)], "open", 105)).toMatchObject({ accepted: 2 });
    expect(await permits()).toBe(true);
    expect(await send([snapshot(3), snapshot(4)], "open", 105)).toMatchObject({ accepted: 2 });
    expect(await send([snapshot(5)], "complete", 105)).toEqual({
      ...{ accepted: 1, duplicates: 0, push_cursor_event_id: 105 },
    });
    expect(await permits()).toBe(false);
    expect(await Promise.all([1, 2, 3, 4, 5].map(authorOf))).toEqual(new Array(5).fill("ann"));
    await expectFolded(w.store);
  });

  test("an adoption goes on after a lost answer, when a part that the hub already has is sent again", async () => {
    const { snapshot, send } = await hub(open);
    const first = [snapshot(1), snapshot(2)];
    await send(first, "open", 103);
    expect(await send(first, "open", 103)).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await send([snapshot(2), snapshot(3)], "complete", 103)).toEqual(BAD);
    await send([snapshot(3)], "complete", 103);
    expect(await send([snapshot(3)], "complete", 103)).toMatchObject({ duplicates: 1 });
    expect(await send([snapshot(4)], "complete", 104)).toEqual([400, "validation"]);
  });

  test("an adoption of one part may begin with the metadata of the project", async () => {
    const { w, project, sent, snapshot, send } = await hub(open);
    const metadata = sent("project.metadata_updated", 1, {
      ...{ diff: { color: { to: "red" } }, revision_new: 2, updated_at: w.clock.now() },
    });
    expect(await send([metadata, snapshot(2)], "complete", 102)).toMatchObject({ accepted: 2 });
    const row = await w.store.read(async ({ projects }) => await projects.find(project.uid));
    expect(row?.metadata).toMatchObject({ color: "red" });
    await expectFolded(w.store);
  });

  test("an adoption by snapshots without a marker ends with the first request", async () => {
    const { snapshot, send, permits, authorOf } = await hub(open);
    expect(await send([snapshot(1)])).toMatchObject({ accepted: 1 });
    expect([await permits(), await authorOf(1)]).toEqual([false, "ann"]);
    expect(await send([snapshot(2)])).toEqual([400, "validation"]);
    expect(await send([snapshot(2, "sam")])).toEqual([400, "validation"]);
  });

  describe("is refused, and nothing is added", () => {
    test("an adoption that the enrollment does not permit is refused, and nothing is added", async () => {
      const { w, snapshot, send } = await hub(open, false);
      const before = (await w.events()).length;
      expect(await send([snapshot(1)], "complete", 101)).toEqual([400, "validation"]);
      expect(await w.events()).toHaveLength(before);
    });

    test("an adoption with only one of the two fields that mark a part is refused", async () => {
      const { snapshot, send } = await hub(open);
      expect(await send([snapshot(1)], "complete")).toEqual(BAD);
      expect(await send([snapshot(1)], undefined, 101)).toEqual(BAD);
    });

    test("an adoption with a part that is not the next one, or with other events between its parts, is refused", async () => {
      const { w, snapshot, sent, send } = await hub(open);
      await send([snapshot(1)], "open", 103);
      const before = (await w.events()).length;
      expect(await send([snapshot(3)], "complete", 103)).toEqual(BAD);
      expect(await send([snapshot(2)], "open", 104)).toEqual(BAD);
      const closed = sent("issue.labeled", 2, { label: "bug", updated_at: w.clock.now() });
      expect(await send([{ ...closed, issue_uid: uidOf(2) }])).toEqual(BAD);
      expect(await w.events()).toHaveLength(before);
    });
  });
});
