import { describe, expect, test } from "vitest";
import { ToolWorld } from "./tools.ts";

async function two() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  const { short_id, qualified_id } = await world.issue(web.id, "an issue", { owner: "carl" });
  return { world, web, api, ref: short_id, qualified_id };
}

const key = (name: string) => ({ idempotency_key: name });

describe("svc.create", () => {
  test("creates only one issue under an idempotency key, and says so when the call is repeated", async () => {
    const { world } = await two();
    const client = await world.serve("web");
    const args = { title: "new", labels: ["bug"], priority: 1, metadata: { a: 1 }, ...key("k1") };
    const first = await client.call("svc.create", args);
    expect(first.answer).toMatchObject({
      project: { name: "web" },
      issue: { title: "new", priority: 1, labels: ["bug"], status: "open" },
      changed: true,
      event: { type: "issue.created", actor: "bea" },
    });
    const again = await client.call("svc.create", args);
    expect(again.answer).toMatchObject({ reused: true, changed: false });
    const uid = (answer: object) => (answer as { issue: { uid: string } }).issue.uid;
    expect(uid(again.answer)).toBe(uid(first.answer));
    expect((await client.call("svc.create", { title: "new" })).failure).toContain(
      "idempotency_key",
    );
    expect((await client.call("svc.create", { ...args, title: "other" })).failure).toContain(
      "idempotency_mismatch",
    );
  });

  test("links the issue inside the scope only", async () => {
    const { world, ref, qualified_id, api } = await two();
    const foreign = await world.issue(api.id, "foreign");
    const bound = await world.serve("web");
    const linked = await bound.call("svc.create", { title: "child", parent: ref, ...key("k1") });
    expect(linked.failure).toBeUndefined();
    const refused = { title: "x", blocks: [foreign.qualified_id], ...key("k2") };
    expect((await bound.call("svc.create", refused)).failure).toContain("outside");
    const all = await world.serve("all");
    expect((await all.call("svc.create", { title: "y", ...key("k3") })).failure).toContain(
      "project",
    );
    const both = { title: "y", project: "api", blocked_by: [qualified_id], ...key("k4") };
    expect((await all.call("svc.create", both)).answer).toMatchObject({ issue: { blocked: true } });
  });

  test("accepts dates as arguments, and refuses a value that is also given in the metadata", async () => {
    const { world } = await two();
    const client = await world.serve("web");
    const dated = { title: "later", scheduled_on: "2030-01-02T09:00", timezone: "Europe/Berlin" };
    expect((await client.call("svc.create", { ...dated, ...key("k1") })).answer).toMatchObject({
      issue: { scheduled_on: "2030-01-02T09:00", timezone: "Europe/Berlin" },
    });
    const twice = { title: "x", timezone: "UTC", metadata: { timezone: "UTC" }, ...key("k2") };
    expect((await client.call("svc.create", twice)).failure).toContain(
      "timezone: is in metadata too",
    );
  });

  test("offers similar issues instead of creating a duplicate", async () => {
    const { world } = await two();
    const client = await world.serve("all");
    const title = "The parser crashes on empty input files";
    const body = "It ends with a stack trace as soon as it is given a file without a single line.";
    await client.call("svc.create", { title, body, project: "web", ...key("k1") });
    const again = { title, body, project: "web", ...key("k2") };
    expect((await client.call("svc.create", again)).failure).toMatch(
      /duplicate_candidates.* data: /,
    );
    expect(
      (await client.call("svc.create", { ...again, force_new: true })).failure,
    ).toBeUndefined();
  });

  test("repeats little of what was written", async () => {
    const { world } = await two();
    const client = await world.serve("web");
    const labels = Array.from({ length: 50 }, (_, at) => `${"l".repeat(50)}${at}`);
    const args = { title: "t".repeat(1024), body: "b".repeat(28_000), labels, ...key("k1") };
    expect((await client.call("svc.create", args)).bytes).toBeLessThan(1500);
  });
});

describe("svc.edit", () => {
  test("changes fields and links in one call", async () => {
    const { world, web, ref } = await two();
    const { short_id: other } = await world.issue(web.id, "other");
    const client = await world.serve("web");
    const { answer } = await client.call("svc.edit", {
      ref,
      title: "renamed",
      clear_owner: true,
      priority: 0,
      parent: other,
      add_related: [other],
    });
    expect(answer).toMatchObject({
      changed: true,
      issue: { title: "renamed", priority: 0 },
      changes: { parent_set: [`web#${other}`], related_added: [`web#${other}`] },
    });
    expect(answer["issue"]).not.toHaveProperty("owner");
    const removed = await client.call("svc.edit", { ref, remove_parent: true });
    expect(removed.answer).toMatchObject({ changes: { parent_removed: [expect.any(String)] } });
    expect((await client.call("svc.edit", { ref, remove_parent: true })).failure).toContain(
      "no parent",
    );
  });

  test.each([
    ["nothing", {}],
    ["fields and metadata", { title: "x", metadata: { a: 1 } }],
    ["fields and a date", { title: "x", scheduled_on: "2030-01-01" }],
    ["a date twice", { scheduled_on: "2030-01-01", metadata: { scheduled_on: "2030-01-01" } }],
    ["an owner and no owner", { owner: "x", clear_owner: true }],
    ["a priority and no priority", { priority: 1, clear_priority: true }],
    ["a date and its removal", { scheduled_on: "2030-01-01", clear_scheduled_on: true }],
    ["clear as false", { clear_owner: false }],
    ["an empty list", { add_blocks: [] }],
  ])("is refused with %s, and changes nothing", async (_what, args) => {
    const { world, ref } = await two();
    const client = await world.serve("web");
    expect((await client.call("svc.edit", { ref, ...args })).failure).toMatch(
      /^invalid arguments: /,
    );
    expect((await client.call("svc.show", { ref })).answer).toMatchObject({
      issue: { revision: 1 },
    });
  });

  test("is refused if it adds and removes a link to the same issue", async () => {
    const { world, web, ref } = await two();
    const { short_id, uid } = await world.issue(web.id, "other");
    const client = await world.serve("web");
    const args = { ref, add_blocks: [short_id], remove_blocks: [uid] };
    expect((await client.call("svc.edit", args)).failure).toContain("name the same issue");
  });

  test("sets and clears dates", async () => {
    const { world, ref } = await two();
    const client = await world.serve("web");
    const set = await client.call("svc.edit", { ref, scheduled_on: "2030-01-01", timezone: "UTC" });
    expect(set.answer).toMatchObject({ issue: { scheduled_on: "2030-01-01", timezone: "UTC" } });
    const cleared = await client.call("svc.edit", {
      ref,
      clear_scheduled_on: true,
      clear_timezone: true,
    });
    expect(cleared.answer["issue"]).not.toHaveProperty("scheduled_on");
  });
});

describe("comments", () => {
  test("are written once under an idempotency key, and edited as a whole", async () => {
    const { world, ref } = await two();
    const client = await world.serve("web");
    const args = { ref, body: "b".repeat(60_000), ...key("k1") };
    const first = await client.call("svc.comment", args);
    expect(first.answer).toMatchObject({ changed: true, event: { type: "issue.commented" } });
    expect(first.bytes).toBeLessThan(1500);
    expect((await client.call("svc.comment", args)).answer).toMatchObject({ changed: false });
    expect((await client.call("svc.comment", { ref, body: "x" })).failure).toContain(
      "idempotency_key",
    );
    const { uid } = first.answer["comment"] as { readonly uid: string };
    const edited = await client.call("svc.edit_comment", { ref, comment_ref: uid, body: "short" });
    expect(edited.answer).toMatchObject({ comment: { uid, body: "short", author: "bea" } });
    const unknown = { ref, comment_ref: "0".repeat(26), body: "x" };
    expect((await client.call("svc.edit_comment", unknown)).failure).toContain(
      "404 comment_not_found",
    );
  });
});

describe("svc.claim", () => {
  test("is refused without force if the issue has an owner, and with force names the previous owner", async () => {
    const { world, ref } = await two();
    const client = await world.serve("web");
    expect((await client.call("svc.claim", { ref })).failure).toContain("409 already_claimed");
    expect((await client.call("svc.claim", { ref, force: true })).answer).toMatchObject({
      issue: { owner: "bea" },
      previous_owner: "carl",
    });
    expect((await client.call("svc.claim", { ref })).answer).toMatchObject({ changed: false });
    expect((await client.call("svc.claim", { ref, if_unowned: true })).failure).toContain("409");
    const both = { ref, force: true, if_unowned: true };
    expect((await client.call("svc.claim", both)).failure).toContain("exclude each other");
  });
});

describe("a claim that came too late", () => {
  const late = (ref: string) => ({ ref, if_unowned: true });

  test("names the owner and another issue that is free", async () => {
    const { world, web, ref } = await two();
    const bound = await world.serve("web");
    const all = await world.serve("all");
    const named = "409 already_claimed: already claimed by carl — ";
    expect((await bound.call("svc.claim", late(ref))).failure).toBe(
      `${named}no other issue is free now`,
    );
    await world.issue(web.id, "owned", { owner: "dora" });
    const free = await world.issue(web.id, "free", { priority: 2 });
    await world.issue(web.id, "less urgent", { priority: 3 });
    const answer = await bound.call("svc.claim", late(ref));
    expect(answer.failure).toBe(`${named}${free.short_id} is free, claim that one`);
    expect(answer.bytes).toBeLessThan(170);
    expect((await all.call("svc.claim", late(`web#${ref}`))).failure).toContain(
      `${named}${free.qualified_id} is free, claim that one`,
    );
  });

  test("names the holder of the lease and another issue that is free", async () => {
    const { world, web } = await two();
    const held = await world.issue(web.id, "held");
    const free = await world.issue(web.id, "free");
    const other = await world.serve("web", { actor: "carl" });
    await other.call("svc.lease", { ref: held.short_id, action: "acquire" });
    const client = await world.serve("web");
    expect((await client.call("svc.claim", late(held.short_id))).failure).toBe(
      `409 claim_denied: leased by carl — ${free.short_id} is free, claim that one`,
    );
  });

  test("names different free issues to agents who all came too late for the same one", async () => {
    const { world, web, ref } = await two();
    for (let at = 0; at < 25; at++) await world.issue(web.id, `free ${at}`);
    const named = new Set<string | undefined>();
    for (let at = 0; at < 8; at++) {
      const client = await world.serve("web", { actor: `agent-${at}` });
      const [, free] =
        / — (\S+) is free/.exec((await client.call("svc.claim", late(ref))).failure ?? "") ?? [];
      named.add(free);
    }
    expect(named.size).toBeGreaterThanOrEqual(3);
  });
});

describe("labels, metadata and dates", () => {
  test("are set and removed", async () => {
    const { world, ref } = await two();
    const client = await world.serve("web");
    const set = (present: boolean) => client.call("svc.set_label", { ref, label: "bug", present });
    expect((await set(true)).answer).toMatchObject({ changed: true, issue: { labels: ["bug"] } });
    expect((await set(true)).answer).toMatchObject({ changed: false });
    expect((await set(false)).answer["issue"]).not.toHaveProperty("labels");
    const patched = await client.call("svc.set_metadata", { ref, patch: { a: { b: 1 }, c: "d" } });
    expect(patched.answer).toMatchObject({ changed: true });
    await client.call("svc.set_metadata", { ref, patch: { c: null } });
    expect((await client.call("svc.show", { ref })).answer).toMatchObject({
      issue: { metadata: { a: { b: 1 } } },
    });
    expect((await client.call("svc.set_metadata", { ref, patch: {} })).failure).toContain("no key");
    for (const name of ["schedule", "deadline"]) {
      const tool = `svc.set_${name}`;
      const dated = await client.call(tool, { ref, [name]: "2030-05-06" });
      expect(dated.failure).toBeUndefined();
      expect((await client.call(tool, { ref, [`clear_${name}`]: true })).answer).toMatchObject({
        changed: true,
      });
      expect((await client.call(tool, { ref })).failure).toContain("give either");
      const both = { ref, [name]: "2030-05-06", [`clear_${name}`]: true };
      expect((await client.call(tool, both)).failure).toContain("give either");
      const offset = { ref, [name]: "2026-09-01T09:00:00+02:00" };
      expect((await client.call(tool, offset)).failure).toContain("400");
    }
  });

  test("are refused under an old revision", async () => {
    const { world, ref } = await two();
    const client = await world.serve("web");
    await client.call("svc.set_metadata", { ref, patch: { a: 1 }, revision: 1 });
    const stale = { ref, patch: { a: 2 }, revision: 1 };
    expect((await client.call("svc.set_metadata", stale)).failure).toContain(
      "412 revision_conflict",
    );
  });
});

describe("svc.move", () => {
  test("moves an issue between projects of the server's scope", async () => {
    const { world, ref, qualified_id } = await two();
    const all = await world.serve(["web", "api"]);
    const bound = await world.serve("web");
    expect((await bound.call("svc.move", { ref, to_project: "api" })).failure).toContain("outside");
    const moved = await all.call("svc.move", { ref: qualified_id, to_project: "api" });
    expect(moved.answer).toMatchObject({
      from: { name: "web" },
      to: { name: "api" },
      changed: true,
      issue: { qualified_ref: `api#${ref}` },
    });
  });
});
