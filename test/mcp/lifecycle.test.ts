import { describe, expect, test } from "vitest";
import { type ToolClient, ToolWorld } from "./tools.ts";

async function two() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  const client = await world.serve("web");
  return { world, web, api, client };
}

const MESSAGE = "The parser reads empty files, and a test holds it to that.";

async function close(client: ToolClient, ref: string, more: object = {}) {
  const evidence = [{ type: "commit", sha: "1f2e3d4" }];
  const args = { ref, reason: "done", message: `${MESSAGE} ${ref}`, evidence, ...more };
  return await client.call("svc.close", args);
}

describe("svc.close", () => {
  test("closes with evidence, and an exact retry returns the same event", async () => {
    const { world, web, client } = await two();
    const { short_id } = await world.issue(web.id, "one");
    const guarded = { idempotency_key: "k1", revision: 1 };
    const dry = await close(client, short_id, { dry_run: true });
    expect(dry.failure).toBeUndefined();
    const first = await close(client, short_id, guarded);
    expect(first.answer).toMatchObject({ changed: true, issue: { status: "closed" } });
    const again = await close(client, short_id, guarded);
    expect(again.answer).toMatchObject({ changed: false, event: first.answer["event"] });
    const { short_id: other } = await world.issue(web.id, "two");
    expect((await close(client, other, { revision: 7 })).failure).toContain(
      "412 revision_conflict",
    );
  });

  test.each([
    ["no reason", { reason: undefined }],
    ["a short message", { message: "done" }],
    ["no evidence", { evidence: [] }],
    ["evidence of another field", { evidence: [{ type: "commit", url: "https://example.com" }] }],
    ["evidence with two fields", { evidence: [{ type: "commit", sha: "1f2e3d4", url: "x" }] }],
    ["evidence of another reason", { evidence: [{ type: "duplicate-of", issue_ref: "ab3d" }] }],
    ["evidence that is unknown", { evidence: [{ type: "hearsay" }] }],
  ])("is refused with %s, and changes nothing", async (_what, more) => {
    const { world, web, client } = await two();
    const { short_id } = await world.issue(web.id, "one");
    expect((await close(client, short_id, more)).failure).toMatch(/^invalid arguments: /);
    expect((await client.call("svc.show", { ref: short_id })).answer).toMatchObject({
      issue: { status: "open" },
    });
  });

  test("names no issue of other projects when it is refused", async () => {
    const { world, web, api, client } = await two();
    const parent = await world.issue(web.id, "parent");
    const child = await world.issue(api.id, "secret child", {
      links: [{ type: "parent", to_ref: parent.qualified_id }],
    });
    const { failure } = await close(client, parent.short_id);
    expect(failure).toBe(
      "409 parent_has_open_children: the issue still has open child issues; close them first, some may be outside this server's scope",
    );
    const all = await close(await world.serve("all"), parent.qualified_id);
    expect(all.failure).toContain(child.qualified_id);
    const foreign = {
      reason: "duplicate",
      evidence: [{ type: "duplicate-of", issue_ref: child.qualified_id }],
    };
    expect((await close(client, parent.short_id, foreign)).failure).toContain("outside");
  });
});

describe("svc.reopen, svc.delete, svc.restore and svc.purge", () => {
  test("require the exact words before they remove anything", async () => {
    const { world, web, client } = await two();
    const { short_id: ref } = await world.issue(web.id, "one");
    const { short_id: other } = await world.issue(web.id, "other");
    await close(client, ref);
    expect((await client.call("svc.reopen", { ref })).answer).toMatchObject({ changed: true });
    const wrong = await client.call("svc.delete", { ref, confirm: `DELETE web#${other}` });
    expect(wrong.failure).toBe(`confirmation must be exactly "DELETE web#${ref}"`);
    expect((await client.call("svc.show", { ref })).failure).toBeUndefined();
    const deleted = await client.call("svc.delete", { ref, confirm: `DELETE web#${ref}` });
    expect(deleted.answer).toMatchObject({ changed: true });
    expect((await client.call("svc.show", { ref })).failure).toContain("404");
    expect((await client.call("svc.restore", { ref })).answer).toMatchObject({ changed: true });
    expect((await client.call("svc.purge", { ref, confirm: `DELETE web#${ref}` })).failure).toBe(
      `confirmation must be exactly "PURGE web#${ref}"`,
    );
    const purged = await client.call("svc.purge", { ref, confirm: `PURGE web#${ref}` });
    expect(purged.answer).toMatchObject({ ref: `web#${ref}`, purged: true, log: { actor: "bea" } });
    expect((await client.call("svc.restore", { ref })).failure).toContain("404");
  });
});

describe("svc.wait", () => {
  test("answers with the reason timeout and the status of each issue when its time is over", async () => {
    const { world, web, client } = await two();
    const { short_id: ref } = await world.issue(web.id, "one");
    expect((await client.call("svc.wait", { refs: [ref], timeout_seconds: 1 })).answer).toEqual({
      reason: "timeout",
      states: [{ ref, status: "open", matched: false }],
    });
  });

  test("ends as soon as all its issues have the status, or with any, as soon as one of them has", async () => {
    const { world, web, client } = await two();
    const refs: string[] = [];
    for (const title of ["one", "two"]) refs.push((await world.issue(web.id, title)).short_id);
    const [first = "", second = ""] = refs;
    const all = client.call("svc.wait", { refs });
    const any = client.call("svc.wait", { refs, any: true });
    await close(client, first);
    expect((await any).answer).toMatchObject({ reason: "matched" });
    await client.call("svc.delete", { ref: second, confirm: `DELETE web#${second}` });
    const gone = await client.call("svc.wait", { refs: [second], status: "deleted" });
    expect(gone.answer).toMatchObject({
      states: [{ ref: second, status: "deleted", matched: true }],
    });
    await client.call("svc.restore", { ref: second });
    await close(client, second, { message: `${MESSAGE} And the second one.` });
    expect((await all).answer).toMatchObject({ reason: "matched" });
  });

  test("fails when an issue is purged meanwhile, and refuses the same issue twice", async () => {
    const { world, web, client } = await two();
    const { short_id: ref, uid } = await world.issue(web.id, "one");
    const waiting = client.call("svc.wait", { refs: [ref] });
    await client.call("svc.purge", { ref, confirm: `PURGE web#${ref}` });
    expect((await waiting).failure).toContain("404 issue_not_found");
    const { short_id: other, uid: same } = await world.issue(web.id, "two");
    expect(uid).not.toBe(same);
    const twice = await client.call("svc.wait", { refs: [other, same] });
    expect(twice.failure).toContain("is named twice");
  });

  test("stops when it is cancelled, and answers nothing", async () => {
    const { world, web, client } = await two();
    const { short_id: ref } = await world.issue(web.id, "one");
    const running = Array.from({ length: 8 }, () => {
      void client.call("svc.wait", { refs: [ref], timeout_seconds: 300 });
      return client.lastId;
    });
    for (const requestId of running) client.notify("notifications/cancelled", { requestId });
    expect((await client.call("svc.list")).failure).toBeUndefined();
    for (const id of running)
      expect(client.messages.some((message) => message["id"] === id)).toBe(false);
  });
});

describe("svc.audit_closes", () => {
  test("continues with a cursor, and must start again after a purge", async () => {
    const { world, web, client } = await two();
    const refs: string[] = [];
    for (let at = 0; at < 5; at++) {
      const { short_id } = await world.issue(web.id, `issue ${at}`);
      refs.push(short_id);
      await close(client, short_id);
    }
    const page = (cursor?: unknown) =>
      client.call("svc.audit_closes", { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    const issues = (answer: object) =>
      (answer as { readonly rows: readonly { issue: string }[] }).rows.map(({ issue }) => issue);
    const first = (await page()).answer;
    const second = (await page(first["next_cursor"])).answer;
    const third = (await page(second["next_cursor"])).answer;
    expect([first, second, third].flatMap(issues)).toEqual(refs.map((ref) => `web#${ref}`));
    expect(third).not.toHaveProperty("next_cursor");
    expect(first).toMatchObject({ truncated: true, rows: [{ evidence_types: ["commit"] }, {}] });
    await client.call("svc.purge", { ref: refs[0], confirm: `PURGE web#${refs[0]}` });
    expect((await page(second["next_cursor"])).failure).toContain("start again without cursor");
    for (const cursor of ["abc", "v1:0:1", "v2:1:1"])
      expect((await page(cursor)).failure).toContain("not a value returned by this tool");
  });

  test("names no parent issue in another project", async () => {
    const { world, web, api, client } = await two();
    const parent = await world.issue(api.id, "parent");
    const { short_id } = await world.issue(web.id, "child", {
      links: [{ type: "parent", to_ref: parent.qualified_id }],
    });
    await close(client, short_id);
    expect(JSON.stringify((await client.call("svc.audit_closes")).answer)).not.toContain("api#");
    const all = await world.serve("all");
    expect((await all.call("svc.audit_closes")).failure).toContain("project: is required");
    expect((await all.call("svc.audit_closes", { project: "web" })).answer).toMatchObject({
      rows: [{ parent: parent.qualified_id }],
    });
    const outside = { parent: parent.qualified_id };
    expect((await client.call("svc.audit_closes", outside)).failure).toContain("outside");
  });
});
