import { expect, test } from "vitest";
import { enableProjectFederation } from "../../src/contract/federation.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { uid } from "../store/drafts.ts";
import { expectFolded } from "../store/fold.ts";
import { makeHub } from "../support/federated.ts";
import { about, MINUTE, otherDaemons, retitled } from "../support/foreign.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";

const COPY = { role: "spoke", hub_url: "https://hub.example" } as const;
const OTHER = { origin_instance_uid: uid(902) };

async function undone(w: World, of_actor: string, since: string) {
  const body = { of_actor, since, actor: "cat" };
  const shown = await w.call(undoGlobal, { body: { ...body, dry_run: true } });
  const carryOut = async () =>
    await w.call(undoGlobal, { body, headers: { "x-svc-confirm": shown.confirm } });
  const refusal = async () =>
    await w.refused(undoGlobal, { body, headers: { "x-svc-confirm": shown.confirm } });
  return { shown, carryOut, refusal };
}

async function hub(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const issue = await w.given.issue({ project, title: "a" });
  await w.call(enableProjectFederation, { params: project.path, body: {} });
  const others = otherDaemons(w);
  const titleOf = async () => (await w.call(showIssue, { params: issue.path })).issue.title;
  const edit = async (title: string, actor: string) =>
    await w.call(editIssue, { params: issue.path, body: { title, actor } });
  return { w, project, issue, ...others, titleOf, edit };
}

describeStore("an undo on a hub beside late events of spokes", (open) => {
  test("is not stopped by a change that arrived later but is folded earlier, and restores the value of that change", async () => {
    const { w, issue, pushed, titleOf, edit } = await hub(open);
    w.clock.advance(10 * MINUTE);
    const since = w.clock.now();
    await edit("b", "bea");
    await pushed(retitled(issue, "sam", "c", "a"), 5 * MINUTE);
    expect(await titleOf()).toBe("b");
    const { shown, carryOut } = await undone(w, "bea", since);
    expect(shown.conflicts).toEqual([]);
    expect(shown.reverts).toMatchObject([{ field: "title", from: "b", to: "c" }]);
    await carryOut();
    expect(await titleOf()).toBe("c");
    await expectFolded(w.store);
  });

  test("is stopped by a change that arrived later and is folded later, and names the author of that change", async () => {
    const { w, issue, pushed, titleOf, edit } = await hub(open);
    w.clock.advance(10 * MINUTE);
    const since = w.clock.now();
    await edit("b", "bea");
    await pushed(retitled(issue, "sam", "c", "a"), 20 * MINUTE);
    expect(await titleOf()).toBe("c");
    const { shown, refusal } = await undone(w, "bea", since);
    expect(shown.conflicts).toMatchObject([
      { field: "title", reason: "changed_later", later: [{ actor: "sam" }] },
    ]);
    expect((await refusal()).message).toContain("changed later by sam");
    expect(await titleOf()).toBe("c");
  });

  test("is stopped by a change that arrived earlier and is folded later", async () => {
    const { w, issue, pushed, titleOf } = await hub(open);
    w.clock.advance(30 * MINUTE);
    await pushed(retitled(issue, "sam", "c", "a"), 20 * MINUTE);
    await pushed(retitled(issue, "kim", "d", "a"), 10 * MINUTE, OTHER);
    expect(await titleOf()).toBe("c");
    const { shown } = await undone(w, "kim", "2026-01-01T00:00:00Z");
    expect(shown.conflicts).toMatchObject([{ later: [{ actor: "sam" }] }]);
    const { shown: last, carryOut } = await undone(w, "sam", "2026-01-01T00:00:00Z");
    expect(last.reverts).toMatchObject([{ field: "title", from: "c", to: "d" }]);
    await carryOut();
    expect(await titleOf()).toBe("d");
    await expectFolded(w.store);
  });

  test("takes back what was changed before the project was federated", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const issue = await w.given.issue({ project, title: "a" });
    w.clock.advance(MINUTE);
    const since = w.clock.now();
    const params = issue.path;
    await w.call(editIssue, { params, body: { title: "b", actor: "bea" } });
    await w.call(addLabel, { params, body: { label: "bug", actor: "bea" } });
    await w.call(enableProjectFederation, { params: project.path, body: {} });
    const { shown, carryOut } = await undone(w, "bea", since);
    expect(shown).toMatchObject({
      conflicts: [],
      reverts: [{ field: "title" }, { field: "label" }],
    });
    await carryOut();
    expect((await w.call(showIssue, { params })).issue).toMatchObject({ title: "a", labels: [] });
    await expectFolded(w.store);
  });
});

async function copy(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const issue = await w.given.issue({ project, title: "a" });
  await makeHub(w, project, { ...COPY, push_enabled: 1, bound_actor: "sam" });
  const others = otherDaemons(w);
  await others.baselined(project.uid);
  w.clock.advance(10 * MINUTE);
  const since = w.clock.now();
  const edit = async (actor: string, fields: { title?: string; body?: string }) =>
    await w.call(editIssue, { params: issue.path, body: { ...fields, actor } });
  const shown = async () => (await w.call(showIssue, { params: issue.path })).issue;
  return { w, project, issue, since, ...others, edit, shown };
}

describeStore("an undo on a copy that sends its events", (open) => {
  test("an undo takes back what the named person wrote, and nothing of others whose events have the same actor", async () => {
    const { w, since, edit, shown } = await copy(open);
    await edit("ann", { title: "of ann" });
    await edit("ben", { body: "of ben" });
    await edit("sam", { title: "of ann, mended" });
    const ofSam = await undone(w, "sam", since);
    expect(ofSam.shown).toMatchObject({ event_count: 1, reverts: [{ to: "of ann" }] });
    await ofSam.carryOut();
    const { shown: plan, carryOut } = await undone(w, "ann", since);
    expect(plan).toMatchObject({ event_count: 1, reverts: [{ field: "title", to: "a" }] });
    await carryOut();
    expect(await shown()).toMatchObject({ title: "a", body: "of ben" });
    const last = (await w.events()).at(-1);
    expect(last).toMatchObject({ type: "issue.updated", actor: "sam", local_actor: "cat" });
    await expectFolded(w.store);
  });

  test("an undo names the person who built on a change that it would take back", async () => {
    const { w, since, edit } = await copy(open);
    await edit("ann", { title: "b" });
    await edit("ben", { title: "c" });
    const { shown } = await undone(w, "ann", since);
    expect(shown.conflicts).toMatchObject([{ later: [{ actor: "ben" }] }]);
    expect(shown.conflicts[0]?.message).toContain("changed later by ben");
  });

  test("an undo follows the order of the fold when the hub sends late events", async () => {
    const { w, issue, since, edit, pulled, shown } = await copy(open);
    await edit("ann", { title: "b" });
    await pulled(retitled(issue, "kim", "c", "a"), 5 * MINUTE, 2);
    const before = await undone(w, "ann", since);
    expect(before.shown).toMatchObject({ conflicts: [], reverts: [{ from: "b", to: "c" }] });
    await pulled(retitled(issue, "kim", "d", "c"), 20 * MINUTE, 3);
    const { shown: after } = await undone(w, "ann", since);
    expect(after.conflicts).toMatchObject([{ later: [{ actor: "kim" }] }]);
    expect(await shown()).toMatchObject({ title: "d" });
  });

  test("an undo finds and dates changes by their writer, not by the bound actor", async () => {
    const { w, since, edit } = await copy(open);
    for (const title of ["b", "c", "d"]) {
      await edit("ann", { title });
      await edit("ben", { body: title });
      w.clock.advance(MINUTE);
    }
    const span = { since, until: w.clock.now() };
    const read = async (actor: string) =>
      await w.store.read(async ({ past }) => ({
        first: (await past.by(actor, span, 2)).map(({ payload }) => payload),
        last: await past.timeOf(actor, span, 0),
        third: await past.timeOf(actor, span, 2),
      }));
    expect(await read("ann")).toMatchObject({
      first: [{ title: "b" }, { title: "c" }],
      last: expect.stringContaining("00:12:00") as string,
      third: since,
    });
    expect(await read("sam")).toEqual({ first: [], last: undefined, third: undefined });
  });

  test("an undo leaves out events that were skipped and never reach the hub", async () => {
    const { w, since, edit, shown } = await copy(open);
    await edit("ann", { title: "b" });
    await edit("ann", { body: "text" });
    const skipped = (await w.events()).at(-2)?.uid ?? "";
    await w.store.write(async (tx) => await tx.skipEvents([skipped]));
    const { shown: plan, carryOut } = await undone(w, "ann", since);
    expect(plan).toMatchObject({ event_count: 1, reverts: [{ field: "body" }] });
    await carryOut();
    expect(await shown()).toMatchObject({ title: "a", body: "" });
  });

  test("an undo takes a change back again if the events of the first undo were skipped and never reach the hub", async () => {
    const { w, issue, since, edit, shown } = await copy(open);
    await edit("ann", { title: "b" });
    await (await undone(w, "ann", since)).carryOut();
    const undoing = (await w.events()).at(-1)?.uid ?? "";
    await w.store.write(async (tx) => await tx.skipEvents([undoing]));
    expect((await shown()).title).toBe("b");
    const again = await undone(w, "ann", since);
    expect(again.shown).toMatchObject({ undone_before: 0, reverts: [{ field: "title", to: "a" }] });
    await again.carryOut();
    expect((await shown()).title).toBe("a");
    expect(issue.title).toBe("a");
  });

  test("an undo of a label keeps the label if another daemon set it too", async () => {
    const { w, issue, since, pulled, shown } = await copy(open);
    await w.call(addLabel, { params: issue.path, body: { label: "bug", actor: "ann" } });
    const labeled = { label: "bug", updated_at: since };
    await pulled(about(issue, "issue.labeled", "kim", labeled), 5 * MINUTE, 2);
    const { shown: plan } = await undone(w, "ann", since);
    expect(plan).toMatchObject({ reverts: [], conflicts: [] });
    expect((await shown()).labels).toEqual(["bug"]);
  });
});
