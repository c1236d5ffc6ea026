import { expect, test } from "vitest";
import { createCronJob } from "../../../src/contract/cron-jobs.ts";
import { revokeFederationEnrollment } from "../../../src/contract/federation.ts";
import { verifyFederationReplica } from "../../../src/contract/federation-verify.ts";
import { purgeIssue } from "../../../src/contract/removal.ts";
import { R as NATIVE } from "../../domain/cron/bases.ts";
import { tamperable } from "../../federation/tampered.ts";
import { uid } from "../../store/drafts.ts";
import { askHub, makeHub } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { copied } from "./copied.ts";

/** The event with which the copy knows the nth issue. */
const snapshot = (n: number) => `type = 'issue.snapshot' and issue_uid = '${uid(n)}'`;

describeStore("a comparison of a copy with its hub", (open) => {
  test("finds a copy equal to its hub with one request", async () => {
    const { verify, params } = await copied(open, 20);
    const found = await verify(true);
    expect(found).toMatchObject({
      ...{ state: "equal", round_trips: 1, event_count: 21, hub_event_count: 21 },
      ...{ fold_version: 1, hub_fold_version: 1 },
      rows: { state: "equal", compared: 20, left_out: 0, different: 0, issues: [] },
    });
    expect(found.project.id).toBe(params.project_id);
    expect(found.first_difference).toBeUndefined();
    expect(await verify()).not.toHaveProperty("rows");
  });

  const LOST = `delete from event where ${snapshot(1234)}`;
  const CHANGED = `update event set content_hash = '${"ab".repeat(32)}' where ${snapshot(1234)}`;

  test.each([
    ["an event that the copy has lost", "missing_here", LOST, undefined],
    ["an event that the hub has lost", "missing_there", undefined, LOST],
    ["an event whose content differs in the copy", "other_content", CHANGED, undefined],
    ["an event whose content differs on the hub", "other_content", undefined, CHANGED],
  ] as const)("finds %s among 2,000 events with two requests", async (_what, kind, here, there) => {
    const { verify, hub, tamperHub, tamperSpoke, server } = await copied(open, 2000);
    const event = (await hub.events()).find(
      ({ type, issue_uid }) => type === "issue.snapshot" && issue_uid === uid(1234),
    );
    if (here !== undefined) await tamperSpoke(here);
    if (there !== undefined) await tamperHub(there);
    const asked = server.asked.length;
    const { state, first_difference, round_trips } = await verify();
    expect(state).toBe("different");
    expect(first_difference).toEqual({
      ...{ kind, event_id: event?.id, event_uid: event?.uid },
      ...{ type: "issue.snapshot", issue_uid: uid(1234), created_at: event?.created_at },
    });
    expect(round_trips).toBe(2);
    expect(server.asked.length - asked).toBe(round_trips);
  });

  test("names the first of several differences", async () => {
    const { verify, tamperHub, tamperSpoke } = await copied(open, 300);
    await tamperSpoke(
      `delete from event where ${snapshot(200)}`,
      `delete from event where ${snapshot(7)}`,
    );
    await tamperHub(`delete from event where ${snapshot(5)}`);
    expect((await verify()).first_difference).toMatchObject({
      kind: "missing_there",
      issue_uid: uid(5),
    });
  });

  test("names the issues whose rows differ although the events do not, and says whether one side has older fold rules", async () => {
    const it = await copied(open, 5);
    await it.tamperSpoke(`update issue set title = 'other' where uid = '${uid(3)}'`);
    const rows = { state: "different", compared: 5, different: 1 };
    const issues = [{ issue_uid: uid(3), kind: "other_rows" }];
    const shown = async () => {
      const found = await it.verify(true);
      expect(found).toMatchObject({ state: "equal", rows: { ...rows, issues } });
      return found.rows?.cause;
    };
    expect(await shown()).toBe("faulty_fold");
    it.saying({ fold_version: 0 });
    expect(await shown()).toBe("older_fold_there");
    it.saying({ fold_version: 2 });
    expect(await shown()).toBe("older_fold_here");
  });

  test.each([
    [
      "comment",
      (on: string) =>
        `insert into comment (id, uid, issue_uid, author, body, created_at) values (900, '${uid(900)}', '${on}', 'ann', 'more', '2026-01-01T00:00:00.000Z')`,
    ],
    [
      "label",
      (on: string) =>
        `insert into label (issue_uid, label, author, created_at) values ('${on}', 'more', 'ann', '2026-01-01T00:00:00.000Z')`,
    ],
    [
      "link",
      (on: string) =>
        `insert into link (id, from_uid, to_uid, type, author, created_at) values (900, '${on}', '${uid(1)}', 'blocks', 'ann', '2026-01-01T00:00:00.000Z')`,
    ],
  ])("finds a %s that only one side has", async (_what, insert) => {
    const it = await copied(open, 3);
    await it.tamperHub(insert(uid(2)));
    expect((await it.verify(true)).rows?.issues).toEqual([
      { issue_uid: uid(2), kind: "other_rows" },
    ]);
  });

  test("names the issues that are missing on one side, and gives the difference of events as the cause", async () => {
    const it = await copied(open, 5);
    await it.tamperSpoke(
      `delete from event where ${snapshot(2)}`,
      `delete from issue where uid = '${uid(2)}'`,
    );
    await it.tamperHub(`delete from issue where uid = '${uid(4)}'`);
    const { rows, state } = await it.verify(true);
    expect(state).toBe("different");
    expect(rows).toMatchObject({ state: "different", compared: 5, cause: "events_differ" });
    expect(rows?.issues).toEqual([
      { issue_uid: uid(2), kind: "missing_here" },
      { issue_uid: uid(4), kind: "missing_there" },
    ]);
  });

  test("covers each issue once, however many issues each side has", async () => {
    const it = await copied(open, 1700);
    await it.tamperSpoke(`delete from issue where uid > '${uid(100)}' and uid < '${uid(1600)}'`);
    const { rows } = await it.verify(true);
    expect(rows).toMatchObject({ compared: 1700, left_out: 0, different: 1499 });
    expect(rows?.issues).toHaveLength(100);
    expect(rows?.issues[0]).toEqual({ issue_uid: uid(101), kind: "missing_here" });
  });

  test("leaves out issues that one side has changed and the other side has not read yet", async () => {
    const { hub, spoke, project, local, pull, verify } = await copied(open, 3, { push: true });
    const [here, there, other] = [
      await spoke.given.issue({ project: local, title: "here" }),
      await hub.given.issue({ project, title: "there" }),
      await hub.given.issue({ project, title: "other" }),
    ];
    expect((await verify(true)).rows).toMatchObject({ state: "equal", compared: 3, left_out: 3 });
    await pull();
    expect((await verify(true)).rows).toMatchObject({ state: "equal", compared: 6, left_out: 0 });
    await hub.given.link(there, "blocks", other);
    await spoke.given.comment({ on: here });
    expect((await verify(true)).rows).toMatchObject({ state: "equal", compared: 3, left_out: 3 });
  });

  test.each([
    [
      "the hub is older",
      "hub_too_old",
      { status: 404, body: { error: { code: "not_found", message: "not found" } } },
    ],
  ])("has an unknown result if %s", async (_when, reason, { status, body }) => {
    const { verify, server } = await copied(open, 3);
    server.intercept((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ status, ...body }));
    });
    const found = await verify(true);
    expect(found).toMatchObject({ state: "unknown", reason, event_count: 0 });
    expect(found).not.toHaveProperty("rows");
    expect(found).not.toHaveProperty("hub_event_count");
  });

  test("has an unknown result if the hub's log, horizon or purges have changed since the copy read from it", async () => {
    const it = await copied(open, 3);
    const { verify, hub, project, saying } = it;
    saying({ epoch: "01J00000000000000000000009" });
    expect(await verify()).toMatchObject({ state: "unknown", reason: "hub_log_changed" });
    saying({ from: 1_000_000 });
    expect(await verify()).toMatchObject({ state: "unknown", reason: "horizon_moved" });
    it.server.intercept(undefined);
    const gone = await hub.given.issue({ project, title: "gone" });
    const headers = { "x-svc-confirm": `PURGE ${gone.qualified_id}` };
    await hub.call(purgeIssue, { params: gone.path, headers });
    expect(await verify()).toMatchObject({ state: "unknown", reason: "reset_required" });
    await it.pull();
    expect(await verify()).toMatchObject({ state: "equal" });
  });

  test("has an unknown result before the copy has read anything", async () => {
    const it = await tamperable(open);
    const found = await it.spoke.store.read(
      async ({ projects }) => await projects.find(it.project.uid),
    );
    const params = { project_id: found?.id ?? 0 };
    const said = await it.spoke.call(verifyFederationReplica, { params, body: {} });
    expect(said).toMatchObject({ state: "unknown", reason: "not_read_yet", round_trips: 0 });
  });

  test("is refused if the hub gives no answer, or no longer lets the copy read", async () => {
    const { refused, server, hub, enrollment } = await copied(open, 3);
    server.intercept((_request, response) => void response.writeHead(503).end());
    const offline = await refused();
    expect([offline.code, offline.data]).toEqual([
      "federation_offline",
      { reason: "hub_unavailable" },
    ]);
    server.intercept(undefined);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: enrollment.id } });
    const error = await refused();
    expect([error.code, error.data]).toEqual([
      "federation_hub_refused",
      { reason: "auth_invalid" },
    ]);
  });

  test("is refused for a project that is no copy", async () => {
    const { spoke } = await copied(open, 1);
    const code = async (project_id: number) => {
      const params = { project_id };
      return (await spoke.refused(verifyFederationReplica, { params, body: {} })).code;
    };
    const own = await spoke.given.project("own");
    expect(await code(own.id)).toBe("federation_not_found");
    await makeHub(spoke, own);
    expect(await code(own.id)).toBe("not_a_spoke");
    expect(await code(9999)).toBe("project_not_found");
  });
});

describeStore("what a hub sends to a copy for a comparison", (open) => {
  test.each(["sums?through_id=9", "issue-hashes?through_id=9"])(
    "%s needs the enrollment of the copy, and the event features that the project needs",
    async (path) => {
      const { hub, project, enrollment } = await copied(open, 1);
      const { token, spoke_instance_uid } = enrollment;
      const at = `/projects/${project.id}/federation/${path}`;
      const own = { "x-svc-instance": spoke_instance_uid };
      const code = async (asked: Parameters<typeof askHub>[2]) => {
        const said = await askHub(hub, at, asked);
        return said.code ?? String(said.status);
      };
      expect(await code({ token, headers: own })).toBe("200");
      expect(await code({ headers: own })).toBe("auth_required");
      expect(await code({ token: "wrong", headers: own })).toBe("auth_invalid");
      expect(await code({ token })).toBe("auth_invalid");
      const parent = await hub.given.issue({ project, title: "parent" });
      const definition = { ...NATIVE, issue: { ...NATIVE.issue, parent_uid: parent.uid } };
      const body = { name: "nightly", definition: definition as never };
      await hub.call(createCronJob, { params: project.path, body });
      const lacking = { ...own, "x-svc-event-features": "" };
      expect(await code({ token, headers: lacking })).toBe("unsupported_event_features");
      await hub.given.archived(project);
      expect(await code({ token, headers: own })).toBe("project_not_found");
    },
  );
});
