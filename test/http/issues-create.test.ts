import { expect, test } from "vitest";
import { createIssue, showIssue } from "../../src/contract/issues.ts";
import { renameProject } from "../../src/contract/projects.ts";
import { countingIds } from "../support/ids.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const DAY_MS = 86_400_000;

describeStore("creating an issue", (open) => {
  test("returns the whole issue, a short id and one event", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const made = await w.call(createIssue, {
      params,
      body: {
        title: "Fix the parser",
        body: "It fails.",
        owner: "bea",
        priority: 0,
        labels: ["ui", "bug", "bug"],
        metadata: { note: "x", scheduled_on: "2026-09-01" },
      },
    });
    const { short_id } = made.issue;
    expect(made).toMatchObject({
      changed: true,
      issue: {
        short_id: made.issue.uid.slice(-4).toLowerCase(),
        qualified_id: `web#${short_id}`,
        title: "Fix the parser",
        body: "It fails.",
        status: "open",
        owner: "bea",
        priority: 0,
        author: "ann",
        labels: ["bug", "ui"],
        metadata: { note: "x", scheduled_on: "2026-09-01" },
        revision: 1,
        blocks: [],
        blocked_by: [],
        related: [],
        blocked: false,
        child_counts: { open: 0, total: 0 },
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
      },
      event: {
        type: "issue.created",
        actor: "ann",
        project_name: "web",
        issue_short_id: short_id,
        issue_uid: made.issue.uid,
      },
    });
    expect(JSON.parse(made.event?.payload ?? "")).toMatchObject({ labels: ["bug", "ui"] });
    const shown = await w.call(showIssue, { params: { ...params, ref: short_id } });
    expect(made.issue).toMatchObject(shown.issue);
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test("keeps numbers in metadata as they were spelled", async () => {
    const w = await world({ store: open });
    const { id } = await w.given.project("web");
    const text = '{"title":"t","actor":"ann","metadata":{"n":12345678901234567890,"f":1.0}}';
    const response = await w.app.fetch(
      new Request(`http://localhost/api/v1/projects/${id}/issues`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: text,
      }),
    );
    expect(await response.text()).toContain('"metadata":{"f":1.0,"n":12345678901234567890}');
  });

  test("accepts initial links in both directions and between projects", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const shop = await w.given.project("shop");
    const parent = await w.given.issue({ project: web, title: "parent" });
    const blocked = await w.given.issue({ project: web, title: "blocked" });
    const blocker = await w.given.issue({ project: shop, title: "blocker" });
    const friend = await w.given.issue({ project: shop, title: "friend" });
    const { issue } = await w.call(createIssue, {
      params: web.path,
      body: {
        title: "new",
        links: [
          { type: "parent", to_ref: parent.short_id },
          { type: "blocks", to_ref: blocked.qualified_id },
          { type: "blocks", to_ref: blocker.qualified_id, incoming: true },
          { type: "related", to_ref: friend.uid, incoming: true, to_project_uid: shop.uid },
          { type: "related", to_ref: friend.qualified_id },
        ],
      },
    });
    const peer = ({ uid, short_id, qualified_id }: typeof parent, project: string) => ({
      uid,
      short_id,
      qualified_id,
      project,
    });
    expect(issue).toMatchObject({
      parent: peer(parent, "web"),
      blocks: [peer(blocked, "web")],
      blocked_by: [peer(blocker, "shop")],
      related: [peer(friend, "shop")],
      blocked: true,
    });
    expect(await w.eventKinds()).toHaveLength(5);
  });

  test.each([
    ["an unknown short id", { to_ref: "zzzz" }, "issue_not_found"],
    ["a number", { to_ref: "1" }, "issue_not_found"],
    ["a uid prefix", { to_ref: "0100000000" }, "issue_not_found"],
    ["an unknown project", { to_ref: "nowhere#a001" }, "issue_not_found"],
    [
      "another project than expected",
      { to_project_uid: "01000000000000000000000000" },
      "issue_not_found",
    ],
    ["an incoming parent", { type: "parent", incoming: true }, "validation"],
  ] as const)("refuses a link to %s and writes nothing", async (_name, link, code) => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const other = await w.given.issue({ project: web });
    const body = {
      title: "new",
      links: [{ type: "blocks", to_ref: other.short_id, ...link } as const],
    };
    expect(await w.refused(createIssue, { params: web.path, body })).toMatchObject({ code });
    expect(await w.eventKinds()).toHaveLength(1);
  });

  test("refuses links to deleted issues, to archived projects and to two parents", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const old = await w.given.project("old");
    const [gone, far] = [
      await w.given.issue({ project: web }),
      await w.given.issue({ project: old }),
    ];
    const [one, two] = [
      await w.given.issue({ project: web }),
      await w.given.issue({ project: web }),
    ];
    await w.given.deleted(gone);
    await w.given.archived(old);
    const create = async (...links: { type: "parent" | "related"; to_ref: string }[]) =>
      (await w.refused(createIssue, { params: web.path, body: { title: "new", links } })).code;
    expect(await create({ type: "related", to_ref: gone.short_id })).toBe("issue_not_found");
    expect(await create({ type: "related", to_ref: far.qualified_id })).toBe(
      "link_target_archived",
    );
    expect(await create({ type: "related", to_ref: far.uid })).toBe("link_target_archived");
    expect(
      await create(
        { type: "parent", to_ref: one.short_id },
        { type: "parent", to_ref: two.short_id },
      ),
    ).toBe("validation");
  });

  test.each([
    [{ title: "t", metadata: { someday: false } }, "invalid_metadata_value"],
    [{ title: "t", metadata: { note: null } }, "invalid_metadata_value"],
    [{ title: "t", metadata: { "cron.occurrence": {} } }, "invalid_metadata_value"],
    [{ title: "t", actor: "" }, "validation"],
    [{ title: "t", actor: "  " }, "validation"],
  ])("refuses %j", async (body, code) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    expect(await w.refused(createIssue, { params, body })).toMatchObject({ code });
    expect(await w.eventKinds()).toEqual([]);
  });

  test("gives the same answer for an archived and a missing project", async () => {
    const w = await world({ store: open });
    const old = await w.given.project("old");
    await w.given.archived(old);
    for (const params of [old.path, { project_id: 99 }]) {
      const refused = await w.refused(createIssue, { params, body: { title: "t" } });
      expect(refused.code).toBe("project_not_found");
    }
  });

  test("makes the short id longer when the shorter one is taken", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const twin = countingIds();
    const last = w.ids.ulid();
    while (twin.ulid() !== last);
    // The appended event gets the next id, and the issue after it the id after that.
    twin.ulid();
    const uid = twin.ulid();
    const short_id = uid.slice(-4).toLowerCase();
    await w.append({
      type: "issue.created",
      actor: "ann",
      project_uid: web.uid,
      issue_uid: `${uid.slice(0, -5)}Z${uid.slice(-4)}`,
      payload: {
        uid: `${uid.slice(0, -5)}Z${uid.slice(-4)}`,
        short_id,
        title: "first",
        body: "",
        author: "ann",
        status: "open",
        metadata: {},
        created_at: w.clock.now(),
      },
    });
    const made = await w.call(createIssue, { params: web.path, body: { title: "second" } });
    expect(made.issue).toMatchObject({ uid, short_id: uid.slice(-5).toLowerCase() });
    const shown = await w.call(showIssue, { params: { ...web.path, ref: short_id } });
    expect(shown.issue.title).toBe("first");
  });
});

describeStore("an issue that looks like another", (open) => {
  const text = { title: "Fix the parser", body: "It fails on nested lists of numbers." };

  test("is refused with the candidates, best first, and created when the request insists", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const first = await w.call(createIssue, { params, body: text });
    const near = { title: "Fix the parser", body: "It fails on nested lists of words." };
    const second = await w.call(createIssue, { params, body: { ...near, force_new: true } });
    const refused = await w.refused(createIssue, { params, body: text });
    expect(refused).toMatchObject({
      code: "duplicate_candidates",
      data: {
        candidates: [
          { uid: first.issue.uid, qualified_id: first.issue.qualified_id, score: 1 },
          { uid: second.issue.uid, title: "Fix the parser" },
        ],
      },
    });
    expect(refused.hint).toContain("force_new");
    const made = await w.call(createIssue, { params, body: { ...text, force_new: true } });
    expect(made.changed).toBe(true);
    expect(await w.eventKinds()).toHaveLength(3);
  });

  test("is compared with closed issues, but not with deleted ones, those of other projects or without a body", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const shop = await w.given.project("shop");
    const first = await w.given.issue({ project: web, ...text });
    expect((await w.call(createIssue, { params: shop.path, body: text })).changed).toBe(true);
    const bare = { title: text.title };
    expect((await w.call(createIssue, { params: web.path, body: bare })).changed).toBe(true);
    await w.given.closed(first);
    expect((await w.refused(createIssue, { params: web.path, body: text })).code).toBe(
      "duplicate_candidates",
    );
    await w.given.deleted(first);
    expect((await w.call(createIssue, { params: web.path, body: text })).changed).toBe(true);
  });

  test("is refused if both have the same title words and share a quarter of the words of their bodies", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    await w.call(createIssue, { params, body: { title: "alpha", body: "aa bb" } });
    const at = { title: "alpha", body: "aa cc dd" };
    const below = { title: "alpha", body: "aa cc dd ee" };
    expect((await w.refused(createIssue, { params, body: at })).code).toBe("duplicate_candidates");
    expect((await w.call(createIssue, { params, body: below })).changed).toBe(true);
  });

  test("is detected even when both are created at the same moment", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const answers = await Promise.all(
      [1, 2, 3].map(async () => (await w.send(createIssue, { params, body: text })).status),
    );
    expect(answers.toSorted((left, right) => left - right)).toEqual([200, 409, 409]);
  });
});

describeStore("repeating a create under its key", (open) => {
  const text = { title: "Fix the parser", body: "It fails on nested lists of numbers." };
  const headers = { "idempotency-key": "key-1" };

  test("returns the first issue as it is now, and makes no event", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const first = await w.call(createIssue, { params, headers, body: text });
    await w.call(renameProject, { params, body: { name: "shop" } });
    const again = await w.call(createIssue, { params, headers, body: text });
    expect(again).toMatchObject({
      changed: false,
      reused: true,
      event: null,
      issue: { uid: first.issue.uid, qualified_id: `shop#${first.issue.short_id}` },
      original_event: { uid: first.event?.uid },
    });
    expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test("counts as the same request although spaces, order and force_new differ", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const body = { ...text, labels: ["a", "b"] };
    await w.call(createIssue, { params, headers, body });
    const same = {
      title: " Fix  the parser ",
      body: text.body,
      labels: ["b", "a", "b"],
      force_new: true,
    };
    expect((await w.call(createIssue, { params, headers, body: same })).reused).toBe(true);
  });

  test.each([
    [{ title: "fix the parser" }],
    [{ body: "Other." }],
    [{ owner: "bea" }],
    [{ priority: 1 }],
    [{ labels: ["a"] }],
    [{ metadata: { a: 1 } }],
    [{ links: [{ type: "related" as const, to_ref: "a001" }] }],
  ])("is refused when the request differs: %j", async (other) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const first = await w.call(createIssue, { params, headers, body: text });
    const refused = await w.refused(createIssue, { params, headers, body: { ...text, ...other } });
    const { uid, short_id, qualified_id } = first.issue;
    expect(refused).toMatchObject({
      code: "idempotency_mismatch",
      data: { uid, short_id, qualified_id },
    });
  });

  test("is refused when the issue was deleted", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const first = await w.call(createIssue, { params, headers, body: text });
    await w.given.deleted(first.issue);
    const refused = await w.refused(createIssue, { params, headers, body: text });
    expect(refused).toMatchObject({ code: "idempotency_deleted", data: { uid: first.issue.uid } });
  });

  test("creates a new issue in another project, and after seven days", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const shop = await w.given.project("shop");
    const first = await w.call(createIssue, { params: web.path, headers, body: text });
    const other = await w.call(createIssue, { params: shop.path, headers, body: text });
    expect(other.changed).toBe(true);
    w.clock.advance(7 * DAY_MS - 1);
    const kept = await w.call(createIssue, { params: web.path, headers, body: text });
    expect(kept.issue.uid).toBe(first.issue.uid);
    w.clock.advance(1);
    const body = { ...text, force_new: true };
    const late = await w.call(createIssue, { params: web.path, headers, body });
    expect(late.issue.uid).not.toBe(first.issue.uid);
    const again = await w.call(createIssue, { params: web.path, headers, body });
    expect(again.issue.uid).toBe(late.issue.uid);
  });

  test.each(["", " ", "k".repeat(256)])("is refused under the key %j", async (key) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const refused = await w.refused(createIssue, {
      params,
      headers: { "idempotency-key": key },
      body: text,
    });
    expect(refused.code).toBe("validation");
  });

  test("accepts a key of 255 characters", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("web");
    const long = { "idempotency-key": "k".repeat(255) };
    expect((await w.call(createIssue, { params, headers: long, body: text })).changed).toBe(true);
  });
});
