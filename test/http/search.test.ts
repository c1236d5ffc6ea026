import { expect, test } from "vitest";
import { editComment } from "../../src/contract/comments.ts";
import { createIssue, editIssue } from "../../src/contract/issues.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

describeStore("search", (open) => {
  test("finds an issue by a word of its title, body or comment at once, and says where it matched", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const [title, body] = [
      await w.given.issue({ project, title: "Falcon lands" }),
      await w.given.issue({ project, title: "two", body: "the FALCON is up" }),
    ];
    const comment = await w.given.issue({ project, title: "three" });
    await w.given.comment({ on: comment, body: "saw a falcon" });
    const found = await w.call(searchIssues, { params: project.path, query: { q: " Falcon " } });
    expect(found).toMatchObject({ query: " Falcon ", mode: "lexical" });
    expect(found).not.toHaveProperty("degraded");
    const where = new Map(found.results.map(({ issue, matched_in }) => [issue.uid, matched_in]));
    expect(where).toEqual(
      new Map([
        [title.uid, ["title"]],
        [body.uid, ["body"]],
        [comment.uid, ["comments"]],
      ]),
    );
  });

  test("returns whole issues, best first", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const filler = await w.given.issue({ project, title: "unrelated", labels: ["ui"] });
    const weak = await w.given.issue({
      project,
      title: "a long title about many other things and also a falcon",
      body: "and a body with still more words that say nothing of the bird",
    });
    const strong = await w.given.issue({ project, title: "falcon", labels: ["bird"] });
    await w.given.link(filler, "blocks", strong);
    const { results } = await w.call(searchIssues, {
      params: project.path,
      query: { q: "falcon" },
    });
    expect(results.map(({ issue }) => issue.uid)).toEqual([strong.uid, weak.uid]);
    expect(results[0]?.issue).toMatchObject({
      labels: ["bird"],
      blocked: true,
      blocked_by: [{ uid: filler.uid }],
      qualified_id: strong.qualified_id,
    });
    const [first, second] = results.map(({ score }) => score);
    expect(first).toBeGreaterThan(second ?? Number.NaN);
  });

  test("requires all words, in any order and letter case, ignoring accents", async () => {
    const w = await world({ store: open });
    const { params, uid } = await one(w, "Crème brûlée at the Café");
    expect(await hits(w, params, "cafe creme")).toEqual([uid]);
    expect(await hits(w, params, "CAFÉ BRULEE")).toEqual([uid]);
    expect(await asTyped(w, params, "cafe tea")).toEqual([]);
  });

  test.each([
    ['"'],
    ['""'],
    ["*"],
    ["falc*"],
    ["NEAR(a b)"],
    ["nothing OR falcon"],
    ["falcon OR"],
    ["-falcon nothing"],
    ["title:falcon"],
    ["falcon NOT hawk"],
    ["'; drop table issue; --"],
    ["a & b | !c <-> d"],
    ["\\"],
    ["(("],
    ["🦅"],
  ])("%j is read as words, not as a query language", async (q) => {
    const w = await world({ store: open });
    const { params } = await one(w, "falcon and hawk");
    expect(await asTyped(w, params, q)).toEqual([]);
  });

  test("punctuation beside words is ignored", async () => {
    const w = await world({ store: open });
    const { params, uid } = await one(w, "falcon: (hawk) foo-bar");
    expect(await hits(w, params, 'falcon !!! "hawk"')).toEqual([uid]);
    expect(await hits(w, params, "foo-bar")).toEqual([uid]);
    expect(await asTyped(w, params, "bar-foo")).toEqual([]);
  });

  test("words removed by an edit are no longer found", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const issue = await w.given.issue({ project, title: "falcon", body: "hawk" });
    const { comment } = await w.given.comment({ on: issue, body: "eagle" });
    await w.call(editIssue, { params: issue.path, body: { title: "sparrow", body: "finch" } });
    await w.call(editComment, { params: comment.path, body: { body: "wren" } });
    for (const gone of ["falcon", "hawk", "eagle"]) {
      expect(await hits(w, project.path, gone)).toEqual([]);
    }
    for (const there of ["sparrow", "finch", "wren"]) {
      expect(await hits(w, project.path, there)).toEqual([issue.uid]);
    }
  });

  test("required and excluded labels apply before the limit, in any letter case", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const params = project.path;
    const wanted: string[] = [];
    for (let at = 0; at < 30; at += 1) {
      const labels = at % 3 === 0 ? ["a", "b"] : at % 3 === 1 ? ["a", "b", "c"] : ["a"];
      const issue = await w.given.issue({ project, title: `falcon ${at}`, labels });
      if (at % 3 === 0) wanted.push(issue.uid);
    }
    const query = { q: "falcon", limit: 10, label: ["A", "b"], exclude_label: ["C"] };
    const { results } = await w.call(searchIssues, { params, query });
    expect(results.map(({ issue }) => issue.uid).sort()).toEqual(wanted.sort());
  });

  test("the number of hits is as requested, and the answer says when more were left out", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const params = project.path;
    for (let at = 0; at < 160; at += 1) await w.given.issue({ project, title: `falcon ${at}` });
    const found = async (limit: number) => {
      const query = { q: "falcon", limit, max_bytes: 0 };
      const { results, truncated = false } = await w.call(searchIssues, { params, query });
      return [results.length, truncated];
    };
    expect(await found(130)).toEqual([130, true]);
    expect(await found(159)).toEqual([159, true]);
    expect(await found(160)).toEqual([160, false]);
    expect(await found(200)).toEqual([160, false]);
  });

  test("filters of a list apply to a search too", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const [mine, closed, other] = [
      await w.given.issue({ project, title: "falcon mine", owner: "ann", priority: 1 }),
      await w.given.issue({ project, title: "falcon closed", owner: "ann" }),
      await w.given.issue({ project, title: "falcon free", metadata: { area: "ui" } }),
    ];
    await w.given.closed(closed);
    await w.given.link(mine, "blocks", other);
    await w.given.link(other, "parent", mine);
    const found = async (query: object) => {
      const asked = { params: project.path, query: { q: "falcon", ...query } };
      return (await w.call(searchIssues, asked)).results.map(({ issue }) => issue.uid).sort();
    };
    expect(await found({ status: "open" })).toEqual([mine.uid, other.uid].sort());
    expect(await found({ status: "closed" })).toEqual([closed.uid]);
    expect(await found({ status: "" })).toHaveLength(3);
    expect(await found({ owner: "ann" })).toEqual([mine.uid, closed.uid].sort());
    expect(await found({ unowned: true })).toEqual([other.uid]);
    expect(await found({ priority: "1" })).toEqual([mine.uid]);
    expect(await found({ max_priority: "0" })).toEqual([]);
    expect(await found({ blocked: true })).toEqual([other.uid]);
    expect(await found({ parent_uid: mine.uid })).toEqual([other.uid]);
    expect(await found({ meta: ["area=ui"] })).toEqual([other.uid]);
    expect(await found({ owner: "ann", status: "open", q: mine.short_id })).toEqual([mine.uid]);
    expect(await found({ owner: "bea", q: mine.short_id })).toEqual([]);
  });

  test.each([
    ["status=done", "status"],
    ["priority=5", "priority"],
    ["changed_since=yesterday", "changed_since"],
    ["owner=ann&unowned=true", "exclude each other"],
    ["meta==ui", "meta"],
  ])("a search with the query string %s is refused", async (query, reason) => {
    const w = await world({ store: open });
    const { params } = await one(w, "falcon");
    const path = `/api/v1/projects/${params.project_id}/search?q=falcon&${query}`;
    const answer = await w.app.fetch(new Request(`http://svc.invalid${path}`));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(reason);
  });

  test("closed issues are found, deleted ones only on request, those of other projects never", async () => {
    const w = await world({ store: open });
    const [project, other] = [await w.given.project("web"), await w.given.project("shop")];
    const closed = await w.given.issue({ project, title: "falcon closed" });
    const deleted = await w.given.issue({ project, title: "falcon deleted" });
    await w.given.issue({ project: other, title: "falcon elsewhere" });
    await w.given.closed(closed);
    await w.given.deleted(deleted);
    expect(await hits(w, project.path, "falcon")).toEqual([closed.uid]);
    const all = await w.call(searchIssues, {
      params: project.path,
      query: { q: "falcon", include_deleted: true },
    });
    expect(all.results.map(({ issue }) => issue.uid).sort()).toEqual(
      [closed.uid, deleted.uid].sort(),
    );
  });

  test.each([
    [undefined, 20],
    [0, 20],
    [-1, 20],
    [1, 1],
    [21, 21],
    [200, 22],
    [1000, 22],
  ])("with a limit of %s, a search with 22 hits returns %i", async (limit, count) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project();
    for (let at = 0; at < 22; at += 1) {
      await w.call(createIssue, { params, body: { title: `falcon ${at}`, force_new: true } });
    }
    const query = { q: "falcon", ...(limit === undefined ? {} : { limit }) };
    const { results } = await w.call(searchIssues, { params, query });
    expect(results).toHaveLength(count);
  });

  test.each([["auto"], ["lexical"], [""]] as const)(
    "mode %j searches by words when no other method is available",
    async (mode) => {
      const w = await world({ store: open });
      const { params } = await one(w, "falcon");
      const found = await w.call(searchIssues, { params, query: { q: "falcon", mode } });
      expect(found.mode).toBe("lexical");
      expect(found.results).toHaveLength(1);
    },
  );

  test.each([
    ["a blank query", { q: " \t" }, "q: must not be blank"],
    ["no query", {}, "q: is required"],
    ["hybrid search that is not set up", { q: "x", mode: "hybrid" }, /^mode: hybrid search is not/],
    ["semantic search that is not set up", { q: "x", mode: "semantic" }, /^mode: semantic search/],
    ["an unknown mode", { q: "x", mode: "fuzzy" }, /^mode: must be "auto" or/],
    ["a limit that is no number", { q: "x", limit: "ten" }, "limit: must be a number"],
  ])("%s is refused", async (_, query, message) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project();
    // A cast, because the type of the query does not allow what the schema must refuse.
    const refused = await w.refused(searchIssues, { params, query: query as { q: string } });
    expect(refused).toMatchObject({ code: "validation", message: expect.stringMatching(message) });
  });

  test("a missing or archived project cannot be searched", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    await w.given.archived(project);
    for (const project_id of [project.id, 99]) {
      const refused = await w.refused(searchIssues, { params: { project_id }, query: { q: "x" } });
      expect(refused.code).toBe("project_not_found");
    }
  });
});

async function one(w: World, title: string) {
  const project = await w.given.project();
  const { uid } = await w.given.issue({ project, title });
  return { params: project.path, uid };
}

async function hits(w: World, params: { project_id: number }, q: string) {
  const { results } = await w.call(searchIssues, { params, query: { q } });
  return results.map(({ issue }) => issue.uid);
}

/** Returns the hits that contain all words as they are typed. */
async function asTyped(w: World, params: { project_id: number }, q: string) {
  const { results } = await w.call(searchIssues, { params, query: { q } });
  return results.flatMap(({ issue, matched }) => (matched === "words" ? [issue.uid] : []));
}
