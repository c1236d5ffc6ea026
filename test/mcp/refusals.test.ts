import { describe, expect, test } from "vitest";
import { ToolWorld } from "./tools.ts";

type Json = Readonly<Record<string, unknown>>;

async function two() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  const issue = await world.issue(web.id, "an issue");
  return { world, web, api, issue, client: await world.serve("web") };
}

describe("a refusal of a tool", () => {
  test.each(["two\nlines", "two\rlines", "one line\n"])(
    "is returned for the title %j",
    async (title) => {
      const { client, issue } = await two();
      const text = "invalid arguments: title: must be one line";
      const created = await client.call("svc.create", { title, idempotency_key: "a" });
      expect(created.failure).toBe(text);
      const edited = await client.call("svc.edit", { ref: issue.short_id, title });
      expect(edited.failure).toBe(text);
    },
  );

  test.each([
    ["svc.create", "parent", "nowhere"],
    ["svc.create", "blocks", ["nowhere"]],
    ["svc.create", "blocked_by", ["nowhere"]],
    ["svc.create", "related", ["nowhere"]],
    ["svc.edit", "parent", "nowhere"],
    ["svc.edit", "add_blocks", ["nowhere"]],
    ["svc.edit", "remove_related", ["nowhere"]],
    ["svc.edit", "add_blocked_by", ["#"]],
  ])(
    "a refusal of %s names the argument %s whose issue is missing",
    async (name, argument, value) => {
      const { client, issue } = await two();
      const own =
        name === "svc.edit" ? { ref: issue.short_id } : { title: "x", idempotency_key: "a" };
      const { failure } = await client.call(name, { ...own, [argument]: value });
      expect(failure).toContain(` ${argument}: `);
    },
  );

  test("a refusal of a force-release says that nobody holds a lease", async () => {
    const { client, issue } = await two();
    const args = { ref: issue.short_id, reason: "the holder is gone" };
    const { failure } = await client.call("svc.lease_force_release", args);
    expect(failure).toBe("nobody holds a lease of the issue, so there is none to end");
  });

  test("names a next step for an unavailable search mode and for an archived project", async () => {
    const { world, client } = await two();
    const { failure } = await client.call("svc.search", { query: "x", mode: "semantic" });
    expect(failure).toContain("set base_url and model of [search.embeddings]");
    const all = await world.serve("all");
    const restored = await all.call("svc.project_restore", { project: "web" });
    expect(restored.failure).toContain("svc.projects with include_archived lists them");
  });
});

describe("a repeat under the same key", () => {
  test("a repeated svc.create makes no event, and a repeated svc.comment says reused", async () => {
    const { client, issue } = await two();
    const create = async () =>
      (await client.call("svc.create", { title: "new", idempotency_key: "a" })).answer;
    expect(await create()).toHaveProperty("event");
    const again = await create();
    expect(again).toMatchObject({ reused: true, changed: false });
    expect(again).not.toHaveProperty("event");
    const args = { ref: issue.short_id, body: "said", idempotency_key: "b" };
    const first = (await client.call("svc.comment", args)).answer;
    expect(first).not.toHaveProperty("reused");
    const { answer } = await client.call("svc.comment", args);
    expect(answer).toMatchObject({ reused: true, changed: false });
    expect((answer["comment"] as Json)["uid"]).toBe((first["comment"] as Json)["uid"]);
  });
});

test("svc.graph leaves out issues that can be reached only through an issue out of scope", async () => {
  const { world, web, api, issue } = await two();
  const hidden = await world.issue(api.id, "hidden");
  const beyond = await world.issue(web.id, "beyond");
  const near = await world.issue(web.id, "near");
  const all = await world.serve("all");
  const block = async (from: string, to: string) =>
    await all.call("svc.edit", { ref: from, add_blocks: [to] });
  await block(issue.qualified_id, hidden.qualified_id);
  await block(hidden.qualified_id, beyond.qualified_id);
  await block(issue.qualified_id, near.qualified_id);
  const titles = ({ answer }: { readonly answer: Json }) =>
    (answer["nodes"] as readonly { readonly title: string }[]).map(({ title }) => title).sort();
  const client = await world.serve("web");
  expect(titles(await client.call("svc.graph", { ref: issue.short_id }))).toEqual([
    "an issue",
    "near",
  ]);
  const whole = await all.call("svc.graph", { ref: issue.qualified_id });
  expect(titles(whole)).toEqual(["an issue", "beyond", "hidden", "near"]);
});

test("svc.show says that an issue is blocked, and why it is not ready, if the blocker is out of scope", async () => {
  const { world, api, issue, client } = await two();
  const show = async () => (await client.call("svc.show", { ref: issue.short_id })).answer;
  expect(await show()).not.toHaveProperty("not_ready");
  const hidden = await world.issue(api.id, "hidden");
  const all = await world.serve("all");
  await all.call("svc.edit", { ref: hidden.qualified_id, add_blocks: [issue.qualified_id] });
  await all.call("svc.set_metadata", { ref: issue.qualified_id, patch: { someday: true } });
  const answer = await show();
  expect(answer).toMatchObject({
    issue: { blocked: true },
    not_ready: expect.arrayContaining(["blocked", "parked"]),
  });
  expect(JSON.stringify(answer)).not.toContain(hidden.short_id);
});
