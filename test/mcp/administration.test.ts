import { describe, expect, test } from "vitest";
import { ToolWorld } from "./tools.ts";

async function two() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  const { short_id: ref } = await world.issue(web.id, "an issue");
  return { world, web, api, ref };
}

describe("leases", () => {
  test("are acquired, renewed and released", async () => {
    const { world, ref } = await two();
    const client = await world.serve("web");
    expect((await client.call("svc.lease_status", { ref })).answer).toMatchObject({ held: false });
    const held = await client.call("svc.lease", {
      ref,
      action: "acquire",
      ttl_seconds: 60,
      purpose: "p",
    });
    expect(held.answer).toMatchObject({
      ref,
      held: true,
      granted: true,
      holder: "bea",
      claim_kind: "timed",
      purpose: "p",
      expires_at: expect.any(String),
    });
    const renewed = await client.call("svc.lease", { ref, action: "renew", ttl_seconds: 120 });
    expect(renewed.answer).toMatchObject({ held: true, claim_kind: "timed" });
    const released = await client.call("svc.lease", { ref, action: "release" });
    expect(released.answer).toMatchObject({ held: false });
    expect((await client.call("svc.lease", { ref, action: "release" })).failure).toContain("409");
  });

  test("are reported with the short id of their issue, however the issue was named", async () => {
    const { world, web } = await two();
    const { uid, short_id, qualified_id } = await world.issue(web.id, "leased");
    const bound = await world.serve("web");
    const all = await world.serve("all");
    for (const ref of [short_id, uid, uid.toLowerCase(), qualified_id])
      expect((await bound.call("svc.lease", { ref, action: "acquire" })).answer["ref"]).toBe(
        short_id,
      );
    expect((await bound.call("svc.lease_status", { ref: uid })).answer["ref"]).toBe(short_id);
    const shown = await all.call("svc.lease_status", {
      ref: qualified_id.toUpperCase().replace("WEB", "web"),
    });
    expect(shown.answer["ref"]).toBe(qualified_id);
  });

  test("a lease of another actor is reported, and stolen only with a reason; stealing one's own lease keeps the lease", async () => {
    const { world, ref } = await two();
    const carl = await world.serve("web", { actor: "carl" });
    const bea = await world.serve("web");
    await carl.call("svc.lease", { ref, action: "acquire" });
    expect((await bea.call("svc.lease", { ref, action: "acquire" })).answer).toMatchObject({
      granted: false,
      holder: "carl",
    });
    const kept = await carl.call("svc.lease_steal", { ref, reason: "mine" });
    expect(kept.answer).toMatchObject({ granted: true, holder: "carl" });
    expect(kept.answer).not.toHaveProperty("previous_holder");
    expect((await bea.call("svc.lease_steal", { ref })).failure).toContain("reason");
    const stolen = await bea.call("svc.lease_steal", { ref, reason: "carl is gone" });
    expect(stolen.answer).toMatchObject({ granted: true, holder: "bea", previous_holder: "carl" });
    const ended = await carl.call("svc.lease_force_release", { ref, reason: "enough" });
    expect(ended.answer).toMatchObject({ held: false, previous_holder: "bea" });
  });

  test.each([
    ["renew without a time", { action: "renew" }],
    ["release with a time", { action: "release", ttl_seconds: 60 }],
    ["release with a purpose", { action: "release", purpose: "p" }],
    ["a time below a minute", { action: "acquire", ttl_seconds: 59 }],
    ["a time beyond a day", { action: "acquire", ttl_seconds: 86_401 }],
    ["no action", {}],
  ])("refuse %s", async (_what, args) => {
    const { world, ref } = await two();
    const client = await world.serve("web");
    expect((await client.call("svc.lease", { ref, ...args })).failure).toMatch(
      /^invalid arguments: /,
    );
    expect((await client.call("svc.lease_status", { ref })).answer).toMatchObject({ held: false });
  });
});

describe("projects", () => {
  test("are listed within the server's scope, a page at a time", async () => {
    const { world } = await two();
    for (let at = 10; at < 35; at++) await world.project(`p${at}`);
    const names = (answer: object) =>
      (answer as { readonly projects: readonly { name: string }[] }).projects.map(
        ({ name }) => name,
      );
    const all = await world.serve("all");
    const first = (await all.call("svc.projects")).answer;
    expect(first).toMatchObject({ truncated: true });
    const second = (await all.call("svc.projects", { cursor: first["next_cursor"] })).answer;
    expect([...names(first), ...names(second)]).toHaveLength(27);
    const few = await world.serve(["web", "p10"]);
    expect(names((await few.call("svc.projects")).answer)).toEqual(["p10", "web"]);
    expect((await few.call("svc.projects", { project: "api" })).failure).toContain("outside");
    expect((await few.call("svc.projects", { include_archived: true })).failure).toBe(
      "include_archived requires --all-projects",
    );
    const bound = await world.serve("web");
    expect((await bound.call("svc.projects")).answer).toMatchObject({
      projects: [{ name: "web", archived: false }],
    });
  });

  test.each([
    ["svc.project_create", { name: "new" }],
    ["svc.project_update", { project: "web", action: "rename", name: "new" }],
    ["svc.project_merge", { source: "api", target: "web" }],
    ["svc.project_remove", { project: "web" }],
    ["svc.project_restore", { project: "web" }],
    ["svc.project_purge", { project: "web", confirm: "PURGE web" }],
  ])("%s needs a server of all projects", async (name, args) => {
    const { world } = await two();
    for (const reach of ["web", ["web", "api"]]) {
      const client = await world.serve(reach);
      expect((await client.call(name, args)).failure).toBe(`${name} requires --all-projects`);
    }
  });

  test("are created, changed, merged, archived, restored and purged", async () => {
    const { world, web, ref } = await two();
    const client = await world.serve("all");
    const change = async (name: string, args: object) => {
      const { answer, failure } = await client.call(`svc.project_${name}`, { ...args });
      expect(failure, name).toBeUndefined();
      return answer;
    };
    expect(await change("create", { name: "new" })).toMatchObject({ changed: true });
    expect(await change("create", { name: "new" })).toMatchObject({ changed: false });
    const renamed = { project: "new", action: "rename", name: "newer" };
    expect(await change("update", renamed)).toMatchObject({
      project: { name: "newer" },
      changed: true,
    });
    const patched = { project: "newer", action: "metadata", metadata: { a: 1 } };
    expect(await change("update", patched)).toMatchObject({ project: { metadata: { a: 1 } } });
    const rewritten = { project: "web", action: "rewrite_author", from: "ann", to: "anna" };
    expect(await change("update", rewritten)).toMatchObject({ details: { issue_authors: 1 } });
    const merged = await change("merge", { source: "web", target: "api", target_name: "both" });
    expect(merged).toMatchObject({ target: { name: "both" }, issues_moved: 1 });
    expect((await client.call("svc.show", { ref: `both#${ref}` })).answer).toMatchObject({
      issue: { author: "anna" },
    });
    expect((await client.call("svc.project_remove", { project: "both" })).failure).toContain(
      "project_has_open_issues",
    );
    expect(await change("remove", { project: "both", force: true })).toMatchObject({
      project: { archived: true },
    });
    expect(await change("restore", { project: "both" })).toMatchObject({ changed: true });
    await change("remove", { project: "both", force: true });
    const wrong = { project: "both", confirm: "PURGE web" };
    expect((await client.call("svc.project_purge", wrong)).failure).toContain(
      'exactly "PURGE both"',
    );
    expect(await change("purge", { project: "both", confirm: "PURGE both" })).toMatchObject({
      purged: true,
      log: { issue_count: 1, actor: "bea" },
    });
    expect(web.name).toBe("web");
  });

  test.each([
    ["another action's member", { action: "rename", name: "x", from: "ann" }],
    ["no name to rename to", { action: "rename" }],
    ["half of an author", { action: "rewrite_author", from: "ann" }],
    ["an unknown action", { action: "paint" }],
  ])("refuse %s", async (_what, args) => {
    const { world } = await two();
    const client = await world.serve("all");
    const { failure } = await client.call("svc.project_update", { project: "web", ...args });
    expect(failure).toMatch(/^invalid arguments: /);
  });

  test("a missing project is named in the refusal", async () => {
    const { world } = await two();
    const client = await world.serve("all");
    const { failure } = await client.call("svc.project_restore", { project: "web" });
    expect(failure).toContain('there is no archived project "web"');
  });
});

describe("the tools for tokens and for the system", () => {
  test("are not available for tokens on a server that may not administer them", async () => {
    const { world } = await two();
    const without = await world.serve("all", { load: [], available: ["system"] });
    expect((await without.call("svc.load_tokens")).answer).toEqual({
      section: "tokens",
      available: false,
      loaded: false,
      tools: ["svc.tokens", "svc.token_create", "svc.token_revoke"],
    });
    expect(await without.names()).not.toContain("svc.tokens");
    expect(without.messages.some(({ method }) => method !== undefined)).toBe(false);
  });

  test("show the secret of a new token only once", async () => {
    const { world } = await two();
    const client = await world.serve("all");
    const made = await client.call("svc.token_create", { token_actor: "carl", name: "laptop" });
    const { token, record } = made.answer as { readonly token: string; readonly record: object };
    expect(record).toMatchObject({ actor: "carl", name: "laptop" });
    expect(token).toMatch(/^svc_/);
    const listed = await client.call("svc.tokens");
    expect(JSON.stringify(listed)).not.toContain(token);
    expect(listed.answer).toMatchObject({ tokens: [record] });
    const { id } = record as { readonly id: number };
    expect((await client.call("svc.token_revoke", { id })).answer).toMatchObject({
      record: { revoked_at: expect.any(String) },
    });
    expect((await client.call("svc.token_revoke", { id: 99 })).failure).toContain("404");
  });

  test("say which database the daemon serves", async () => {
    const { world } = await two();
    const client = await world.serve("web");
    expect((await client.call("svc.system")).answer).toMatchObject({
      instance_uid: expect.any(String),
      auth_kind: "none",
    });
  });
});
