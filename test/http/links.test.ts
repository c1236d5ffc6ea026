import { expect, test } from "vitest";
import { systemIds } from "../../src/base/ids.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { createLink, deleteLink } from "../../src/contract/links.ts";
import { expectFolded } from "../store/fold.ts";
import { describePostgres, describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

describeStore("links", (open) => {
  test("a blocks link is stored from the blocker to the blocked issue", async () => {
    const w = await world({ store: open });
    const [one, two] = await issues(w);
    const made = await w.call(createLink, {
      params: one.path,
      body: { type: "blocks", to_ref: two.short_id, actor: "bea" },
    });
    expect(made).toMatchObject({
      changed: true,
      issue: { uid: one.uid, blocks: [{ uid: two.uid, qualified_id: two.qualified_id }] },
      link: { type: "blocks", from: { uid: one.uid }, to: { uid: two.uid }, author: "bea" },
      event: { type: "issue.linked", issue_uid: one.uid, related_issue_uid: two.uid },
    });
    const shown = await w.call(showIssue, { params: two.path });
    expect(shown.links).toEqual([made.link]);
  });

  test("a related link is stored once, whichever end makes it", async () => {
    const w = await world({ store: open });
    const [older, younger] = await issues(w);
    const body = { type: "related" as const };
    const made = await w.call(createLink, {
      params: younger.path,
      body: { ...body, to_ref: older.uid },
    });
    const back = await w.call(createLink, {
      params: older.path,
      body: { ...body, to_ref: younger.uid },
    });
    expect(made.link).toMatchObject({ from: { uid: older.uid }, to: { uid: younger.uid } });
    expect(back).toMatchObject({ changed: false, event: null, link: { id: made.link.id } });
    expect((await w.eventKinds()).slice(3)).toEqual(["issue.linked"]);
  });

  test("two issues may block each other", async () => {
    const w = await world({ store: open });
    const [one, two] = await issues(w);
    await w.given.link(one, "blocks", two);
    const back = await w.call(createLink, {
      params: two.path,
      body: { type: "blocks", to_ref: one.uid },
    });
    expect(back.issue).toMatchObject({ blocked: true, blocks: [{ uid: one.uid }] });
  });

  test("a second parent is refused unless the request says replace", async () => {
    const w = await world({ store: open });
    const [child, first, second] = await issues(w);
    await w.given.link(child, "parent", first);
    const body = { type: "parent" as const, to_ref: second.uid };
    const refused = await w.refused(createLink, { params: child.path, body });
    expect(refused).toMatchObject({
      code: "parent_already_set",
      data: { parent: first.short_id },
    });
    const replaced = await w.call(createLink, {
      params: child.path,
      body: { ...body, replace: true },
    });
    expect(replaced.issue.parent?.uid).toBe(second.uid);
    const { children } = await w.call(showIssue, { params: first.path });
    expect(children).toEqual([]);
  });

  test("setting the same parent again is no change and needs no replace", async () => {
    const w = await world({ store: open });
    const [child, parent] = await issues(w);
    await w.given.link(child, "parent", parent);
    const again = await w.call(createLink, {
      params: child.path,
      body: { type: "parent", to_ref: parent.uid },
    });
    expect(again).toMatchObject({ changed: false, event: null });
  });

  test.each([1, 2, 5])(
    "a parent link to an issue %i steps below is refused, since it would make a circle",
    async (steps) => {
      const w = await world({ store: open });
      const [top, ...below] = await issues(w, steps + 1);
      let bottom: GivenIssue = top;
      for (const issue of below.slice(0, steps)) {
        await w.given.link(issue, "parent", bottom);
        bottom = issue;
      }
      const before = await w.eventKinds();
      const refused = await w.refused(createLink, {
        params: top.path,
        body: { type: "parent", to_ref: bottom.uid },
      });
      expect(refused).toMatchObject({
        code: "validation",
        message: "would create a parent cycle",
      });
      expect(await w.eventKinds()).toEqual(before);
    },
  );

  test("a circle of parents through another project is refused too", async () => {
    const w = await world({ store: open });
    const here = await w.given.issue({ project: await w.given.project("web") });
    const there = await w.given.issue({ project: await w.given.project("shop") });
    await w.given.link(here, "parent", there);
    const refused = await w.refused(createLink, {
      params: there.path,
      body: { type: "parent", to_ref: here.qualified_id },
    });
    expect(refused.message).toBe("would create a parent cycle");
  });

  test.each(["parent", "blocks", "related"] as const)(
    "an issue cannot be linked to itself as %s, however it is referenced",
    async (type) => {
      const w = await world({ store: open });
      const issue = await w.given.issue();
      for (const to_ref of [issue.uid, issue.short_id, issue.qualified_id]) {
        const refused = await w.refused(createLink, {
          params: issue.path,
          body: { type, to_ref, replace: true },
        });
        expect(refused).toMatchObject({
          code: "validation",
          message: "an issue cannot be linked to itself",
        });
      }
      expect(await w.eventKinds()).toEqual(["issue.created"]);
    },
  );

  test("an issue of another project is referenced by project#short_id or uid, not by short id", async () => {
    const w = await world({ store: open });
    const here = await w.given.issue({ project: await w.given.project("web") });
    const there = await w.given.issue({ project: await w.given.project("shop") });
    const made = await w.call(createLink, {
      params: here.path,
      body: { type: "blocks", to_ref: there.qualified_id },
    });
    expect(made.issue.blocks).toEqual([
      {
        uid: there.uid,
        short_id: there.short_id,
        project: "shop",
        qualified_id: `shop#${there.short_id}`,
      },
    ]);
    const refused = await w.refused(createLink, {
      params: here.path,
      body: { type: "related", to_ref: there.short_id },
    });
    expect(refused.code).toBe("issue_not_found");
  });

  test("an issue of an archived project cannot be linked, but can be unlinked", async () => {
    const w = await world({ store: open });
    const here = await w.given.issue({ project: await w.given.project("web") });
    const shop = await w.given.project("shop");
    const [linked, other] = [
      await w.given.issue({ project: shop }),
      await w.given.issue({ project: shop }),
    ];
    const link = await w.given.link(here, "blocks", linked);
    await w.given.archived(shop);
    const refused = await w.refused(createLink, {
      params: here.path,
      body: { type: "blocks", to_ref: other.uid },
    });
    expect(refused).toMatchObject({ code: "link_target_archived", data: { project: "shop" } });
    const removed = await w.call(deleteLink, { params: { ...here.path, link_id: link.id } });
    expect(removed.changed).toBe(true);
  });

  test("a link can be removed from either end, and the answer says which link it was", async () => {
    const w = await world({ store: open });
    const [one, two] = await issues(w);
    const link = await w.given.link(one, "blocks", two);
    const removed = await w.call(deleteLink, {
      params: { ...two.path, link_id: link.id },
      query: { actor: "bea" },
    });
    expect(removed).toMatchObject({
      changed: true,
      issue: { uid: two.uid, blocked: false, blocked_by: [] },
      event: { type: "issue.unlinked", actor: "bea", related_issue_uid: one.uid },
    });
    expect(JSON.parse(removed.event?.payload ?? "")).toMatchObject({
      type: "blocks",
      incoming: true,
      from_uid: two.uid,
      to_uid: one.uid,
      link_from_uid: one.uid,
      link_to_uid: two.uid,
    });
  });

  test("removing an absent link is no error, but removing a link of other issues is", async () => {
    const w = await world({ store: open });
    const [one, two, other] = await issues(w);
    const link = await w.given.link(one, "blocks", two);
    const refused = await w.refused(deleteLink, { params: { ...other.path, link_id: link.id } });
    expect(refused).toMatchObject({ code: "link_not_found", data: { link_id: link.id } });
    const gone = await w.call(deleteLink, { params: { ...one.path, link_id: link.id + 1 } });
    expect(gone).toMatchObject({ changed: false, event: null });
  });

  test("a link to a deleted issue can be removed", async () => {
    const w = await world({ store: open });
    const [one, two] = await issues(w);
    const link = await w.given.link(one, "related", two);
    await w.given.deleted(two);
    const removed = await w.call(deleteLink, { params: { ...one.path, link_id: link.id } });
    expect(removed.changed).toBe(true);
  });

  test.each([
    ["no type", { to_ref: "abcd" }, "type: is required"],
    ["an unknown type", { type: "child", to_ref: "abcd" }, /^type: must be "parent" or "blocks"/],
    ["no target", { type: "blocks" }, "to_ref: is required"],
    [
      "a direction",
      { type: "blocks", to_ref: "abcd", incoming: true },
      "incoming: is not a known field",
    ],
  ])("a link with %s is refused", async (_, body, message) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    // A cast, because the type of the body does not allow what the schema must refuse.
    const asked = body as { type: "blocks"; to_ref: string };
    const refused = await w.refused(createLink, { params, body: asked });
    expect(refused).toMatchObject({ code: "validation", message: expect.stringMatching(message) });
  });

  test.each([["0"], ["-1"], ["x"], ["1.5"]])("%s is not a valid link id", async (link_id) => {
    const w = await world({ store: open });
    const { path } = await w.given.issue();
    const url = `http://localhost/api/v1/projects/${path.project_id}/issues/${path.ref}/links/${link_id}?actor=a`;
    const response = await w.app.fetch(new Request(url, { method: "DELETE" }));
    expect(response.status).toBe(400);
  });
});

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

/** Makes at least three issues, so that the types of the first three are certain. */
async function issues(
  w: World,
  count = 3,
): Promise<readonly [GivenIssue, GivenIssue, GivenIssue, ...GivenIssue[]]> {
  const [one, two, three] = [await w.given.issue(), await w.given.issue(), await w.given.issue()];
  const more: GivenIssue[] = [];
  for (let at = 3; at < count; at += 1) more.push(await w.given.issue());
  return [one, two, three, ...more];
}

describePostgres("parents set from two daemons on one database, across two projects", (open) => {
  test("never form a circle", { timeout: 120_000 }, async () => {
    const database = await open.database();
    const daemon = async () =>
      await world({
        store: async (options) => await database.open({ ...options, ids: systemIds() }),
      });
    const [one, other] = [await daemon(), await daemon()];
    const projects = [await one.given.project("web"), await one.given.project("shop")];
    const issues: Awaited<ReturnType<typeof one.given.issue>>[] = [];
    for (let at = 0; at < 12; at++) {
      const project = projects[at % projects.length];
      if (project !== undefined) issues.push(await one.given.issue({ project }));
    }
    const statuses: number[] = [];
    const edit = async (w: World, from: number): Promise<void> => {
      for (let step = from; step < 400; step += 8) {
        const [child, parent] = [issues[(step * 7) % 12], issues[(step * 5 + (step % 11)) % 12]];
        const body = { type: "parent", to_ref: parent?.uid ?? "", replace: true } as const;
        const params = child?.path ?? { project_id: 0, ref: "" };
        statuses.push((await w.send(createLink, { params, body })).status);
      }
    };
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => await edit(at % 2 === 0 ? one : other, at)),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
    const links = await one.store.read(
      async (reader) => await reader.links.touching(issues.map(({ uid }) => uid)),
    );
    const parents = new Map(links.map(({ from_uid, to_uid }) => [from_uid, to_uid]));
    for (const { uid } of issues) {
      const line = new Set<string>();
      for (let at = parents.get(uid); at !== undefined; at = parents.get(at)) {
        expect(at).not.toBe(uid);
        expect(line).not.toContain(at);
        line.add(at);
      }
    }
    expect(parents.size).toBe(links.length);
    await expectFolded(one.store);
  });
});
