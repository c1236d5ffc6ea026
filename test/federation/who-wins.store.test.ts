import { expect, test } from "vitest";
import { listIssueEvents } from "../../src/contract/activity.ts";
import { editIssue, patchIssueMetadata, showIssue } from "../../src/contract/issues.ts";
import { createLink } from "../../src/contract/links.ts";
import { undoProject } from "../../src/contract/undo.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore, World } from "../support/world.ts";
import { writingCopy } from "./push-world.ts";

const SECOND = 1000;

/** An issue on the hub and in the copy. Bea works on the hub, ann on the copy, whose changes the hub gets as sam's. */
async function given(open: OpenStore) {
  let uid = "";
  const it = await writingCopy(open, async (hub, project) => {
    ({ uid } = await hub.given.issue({ project, title: "a" }));
  });
  const { hub, spoke, project, local, pull } = it;
  const sides = {
    hub: { w: hub, params: { project_id: project.id, ref: uid }, actor: "bea" },
    copy: { w: spoke, params: { project_id: local.id, ref: uid }, actor: "ann" },
  };
  type Side = keyof typeof sides;
  const edit = async (side: Side, fields: { title?: string; body?: string }) => {
    hub.clock.advance(SECOND);
    const { w, params, actor } = sides[side];
    await w.call(editIssue, { params, body: { ...fields, actor } });
  };
  const at = (side: Side): { w: World; params: { project_id: number; ref: string } } => sides[side];
  const losses = async (side: Side) => {
    const { w, params } = at(side);
    const { events } = await w.call(listIssueEvents, { params });
    return events.flatMap(({ actor, overwritten_by: by }) =>
      by === undefined ? [] : `${actor} by ${by.actor}`,
    );
  };
  const show = async (side: Side) => {
    const { w, params } = at(side);
    return await w.call(showIssue, { params });
  };
  const issueOf = async (side: Side) => (await show(side)).issue;
  const linksOf = async (side: Side) => (await show(side)).links;
  const sync = async () => expect(await pull()).toMatchObject({ outcome: "current" });
  const params = { hub: sides.hub.params, copy: sides.copy.params };
  return { ...it, uid, params, edit, losses, issueOf, linksOf, sync };
}

describeStore("a hub and a copy that change one issue while they are disconnected", (open) => {
  test("keep both changes if each changes a different key of one metadata object", async () => {
    const { hub, spoke, params, issueOf, sync, expectOneHistory } = await given(open);
    const patch = async (w: World, at: typeof params.hub, env: object) => {
      hub.clock.advance(SECOND);
      const { issue } = await w.call(showIssue, { params: at });
      const now = (issue.metadata as { env?: object }).env ?? {};
      await w.call(patchIssueMetadata, {
        params: at,
        body: { patch: { env: { ...now, ...env } } },
      });
    };
    await patch(hub, params.hub, { shell: "sh" });
    await sync();
    await patch(hub, params.hub, { os: "linux" });
    await patch(spoke, params.copy, { cpu: "arm" });
    await sync();
    for (const side of ["hub", "copy"] as const)
      expect((await issueOf(side)).metadata).toEqual({
        env: { shell: "sh", os: "linux", cpu: "arm" },
      });
    await expectOneHistory();
  });

  test("both report that the copy's earlier change was overwritten by the hub's later one", async () => {
    const { edit, losses, issueOf, sync, expectOneHistory } = await given(open);
    await edit("copy", { body: "of ann" });
    await edit("hub", { body: "of bea" });
    await sync();
    await expectOneHistory();
    expect((await issueOf("copy")).body).toBe("of bea");
    expect(await losses("copy")).toEqual(["sam by bea"]);
    expect(await losses("hub")).toEqual(["sam by bea"]);
    await sync();
    expect(await losses("copy")).toEqual(["sam by bea"]);
  });

  test("both report that the hub's change was overwritten: the copy names its writer, the hub the enrollment's actor", async () => {
    const { edit, losses, issueOf, sync, expectOneHistory } = await given(open);
    await edit("hub", { title: "of bea", body: "of bea" });
    await edit("copy", { title: "of ann" });
    await sync();
    await expectOneHistory();
    expect((await issueOf("hub")).title).toBe("of ann");
    expect(await losses("copy")).toEqual(["bea by ann"]);
    expect(await losses("hub")).toEqual(["bea by sam"]);
  });

  test("report no overwritten change if each change was made after the one before was read", async () => {
    const { edit, losses, sync } = await given(open);
    for (const [side, title] of [
      ["copy", "b"],
      ["hub", "c"],
      ["copy", "d"],
    ] as const) {
      await edit(side, { title, body: title });
      await sync();
    }
    expect([await losses("copy"), await losses("hub")]).toEqual([[], []]);
  });

  test("report a later change of the other as a conflict of an undo, and send an undo like any other change", async () => {
    const { spoke, local, edit, issueOf, sync, expectOneHistory } = await given(open);
    const since = spoke.clock.now();
    await edit("copy", { title: "of ann", body: "of ann" });
    await edit("hub", { body: "of bea" });
    await sync();
    const params = { project_id: local.id };
    const body = { of_actor: "ann", since, actor: "ann" };
    const shown = await spoke.call(undoProject, { params, body: { ...body, dry_run: true } });
    expect(shown.conflicts).toMatchObject([{ field: "body", later: [{ actor: "bea" }] }]);
    await edit("copy", { body: "" });
    const until = spoke.clock.now();
    const plan = await spoke.call(undoProject, {
      params,
      body: { ...body, since: until, until, dry_run: true },
    });
    await spoke.call(undoProject, {
      params,
      body: { ...body, since: until, until },
      headers: { "x-svc-confirm": plan.confirm },
    });
    await sync();
    await expectOneHistory();
    expect(await issueOf("hub")).toMatchObject({ title: "of ann", body: "of bea" });
  });

  test("keep a link to an issue that the hub lacks in the copy alone, and send later changes", async () => {
    const { spoke, local, uid, edit, sync, issueOf, linksOf } = await given(open);
    const own = await spoke.given.issue({ project: await spoke.given.project("home") });
    const params = { project_id: local.id, ref: uid };
    const body = { type: "blocks" as const, to_ref: own.uid };
    expect((await spoke.call(createLink, { params, body })).warnings).toMatchObject([
      { code: "link_stays_here" },
    ]);
    const back = { type: "blocks" as const, to_ref: uid };
    expect((await spoke.call(createLink, { params: own.path, body: back })).warnings).toMatchObject(
      [{ code: "link_stays_here" }],
    );
    await edit("copy", { title: "b" });
    await sync();
    expect(await issueOf("hub")).toMatchObject({ title: "b" });
    expect(await linksOf("hub")).toEqual([]);
    expect(await linksOf("copy")).toMatchObject([
      { from: { uid }, to: { uid: own.uid } },
      { from: { uid: own.uid }, to: { uid } },
    ]);
  });
});
