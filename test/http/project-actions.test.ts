import { expect, test } from "vitest";
import { pollEvents } from "../../src/contract/activity.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { listAllIssues, listIssues, showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import { listLabels } from "../../src/contract/labels.ts";
import { applyPlan } from "../../src/contract/plans.ts";
import {
  detachProjectAlias,
  mergeProject,
  patchProjectMetadata,
  purgeProject,
  removeProject,
  restoreProject,
  rewriteAuthorIdentity,
} from "../../src/contract/project-actions.ts";
import { initProject, listProjects, showProject } from "../../src/contract/projects.ts";
import { moveIssue, purgeIssue } from "../../src/contract/removal.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const alias = (identity: string) => ({ identity, kind: "git" }) as const;

async function codeOf(refused: Promise<{ readonly code: string }>): Promise<string> {
  return (await refused).code;
}

async function archived(w: World, project_id: number) {
  return await w.call(removeProject, { params: { project_id }, query: { force: true } });
}

describeStore("the life of projects", (open) => {
  test("an archived project is hidden with its issues, loses its aliases and keeps its name", async () => {
    const w = await world({ store: open });
    const { project } = await w.call(initProject, { body: { name: "web", alias: alias("h/web") } });
    const params = { project_id: project.id };
    await w.given.issue({ project });
    const refused = await w.refused(removeProject, { params });
    expect(refused).toMatchObject({ code: "project_has_open_issues", data: { open_issues: 1 } });
    const removed = await w.call(removeProject, { params, query: { force: true } });
    expect(removed.project.deleted_at).toBe(w.clock.now());
    expect(JSON.parse(removed.event.payload)).toEqual({
      alias_count: 1,
      open_issues: 1,
      force: true,
    });
    expect(await codeOf(w.refused(removeProject, { params }))).toBe("project_already_archived");
    expect((await w.call(listAllIssues)).issues).toEqual([]);
    expect(await codeOf(w.refused(listIssues, { params }))).toBe("project_not_found");
    expect((await w.call(listProjects)).projects).toEqual([]);
    expect((await w.call(showProject, { params })).aliases).toEqual([]);
    const taken = await w.refused(initProject, { body: { name: "web" } });
    expect(taken.code).toBe("project_archived");
    const restored = await w.call(restoreProject, { params });
    expect(restored).toMatchObject({ changed: true, event: { type: "project.restored" } });
    expect((await w.call(listIssues, { params })).issues).toHaveLength(1);
    expect(await w.call(restoreProject, { params })).toMatchObject({ changed: false, event: null });
    await expectFolded(w.store);
  });

  test("a project without open issues is archived without force", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.given.closed(issue);
    const { event } = await w.call(removeProject, { params: issue.path });
    expect(JSON.parse(event.payload)).toEqual({ alias_count: 0, open_issues: 0 });
  });

  test("a purged project leaves a record; only its name is free again", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    const shop = await w.given.project("shop");
    const issue = await w.given.issue({ project, labels: ["x"] });
    const other = await w.given.issue({ project: shop });
    await w.given.link(other, "blocks", issue);
    await w.given.comment({ on: issue });
    const params = project.path;
    const headers = { "x-svc-confirm": "PURGE web" };
    expect(await codeOf(w.refused(purgeProject, { params, headers }))).toBe("project_not_archived");
    await archived(w, project.id);
    expect(await codeOf(w.refused(purgeProject, { params }))).toBe("confirm_required");
    const wrong = { "x-svc-confirm": "PURGE shop" };
    expect(await codeOf(w.refused(purgeProject, { params, headers: wrong }))).toBe(
      "confirm_mismatch",
    );
    const { purge_log: log } = await w.call(purgeProject, { params, headers });
    expect(log).toMatchObject({
      project_id: project.id,
      project_uid: project.uid,
      project_name: "web",
      issue_count: 1,
      comment_count: 1,
      link_count: 1,
      label_count: 1,
      alias_count: 0,
      event_count: 4,
      actor: "ann",
    });
    expect(await codeOf(w.refused(showProject, { params }))).toBe("project_not_found");
    expect(await codeOf(w.refused(purgeProject, { params, headers }))).toBe("project_not_found");
    const poll = await w.call(pollEvents);
    expect(poll).toMatchObject({
      reset_required: true,
      reset_after_id: log.purge_reset_after_event_id,
    });
    const again = await w.given.project("web");
    expect(again.id).toBeGreaterThan(shop.id);
    expect(again.uid).not.toBe(project.uid);
    await expectFolded(w.store);
  });

  test("renamed authors keep their new names in issues that are moved further after a merge or a purge", async () => {
    const w = await world({ store: open });
    const [first, second, away, last] = [
      await w.given.project("first"),
      await w.given.project("second"),
      await w.given.project("away"),
      await w.given.project("last"),
    ];
    const rename = async ({ path }: typeof first, from: string, to: string) =>
      await w.call(rewriteAuthorIdentity, { params: path, body: { from, to } });
    const move = async (uid: string, from: typeof first, to: typeof first) => {
      const params = { project_id: from.id, ref: uid };
      const revision = (await w.call(showIssueByUID, { params: { uid } })).issue.revision;
      await w.call(moveIssue, {
        params,
        headers: { "if-match": `"rev-${revision}"` },
        body: { to_project_uid: to.uid },
      });
    };
    const issue = await w.given.issue({ project: first });
    const { comment } = await w.given.comment({ on: issue, author: "ann" });
    const other = await w.given.issue({ project: first });
    await w.given.issue({ project: second });
    await rename(first, "ann", "bea");
    await w.call(mergeProject, { params: second.path, body: { source_project_id: first.id } });
    await rename(second, "bea", "cyd");
    await move(issue.uid, second, away);
    await move(other.uid, second, last);
    await rename(second, "ann", "eli");
    const confirm = (name: string) => ({ "x-svc-confirm": `PURGE ${name}` });
    const purge = async ({ id, path, name }: typeof first) => {
      await archived(w, id);
      await w.call(purgeProject, { params: path, headers: confirm(name) });
      await expectFolded(w.store);
    };
    await purge(second);
    const kept = (await w.events()).filter(({ type }) => type.startsWith("project."));
    // The purge keeps neither the creation of the purged project nor the new name that the project got when no kept
    // issue was in it.
    expect(kept.map(({ type, payload }) => [type, "to" in payload ? payload.to : ""])).toEqual([
      ["project.created", ""],
      ["project.created", ""],
      ["project.author_rewritten", "bea"],
      ["project.merged", ""],
      ["project.author_rewritten", "cyd"],
    ]);
    await move(issue.uid, away, last);
    await purge(away);
    const shown = await w.call(showIssueByUID, { params: { uid: issue.uid } });
    expect(shown).toMatchObject({
      issue: { author: "cyd", qualified_id: `last#${issue.short_id}` },
      comments: [{ uid: comment.uid, author: "cyd" }],
    });
    expect((await w.call(showIssueByUID, { params: { uid: other.uid } })).issue.author).toBe("cyd");
  });

  test("the local id of a purged project is not reused, even if it was the last one", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    await archived(w, project.id);
    await w.call(purgeProject, { params: project.path, headers: { "x-svc-confirm": "PURGE web" } });
    expect((await w.given.project("next")).id).toBe(project.id + 1);
  });

  test("an issue that moved out before the purge survives with its history", async () => {
    const w = await world({ store: open });
    const [project, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const issue = await w.given.issue({ project, title: "kept" });
    await w.call(moveIssue, {
      params: issue.path,
      headers: { "if-match": '"rev-1"' },
      body: { to_project_uid: shop.uid },
    });
    await archived(w, project.id);
    await w.call(purgeProject, { params: project.path, headers: { "x-svc-confirm": "PURGE web" } });
    const { issue: kept } = await w.call(showIssueByUID, { params: { uid: issue.uid } });
    expect(kept).toMatchObject({ title: "kept", qualified_id: `shop#${issue.short_id}` });
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.moved"]);
    expect((await w.events()).map(({ feed_uid }) => feed_uid)).toContain(shop.uid);
    await expectFolded(w.store);
  });
});

describeStore("metadata, aliases and names of projects", (open) => {
  test("a metadata patch merges key by key, and null removes a key", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project();
    const patch = async (of: object, headers = {}) =>
      await w.call(patchProjectMetadata, { params, headers, body: { patch: of as never } });
    expect(await patch({ area: "shop", n: 1 })).toMatchObject({
      changed: true,
      project: { revision: 2, metadata: { area: "shop", n: 1 } },
      event: { type: "project.metadata_updated" },
    });
    expect(await patch({ area: "shop" })).toMatchObject({ changed: false, event: null });
    const last = await patch({ n: null, none: null }, { "if-match": '"rev-2"' });
    expect(last.project).toMatchObject({ revision: 3, metadata: { area: "shop" } });
    const response = await w.send(patchProjectMetadata, { params, body: { patch: {} } });
    expect(response.headers.get("etag")).toBe('"rev-3"');
    await expectFolded(w.store);
  });

  test.each([
    ["a stale revision", { a: 1 }, { "if-match": '"rev-9"' }, "revision_conflict"],
    ["a weak tag", { a: 1 }, { "if-match": 'W/"rev-1"' }, "validation"],
    ["an area that is no text", { area: 1 }, {}, "invalid_metadata_value"],
    ["an unknown role", { role: "outbox" }, {}, "invalid_metadata_value"],
    ["a role and another key", { role: "inbox", a: 1 }, {}, "invalid_inbox_designation"],
    ["an empty key", { "": 1 }, {}, "validation"],
  ] as const)("a metadata patch with %s is refused", async (_, patch, headers, code) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project();
    const before = (await w.events()).length;
    expect(
      await codeOf(w.refused(patchProjectMetadata, { params, headers, body: { patch } })),
    ).toBe(code);
    expect(await w.events()).toHaveLength(before);
  });

  test("only one project is the inbox, even after a former inbox is restored", async () => {
    const w = await world({ store: open });
    const [a, b] = [await w.given.project("a"), await w.given.project("b")];
    const body = { patch: { role: "inbox" } };
    await w.call(patchProjectMetadata, { params: a.path, body });
    expect(await w.call(patchProjectMetadata, { params: a.path, body })).toMatchObject({
      changed: false,
    });
    const refused = await w.refused(patchProjectMetadata, { params: b.path, body });
    expect(refused).toMatchObject({ code: "invalid_inbox_designation", data: { project: "a" } });
    await archived(w, a.id);
    await w.call(patchProjectMetadata, { params: b.path, body });
    const { project } = await w.call(restoreProject, { params: a.path });
    expect(project.metadata).toEqual({});
  });

  test("an alias can be detached, but the last one only with force", async () => {
    const w = await world({ store: open });
    const { project, alias: first } = await w.call(initProject, {
      body: { name: "web", alias: alias("h/one") },
    });
    const { alias: second } = await w.call(initProject, {
      body: { name: "web", alias: alias("h/two") },
    });
    const path = (alias_id = 0) => ({ project_id: project.id, alias_id });
    const detached = await w.call(detachProjectAlias, { params: path(first?.id) });
    expect(detached).toMatchObject({
      alias: { alias_identity: "h/one" },
      event: { type: "project.alias_removed" },
    });
    expect(await codeOf(w.refused(detachProjectAlias, { params: path(first?.id) }))).toBe(
      "alias_not_found",
    );
    expect(await codeOf(w.refused(detachProjectAlias, { params: path(second?.id) }))).toBe(
      "alias_is_last",
    );
    const query = { force: true };
    const last = await w.call(detachProjectAlias, { params: path(second?.id), query });
    expect(JSON.parse(last.event.payload)).toMatchObject({ was_last: true, force: true });
    await expectFolded(w.store);
  });

  test("renaming an author changes the stored rows with exactly this name, with one event", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ owner: "ann" });
    const other = await w.given.issue({ actor: "Ann", owner: "ann" });
    await w.given.comment({ on: issue });
    await w.given.comment({ on: issue, author: "bob" });
    await w.given.link(issue, "blocks", other);
    await w.given.deleted(other);
    const body = { from: "ann", to: "bea" };
    const rewritten = await w.call(rewriteAuthorIdentity, { params: issue.path, body });
    const counts = {
      issue_authors: 1,
      issue_owners: 2,
      comment_authors: 1,
      link_authors: 1,
      total: 5,
    };
    expect(rewritten).toMatchObject({ changed: true, ...counts });
    expect(JSON.parse(rewritten.event?.payload ?? "")).toMatchObject({ ...body, ...counts });
    const shown = await w.call(showIssue, { params: issue.path });
    expect(shown.issue).toMatchObject({ author: "bea", owner: "bea", revision: 2 });
    expect(shown.comments.map(({ author }) => author)).toEqual(["bea", "bob"]);
    const again = await w.call(rewriteAuthorIdentity, { params: issue.path, body });
    expect(again).toMatchObject({ changed: false, total: 0, event: null });
    const same = { from: "bea", to: "bea" };
    expect(await w.call(rewriteAuthorIdentity, { params: issue.path, body: same })).toMatchObject({
      changed: false,
      total: 0,
    });
    const created = (await w.events()).find(({ type }) => type === "issue.created");
    expect(created?.payload).toMatchObject({ author: "ann" });
    await expectFolded(w.store);
  });

  test.each([
    { from: "", to: "b" },
    { from: "a", to: " " },
  ])("renaming an author is refused if a name is blank: %j", async (body) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project();
    expect(await codeOf(w.refused(rewriteAuthorIdentity, { params, body }))).toBe("validation");
  });
});

describeStore("merging projects", (open) => {
  test("moves everything of the source to the target and removes the source", async () => {
    const w = await world({ store: open });
    const { project: web } = await w.call(initProject, {
      body: { name: "web", alias: alias("h/web") },
    });
    const shop = await w.given.project("shop");
    const issue = await w.given.issue({ project: web, title: "parser", labels: ["bug"] });
    const there = await w.given.issue({ project: shop, labels: ["bug"] });
    await w.given.link(issue, "parent", there);
    const merged = await w.call(mergeProject, {
      params: shop.path,
      body: { source_project_id: web.id, target_name: "web" },
    });
    expect(merged).toMatchObject({
      source: { uid: web.uid, name: "web" },
      target: { uid: shop.uid, name: "web" },
      issues_moved: 1,
      aliases_moved: 1,
      events_moved: 4,
      purge_logs_moved: 0,
    });
    expect(await codeOf(w.refused(showProject, { params: { project_id: web.id } }))).toBe(
      "project_not_found",
    );
    const params = shop.path;
    const { issues } = await w.call(listIssues, { params });
    expect(issues.map(({ uid }) => uid).sort()).toEqual([issue.uid, there.uid].sort());
    expect(issues.map(({ qualified_id }) => qualified_id)).toEqual(
      issues.map(({ short_id }) => `web#${short_id}`),
    );
    expect((await w.call(listLabels, { params })).labels).toEqual([{ label: "bug", count: 2 }]);
    const found = await w.call(searchIssues, { params, query: { q: "parser" } });
    expect(found.results.map((result) => result.issue.uid)).toEqual([issue.uid]);
    const { events } = await w.call(pollEvents);
    expect(new Set(events.map(({ project_name }) => project_name))).toEqual(new Set(["web"]));
    expect(events.map(({ type }) => type).slice(-2)).toEqual(["project.merged", "project.renamed"]);
    await expectFolded(w.store);
  });

  test("lengthens a short id of the source that the target has or had", async () => {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const issue = await w.given.issue({ project: web });
    await w.append({
      type: "issue.created",
      actor: "ann",
      project_uid: shop.uid,
      issue_uid: "01KDVDNA00000000000000ZZZZ",
      payload: {
        uid: "01KDVDNA00000000000000ZZZZ",
        short_id: issue.short_id,
        title: "the same id",
        body: "",
        author: "ann",
        status: "open",
        metadata: {},
        created_at: w.clock.now(),
      },
    });
    const merged = await w.call(mergeProject, {
      params: shop.path,
      body: { source_project_id: web.id },
    });
    const [extension] = merged.short_id_extensions;
    expect(extension).toMatchObject({ uid: issue.uid, pre_merge_short_id: issue.short_id });
    expect(extension?.post_merge_short_id).toBe(issue.uid.slice(-5).toLowerCase());
    const ref = issue.uid.slice(-5);
    const shown = await w.call(showIssue, { params: { ...shop.path, ref } });
    expect(shown.issue.uid).toBe(issue.uid);
    await expectFolded(w.store);
  });

  test("keeps the records of purged issues in the target, and their ids stay reserved", async () => {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    const { path, qualified_id, short_id } = await w.given.issue({ project: web });
    const headers = { "x-svc-confirm": `PURGE ${qualified_id}` };
    await w.call(purgeIssue, { params: path, headers });
    const body = { source_project_id: web.id };
    const merged = await w.call(mergeProject, { params: shop.path, body });
    expect(merged).toMatchObject({ issues_moved: 0, purge_logs_moved: 1 });
    const taken = await w.store.read(async ({ issues }) => {
      return await issues.shortIdTaken(shop.uid, short_id);
    });
    expect(taken).toBe(true);
    expect((await w.given.project("next")).id).toBe(3);
  });

  test("is refused for the project itself, archived projects, taken names and duplicate imports", async () => {
    const w = await world({ store: open });
    const [a, b, old] = [
      await w.given.project("a"),
      await w.given.project("b"),
      await w.given.project("old"),
    ];
    await archived(w, old.id);
    const merge = async (into: typeof a, source_project_id: number, target_name?: string) => {
      const body = { source_project_id, ...(target_name === undefined ? {} : { target_name }) };
      return await codeOf(w.refused(mergeProject, { params: into.path, body }));
    };
    expect(await merge(a, a.id)).toBe("validation");
    expect(await merge(a, old.id)).toBe("project_merge_archived_source");
    expect(await merge(old, a.id)).toBe("project_merge_archived_target");
    expect(await merge(a, 99)).toBe("project_not_found");
    expect(await merge(a, b.id, "old")).toBe("project_archived");
    await w.given.project("c");
    expect(await merge(a, b.id, "c")).toBe("conflict");
    const item = {
      external_id: "1",
      title: "one",
      author: "ann",
      status: "open",
      created_at: w.clock.now(),
      updated_at: w.clock.now(),
    } as const;
    for (const { path: params } of [a, b])
      await w.call(importIssues, { params, body: { source: "s", items: [item] } });
    const refused = await w.refused(mergeProject, {
      params: a.path,
      body: { source_project_id: b.id },
    });
    expect(refused).toMatchObject({
      code: "project_merge_import_mapping_collision",
      data: { mappings: [{ source: "s", external_id: "1" }] },
    });
    await expectFolded(w.store);
  });

  test("renames a plan whose name both projects have, and each plan can be applied again", async () => {
    const w = await world({ store: open });
    const [into, from] = [await w.given.project("a"), await w.given.project("b")];
    const issues = [{ name: "one", title: "One" }];
    for (const { path: params } of [into, from]) {
      await w.call(applyPlan, { params, body: { plan: "x", issues } });
      await w.call(applyPlan, { params, body: { plan: `only-${params.project_id}`, issues } });
    }
    await w.call(applyPlan, { params: into.path, body: { plan: "x-2", issues } });
    const merged = await w.call(mergeProject, {
      params: into.path,
      body: { source_project_id: from.id },
    });
    expect(merged.plans_renamed).toEqual([{ from: "x", to: "x-3" }]);
    await expectFolded(w.store);
    const again = async (plan: string) => {
      const more = [...issues, { name: "two", title: `Two of ${plan}` }];
      const applied = await w.call(applyPlan, { params: into.path, body: { plan, issues: more } });
      return { created: applied.created, first: applied.issues[0]?.uid };
    };
    const [x, x3] = [await again("x"), await again("x-3")];
    expect([x.created, x3.created]).toEqual([1, 1]);
    expect(x.first).not.toBe(x3.first);
    await expectFolded(w.store);
  });
});
