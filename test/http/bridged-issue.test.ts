import { expect, test } from "vitest";
import { msToInstant } from "../../src/base/clock.ts";
import { editComment } from "../../src/contract/comments.ts";
import type { ErrorBody } from "../../src/contract/errors.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { editIssue, listAllIssues, listIssues, showIssue } from "../../src/contract/issues.ts";
import {
  mergeProject,
  purgeProject,
  removeProject,
  restoreProject,
} from "../../src/contract/project-actions.ts";
import { moveIssue, purgeIssue } from "../../src/contract/removal.ts";
import { connectorActor } from "../../src/contract/reserved-actors.ts";
import { changesState } from "../../src/contract/route.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { STALE_MS } from "../../src/domain/bridges/claim.ts";
import { externalRootBound, externalRootUnbound } from "../../src/domain/drafts/bridges.ts";
import type { BridgeRow } from "../../src/store/types/bridges.ts";
import { expectFolded } from "../store/fold.ts";
import { externalCommentRow, givenBridge } from "../support/bridges.ts";
import { rawOf } from "../support/broken.ts";
import { makeHub } from "../support/federated.ts";
import { joined } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { seeded, sent, wholeOf } from "../support/whole.ts";
import { type OpenStore, type World, world } from "../support/world.ts";

const OWNED = "external_root_content_owned";
const COMMENT = "external_comment_content_owned";
const FREE = "free";
const SOURCE = { external_root_key: "r", external_revision: "1" };
const AT = "2026-01-01T00:00:00.000Z";

/** What each route that changes an issue, its comments or its links does to an issue that a root owns. */
const OUTCOMES: Readonly<Record<string, string>> = {
  editIssue: OWNED,
  deleteIssue: OWNED,
  purgeIssue: OWNED,
  editComment: COMMENT,
  createComment: FREE,
  closeIssue: FREE,
  reopenIssue: FREE,
  restoreIssue: FREE,
  moveIssue: FREE,
  assignIssue: FREE,
  unassignIssue: FREE,
  claimIssue: FREE,
  setIssuePriority: FREE,
  patchIssueMetadata: FREE,
  addLabel: FREE,
  removeLabel: FREE,
  createLink: FREE,
  deleteLink: FREE,
  notifyIssue: FREE,
  clearIssueRequest: FREE,
  acquireIssueLease: FREE,
  renewIssueLease: FREE,
  releaseIssueLease: FREE,
  forceReleaseIssueLease: FREE,
};

/** Routes of issues that tests of bridges cover. */
const OF_BRIDGES = /Bridge$|^bindExternalRoot$|^unbindExternalRoot$|^resolveExternal/;

function confirmed(id: string, shortId: string): object {
  if (id === "deleteIssue") return { headers: { "x-svc-confirm": `DELETE web#${shortId}` } };
  if (id === "purgeIssue") return { headers: { "x-svc-confirm": `PURGE web#${shortId}` } };
  return {};
}

async function codesOf(open: OpenStore, more: Partial<BridgeRow>) {
  const w = await world({ store: open });
  const seeds = await seeded(w);
  const bridge = await givenBridge(w, { uid: seeds.ref }, more);
  const comment_id = seeds.comment_ref;
  const known = { side: "local", comment_id, state: "imported" } as const;
  await w.store.write(
    async (tx) => await tx.unfolded.put("external_comment", externalCommentRow(w, bridge, known)),
  );
  const issue = await w.store.read(async ({ issues }) => await issues.find(seeds.ref));
  const routes = ROUTES.filter(
    (route) =>
      changesState(route) && route.path.includes("/issues/{ref}") && !OF_BRIDGES.test(route.id),
  );
  const [first, later] = [
    routes.filter(({ id }) => OUTCOMES[id] !== FREE),
    routes.filter(({ id }) => OUTCOMES[id] === FREE),
  ];
  const found: Record<string, string> = {};
  for (const route of [...first, ...later]) {
    const whole = { ...wholeOf(route, seeds), ...confirmed(route.id, issue?.short_id ?? "") };
    const response = await sent(w, rawOf(route, whole));
    const { error } = (await response.json().catch(() => ({}))) as Partial<ErrorBody>;
    const code = error?.code ?? "";
    found[route.id] = code.startsWith("external_") ? code : FREE;
  }
  return found;
}

interface Bound {
  readonly w: World;
  readonly project: Awaited<ReturnType<World["given"]["project"]>>;
  readonly issue: Awaited<ReturnType<World["given"]["issue"]>>;
  readonly bridge: BridgeRow;
}

async function bound(open: OpenStore, more: Partial<BridgeRow> = {}): Promise<Bound> {
  const w = await world({ store: open });
  const project = await w.given.project();
  const issue = await w.given.issue({ project });
  return { w, project, issue, bridge: await givenBridge(w, issue, more) };
}

/** What show, an edit and both lists say of the root of the issue. */
async function rootsOf(w: World, { uid, path }: Bound["issue"]) {
  const params = { project_id: path.project_id };
  const shown = await w.call(showIssue, { params: path });
  const owned = await w.call(editIssue, { params: path, body: { actor: "ann", owner: "bea" } });
  const { issues } = await w.call(listIssues, { params });
  const { issues: all } = await w.call(listAllIssues, { query: { issue_uid: [uid] } });
  const rows = [shown.issue, owned.issue, issues.find((one) => one.uid === uid), all[0]];
  return rows.map((row) => row?.external_root);
}

const storedOf = async ({ w, bridge }: Bound) =>
  await w.store.read(async ({ bridges }) => await bridges.byUid(bridge.uid));

const editTitle = (path: Bound["issue"]["path"]) => ({
  params: path,
  body: { actor: "ann", title: "other" },
});

describeStore("an issue that an external root owns", (open) => {
  test.each([
    ["enabled", {}],
    ["paused", { enabled: 0, paused_reason: "holidays" }],
  ] as const)("is protected on each route while its bridge is %s", async (_, more) => {
    expect(await codesOf(open, more)).toEqual(OUTCOMES);
  });

  test("is free again when its bridge has ended", async () => {
    const it = await bound(open, { active: 0, enabled: 0 });
    const edited = await it.w.call(editIssue, editTitle(it.issue.path));
    expect(edited.issue.title).toBe("other");
  });

  test.each([
    ["enabled", {}, { connector_instance: "notes", enabled: true }],
    ["paused", { enabled: 0 }, { connector_instance: "notes", enabled: false }],
    ["ended", { active: 0, enabled: 0 }, undefined],
  ] as const)(
    "names its root alone and in lists, while its bridge is %s",
    async (_, more, expected) => {
      const { w, project, issue } = await bound(open, more);
      const other = await w.given.issue({ project });
      expect(await rootsOf(w, issue)).toEqual(new Array(4).fill(expected));
      expect(await rootsOf(w, other)).toEqual(new Array(4).fill(undefined));
    },
  );

  test("names no root in a state of the past", async () => {
    const { w, issue } = await bound(open);
    const query = { at: w.clock.now() };
    const { issue: past } = await w.call(showIssue, { params: issue.path, query });
    expect(past).not.toHaveProperty("external_root");
  });

  test("can get another owner, but no other body", async () => {
    const { w, issue } = await bound(open);
    await w.call(editIssue, { params: issue.path, body: { actor: "ann", owner: "bea" } });
    const body = { actor: "ann", owner: "cid", body: "new" };
    expect(await w.refused(editIssue, { params: issue.path, body })).toMatchObject({ code: OWNED });
  });

  test("keeps a comment of its own that was published editable, and an imported one not", async () => {
    const it = await bound(open);
    const { w, issue, bridge } = it;
    const [own, imported] = [
      (await w.given.comment({ on: issue })).comment,
      (await w.given.comment({ on: issue })).comment,
    ];
    await w.store.write(async ({ unfolded }) => {
      for (const [comment_id, state] of [
        [own.uid, "published"],
        [imported.uid, "imported"],
      ] as const)
        await unfolded.put(
          "external_comment",
          externalCommentRow(w, bridge, { side: "local", comment_id, state }),
        );
    });
    const edit = (comment_ref: string) => ({
      params: { ...issue.path, comment_ref },
      body: { actor: "ann", body: "new" },
    });
    await w.call(editComment, edit(own.uid));
    expect(await w.refused(editComment, edit(imported.uid))).toMatchObject({ code: COMMENT });
  });

  test("is not changed by an undo of what was done before the bind", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.call(editIssue, { params: issue.path, body: { actor: "cyd", title: "other" } });
    await givenBridge(w, issue);
    const body = { of_actor: "cyd", since: "2020-01-01T00:00:00Z", actor: "bea" };
    const headers = { "x-svc-confirm": "UNDO 1 OF cyd" };
    expect(await w.refused(undoGlobal, { headers, body })).toMatchObject({ code: OWNED });
  });

  test("is not changed by a second import", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const items = (title: string) => [
      {
        external_id: "1",
        title,
        body: "",
        author: "ann",
        status: "open",
        created_at: AT,
        updated_at: AT,
      },
    ];
    const send = (title: string) => ({
      params: project.path,
      body: { source: "beads", actor: "ann", items: items(title) } as never,
    });
    await w.call(importIssues, send("one"));
    const [found] = await w.store.read(
      async ({ marks }) => await marks.importedUnder(project.uid, ["1"]),
    );
    await givenBridge(w, { uid: found?.issue_uid ?? "" });
    expect(await w.refused(importIssues, send("two"))).toMatchObject({ code: OWNED });
  });

  test("is not purged with its project", async () => {
    const { w, project } = await bound(open);
    await w.call(removeProject, { params: project.path, query: { actor: "ann", force: true } });
    const headers = { "x-svc-confirm": `PURGE ${project.name}` };
    const body = { actor: "ann" };
    expect(await w.refused(purgeProject, { params: project.path, headers, body })).toMatchObject({
      code: OWNED,
    });
  });
});

const REOPEN = "reopen" as const;

/** Adds an event of a bridge as another daemon would: the bridge of this daemon stays as it is. */
const said = async (
  { w, issue, project }: Bound,
  draft: typeof externalRootBound | typeof externalRootUnbound,
  row: BridgeRow,
) =>
  await w.store.write(async (tx) => {
    const place = { uid: issue.uid, project_uid: project.uid };
    await tx.appendAll([draft(place, row, { actor: "cyd", now: tx.now })]);
  });

describeStore("an issue whose bridge another daemon ended or replaced in the log", (open) => {
  const CLAIM = { claim_token: "T", claim_started_at: AT };
  const events = {
    ended: async (it: Bound) =>
      await said(it, externalRootUnbound, { ...it.bridge, active: 0, enabled: 0 }),
    replaced: async (it: Bound) =>
      await said(it, externalRootBound, { ...it.bridge, uid: it.w.ids.ulid() }),
  };
  const ways = ["ended", "replaced"] as const;

  const imported = async ({ w, issue, bridge }: Bound) => {
    const { comment } = await w.given.comment({ on: issue });
    const known = { side: "local", comment_id: comment.uid, state: "imported" } as const;
    await w.store.write(
      async (tx) => await tx.unfolded.put("external_comment", externalCommentRow(w, bridge, known)),
    );
    return comment.uid;
  };

  test.each(ways)("keeps the words of the bridge that runs here: %s", async (way) => {
    const it = await bound(open);
    const { w, issue, project } = it;
    const comment_ref = await imported(it);
    await events[way](it);
    expect(await w.refused(editIssue, editTitle(issue.path))).toMatchObject({ code: OWNED });
    const edit = { params: { ...issue.path, comment_ref }, body: { actor: "ann", body: "new" } };
    expect(await w.refused(editComment, edit)).toMatchObject({ code: COMMENT });
    const purge = {
      params: issue.path,
      headers: { "x-svc-confirm": `PURGE web#${issue.short_id}` },
      body: { actor: "ann" },
    };
    expect(await w.refused(purgeIssue, purge)).toMatchObject({ code: OWNED });
    await w.call(removeProject, { params: project.path, query: { actor: "ann", force: true } });
    expect(await storedOf(it)).toMatchObject({ enabled: 0, paused_reason: "project_archived" });
    const body = { actor: "ann" };
    const headers = { "x-svc-confirm": `PURGE ${project.name}` };
    expect(await w.refused(purgeProject, { params: project.path, headers, body })).toMatchObject({
      code: OWNED,
    });
  });

  test.each(ways)("is changed by the run of its bridge: %s", async (way) => {
    const it = await bound(open, CLAIM);
    const { w, issue, project, bridge } = it;
    await events[way](it);
    await w.store.write(async (tx) => {
      await tx.asExternalRoot({ binding_uid: bridge.uid, claim_token: "T" });
      await tx.append({
        type: "issue.updated",
        actor: connectorActor("notes"),
        project_uid: project.uid,
        issue_uid: issue.uid,
        payload: { title: "from there", updated_at: tx.now },
      });
    });
    const found = await w.store.read(async ({ issues }) => await issues.find(issue.uid));
    expect(found?.title).toBe("from there");
  });
});

describeStore("a run of a bridge", (open) => {
  const act = {
    [REOPEN]: async ({ w, issue, project }: Bound) =>
      await w.store.write(
        async (tx) =>
          await tx.append({
            type: "issue.reopened",
            actor: "ann",
            project_uid: project.uid,
            issue_uid: issue.uid,
            payload: { reopened_at: tx.now, updated_at: tx.now },
          }),
      ),
    move: async ({ w, issue }: Bound) => {
      const target = await w.given.project("target");
      const headers = { "if-match": '"rev-1"' };
      const body = { actor: "ann", to_project_uid: target.uid };
      await w.call(moveIssue, { params: issue.path, headers, body });
    },
    archive: async ({ w, project }: Bound) =>
      await w.call(removeProject, { params: project.path, query: { actor: "ann", force: true } }),
    merge: async ({ w, project }: Bound) => {
      const target = await w.given.project("target");
      const body = { actor: "ann", source_project_id: project.id };
      await w.call(mergeProject, { params: { project_id: target.id }, body });
    },
  };

  const places = [REOPEN, "move", "archive", "merge"] as const;

  test.each(places)("is not disturbed by %s while its claim is fresh", async (place) => {
    const w = await world({ store: open });
    const claim_started_at = msToInstant(w.clock.nowMs() - STALE_MS + 1);
    const it = await bound(open, { claim_token: "T", claim_started_at });
    await expect(act[place](it)).rejects.toThrow(/external_root_claim_active|being reconciled/);
    expect(await storedOf(it)).toMatchObject({ claim_token: "T", enabled: 1 });
  });

  test.each(places)("that was killed does not hinder %s, and loses its claim", async (place) => {
    const w = await world({ store: open });
    const claim_started_at = msToInstant(w.clock.nowMs() - STALE_MS);
    const it = await bound(open, { claim_token: "T", claim_started_at });
    await act[place](it);
    expect(await storedOf(it)).toMatchObject({ claim_token: null, claim_started_at: null });
    await expectFolded(it.w.store);
  });

  test("may change what its root owns, also in the write of the bind, and only of its own issue", async () => {
    const it = await bound(open, {
      claim_token: "T",
      claim_started_at: "2026-01-01T00:00:00.000Z",
    });
    const { w, project, issue, bridge } = it;
    const other = await w.given.issue({ project });
    await givenBridge(w, other);
    const claim = { binding_uid: bridge.uid, claim_token: "T" };
    const edit = async (uid: string) =>
      await w.store.write(async (tx) => {
        await tx.asExternalRoot(claim);
        await tx.append({
          type: "issue.updated",
          actor: connectorActor("notes"),
          project_uid: project.uid,
          issue_uid: uid,
          payload: { title: "from there", updated_at: tx.now },
        });
      });
    await edit(issue.uid);
    await expect(edit(other.uid)).rejects.toMatchObject({ code: OWNED });
    expect(await w.refused(editIssue, editTitle(issue.path))).toMatchObject({ code: OWNED });
  });
});

describeStore("the bridges of an archived project", (open) => {
  test("are paused with a reason and an event each, and a restore leaves them paused", async () => {
    const it = await bound(open);
    const { w, project } = it;
    await w.call(removeProject, { params: project.path, query: { actor: "bea", force: true } });
    expect(await storedOf(it)).toMatchObject({ enabled: 0, paused_reason: "project_archived" });
    const paused = (await w.events()).filter(({ type }) => type === "issue.external_root_paused");
    expect(paused).toMatchObject([
      { actor: "bea", payload: { enabled: false, reason: "project_archived", active: true } },
    ]);
    await w.call(restoreProject, { params: project.path, query: { actor: "bea" } });
    expect(await storedOf(it)).toMatchObject({ enabled: 0 });
    await expectFolded(w.store);
  });

  test("are paused without an event in a copy that only reads", async () => {
    const it = await bound(open);
    const { w, project } = it;
    await makeHub(w, project, { role: "spoke", push_enabled: 0 });
    await w.call(removeProject, { params: project.path, query: { actor: "bea", force: true } });
    expect(await storedOf(it)).toMatchObject({ enabled: 0, paused_reason: "project_archived" });
    expect(await w.eventKinds()).not.toContain("issue.external_root_paused");
    await expectFolded(w.store);
  });

  test("are paused with an event in a copy that sends its changes", async () => {
    const it = await bound(open);
    const { w, project } = it;
    await makeHub(w, project, { role: "spoke", push_enabled: 1, bound_actor: "spoke" });
    await w.call(removeProject, { params: project.path, query: { actor: "bea", force: true } });
    expect(await w.eventKinds()).toContain("issue.external_root_paused");
  });

  test("keep the reason of an earlier pause, without another event", async () => {
    const it = await bound(open, { enabled: 0, paused_reason: "holidays" });
    const { w, project } = it;
    await w.call(removeProject, { params: project.path, query: { actor: "bea", force: true } });
    expect(await storedOf(it)).toMatchObject({ paused_reason: "holidays" });
    expect(await w.eventKinds()).not.toContain("issue.external_root_paused");
  });
});

describeStore("a daemon that has no bridge of a bound issue", (open) => {
  async function copied(role: "hub" | "spoke" | undefined) {
    const it = await bound(open);
    const { w, project, bridge } = it;
    const comment = (await w.given.comment({ on: it.issue, author: "ann" })).comment;
    await w.store.write(
      async ({ unfolded }) => await unfolded.remove("external_root_binding", { uid: bridge.uid }),
    );
    if (role !== undefined)
      await makeHub(w, project, { role, push_enabled: 1, bound_actor: "spoke" });
    return { ...it, comment };
  }

  test.each([
    ["spoke", { connector_instance: "notes", enabled: true }],
    ["hub", undefined],
    [undefined, undefined],
  ] as const)("names the root only where it owns the words: %s", async (role, expected) => {
    const { w, issue } = await copied(role);
    const { issue: shown } = await w.call(showIssue, { params: issue.path });
    expect(shown.external_root).toEqual(expected);
  });

  test("refuses new words if it has a copy of the project, and permits all else", async () => {
    const { w, issue } = await copied("spoke");
    expect(await w.refused(editIssue, editTitle(issue.path))).toMatchObject({ code: OWNED });
    await w.call(editIssue, { params: issue.path, body: { actor: "ann", owner: "bea" } });
  });

  test.each([
    ["the bound actor of another copy", "sam", "notes", COMMENT],
    ["the connector", connectorActor("notes"), "notes", COMMENT],
    ["another connector", connectorActor("other"), "other", FREE],
    ["somebody with the name of the connector", connectorActor("notes"), undefined, FREE],
    ["somebody", "bea", undefined, FREE],
  ])(
    "has a copy, and knows an imported comment by its event: %s",
    async (_, author, from, outcome) => {
      const it = await bound(open);
      const { w, project, issue } = it;
      const comment_uid = w.ids.ulid();
      await w.store.write(async (tx) => {
        await tx.append({
          type: "issue.commented",
          actor: author,
          project_uid: project.uid,
          issue_uid: issue.uid,
          payload: {
            ...{ comment_uid, author, body: "b", created_at: tx.now },
            ...(from === undefined ? {} : { source: { ...SOURCE, connector_instance: from } }),
          },
        });
        await tx.unfolded.remove("external_root_binding", { uid: it.bridge.uid });
      });
      await makeHub(w, project, { role: "spoke", push_enabled: 1, bound_actor: "spoke" });
      const params = { ...issue.path, comment_ref: comment_uid };
      const response = await w.send(editComment, { params, body: { actor: "ann", body: "new" } });
      const { error } = (await response.json()) as Partial<ErrorBody>;
      expect(error?.code ?? FREE).toBe(outcome);
    },
  );

  test.each([
    [connectorActor("notes"), COMMENT],
    [connectorActor("other"), FREE],
    ["bea", FREE],
  ])("knows an imported comment of a snapshot by its author: %s", async (author, outcome) => {
    const path: { issue: Bound["issue"]["path"]; comment_uid: string } = {
      issue: { project_id: 0, ref: "" },
      comment_uid: "",
    };
    const { spoke, pull } = await joined(
      open,
      async (hub, project) => {
        const issue = await hub.given.issue({ project });
        await givenBridge(hub, issue);
        path.issue = issue.path;
        path.comment_uid = hub.ids.ulid();
        await hub.store.write(
          async (tx) =>
            await tx.append({
              type: "issue.commented",
              actor: author,
              project_uid: project.uid,
              issue_uid: issue.uid,
              payload: { comment_uid: path.comment_uid, author, body: "b", created_at: tx.now },
            }),
        );
      },
      { push: true },
    );
    await pull();
    const found = await spoke.store.read(async ({ projects }) => await projects.list(false));
    const project_id = found.find(({ name }) => name === "web")?.id ?? 0;
    const params = { ref: path.issue.ref, project_id, comment_ref: path.comment_uid };
    const response = await spoke.send(editComment, { params, body: { body: "new" } });
    const { error } = (await response.json()) as Partial<ErrorBody>;
    expect(error?.code ?? FREE).toBe(outcome);
  });

  test.each(["hub", undefined] as const)(
    "leaves the words free if it could not end the bridge: role %s",
    async (role) => {
      const { w, issue } = await copied(role);
      const edited = await w.call(editIssue, editTitle(issue.path));
      expect(edited.issue.title).toBe("other");
    },
  );
});
