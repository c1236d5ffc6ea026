import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { createComment } from "../../src/contract/comments.ts";
import { removeProject } from "../../src/contract/project-actions.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { ToolWorld } from "./tools.ts";

async function two() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  return { world, web, api };
}

type Row = { readonly event_id: number; readonly type: string; readonly payload?: object };
const rows = (answer: object) => (answer as { readonly events: readonly Row[] }).events;

describe("svc.events", () => {
  test.each([["web"], [["web", "api"]], ["all"]])(
    "svc.events on a server of %j continues from a cursor",
    async (reach) => {
      const { world, web, api } = await two();
      for (let at = 0; at < 30; at++)
        await world.issue(at % 2 && reach !== "web" ? api.id : web.id, `i ${at}`);
      const client = await world.serve(reach);
      const seen: number[] = [];
      let after = 0;
      for (let page = 0; page < 20; page++) {
        const { answer, bytes } = await client.call("svc.events", { after });
        expect(bytes).toBeLessThanOrEqual(8192);
        if (rows(answer).length === 0) break;
        seen.push(...rows(answer).map(({ event_id }) => event_id));
        after = answer["next_after_id"] as number;
      }
      const all = reach === "web" ? 31 : 32;
      expect(seen).toHaveLength(all);
      expect(seen).toEqual([...new Set(seen)].sort((one, other) => one - other));
    },
  );

  test.each([["web"], [["web", "api"]], ["all"]])(
    "svc.events on a server of %j waits for the next event, but no longer than requested",
    async (reach) => {
      const { world, web } = await two();
      await world.issue(web.id, "before");
      const client = await world.serve(reach);
      const after = (await client.call("svc.events", { limit: 100 })).answer["next_after_id"];
      const waiting = client.call("svc.events", { mode: "wait", after, wait_seconds: 60 });
      await client.call("svc.list");
      await world.issue(web.id, "meanwhile");
      const { answer } = await waiting;
      const [event] = rows(answer);
      expect(event).toMatchObject({ type: "issue.created", payload: { title: "meanwhile" } });
      expect(answer["next_after_id"]).toBe(event?.event_id);
      const next = answer["next_after_id"];
      const over = await client.call("svc.events", { mode: "wait", after: next, wait_seconds: 1 });
      expect(over.answer).toEqual({
        events: [],
        next_after_id: next,
        reset_required: false,
        log: expect.stringMatching(/^[0-9A-Z]{26}/),
        timed_out: true,
      });
    },
  );

  test("svc.events of a list of projects that are all archived keeps the cursor", async () => {
    const { world, web, api } = await two();
    const client = await world.serve(["web", "api"]);
    for (const { id: project_id } of [web, api])
      await call(world.client, removeProject, { params: { project_id }, query: { actor: "ann" } });
    for (const after of [0, 7]) {
      const { answer } = await client.call("svc.events", { after });
      expect(answer).toEqual({ events: [], next_after_id: after, reset_required: false });
    }
    const waited = await client.call("svc.events", { mode: "wait", after: 7, wait_seconds: 1 });
    expect(waited.answer).toMatchObject({ events: [], next_after_id: 7, timed_out: true });
  });

  test("svc.events tells the client to read everything again after a purge", async () => {
    const { world, web } = await two();
    const { short_id } = await world.issue(web.id, "secret");
    await call(world.client, purgeIssue, {
      params: { project_id: web.id, ref: short_id },
      headers: { "x-svc-confirm": `PURGE web#${short_id}` },
      body: { actor: "ann" },
    });
    const { answer } = await (await world.serve("web")).call("svc.events", { after: 1 });
    expect(answer).toMatchObject({ events: [], reset_required: true });
    expect(answer["next_after_id"]).toBe(answer["reset_after_id"]);
  });

  test("svc.events names no issue of projects outside the server's scope", async () => {
    const { world, web, api } = await two();
    const foreign = await world.issue(api.id, "foreign");
    const own = await world.issue(web.id, "own");
    await world.issue(web.id, "linked", {
      links: [
        { type: "related", to_ref: foreign.qualified_id },
        { type: "parent", to_ref: own.short_id },
      ],
    });
    const bound = await world.serve("web");
    const edit = (name: string, ref: string) =>
      bound.call("svc.edit", { ref: own.short_id, [name]: [ref] });
    await edit("add_related", (await world.issue(web.id, "near")).short_id);
    await (await world.serve("all")).call("svc.edit", {
      ref: own.qualified_id,
      add_blocks: [foreign.qualified_id],
    });
    const { answer } = await bound.call("svc.events", { limit: 100 });
    const text = JSON.stringify(answer);
    for (const name of [foreign.uid, foreign.qualified_id, api.uid])
      expect(text).not.toContain(name);
    expect(text).not.toContain(`"${foreign.short_id}"`);
    expect(rows(answer).map(({ type }) => type)).toContain("issue.links_changed");
    const whole = await (await world.serve("all")).call("svc.events", { limit: 100 });
    expect(JSON.stringify(whole.answer)).toContain(foreign.uid);
  });

  test("svc.events shortens payloads, but skips no event", async () => {
    const { world, web } = await two();
    const { short_id } = await world.issue(web.id, "talk");
    for (let at = 0; at < 5; at++)
      await call(world.client, createComment, {
        params: { project_id: web.id, ref: short_id },
        body: { body: "c".repeat(60_000), actor: "ann" },
      });
    const { answer, bytes } = await (await world.serve("web")).call("svc.events");
    expect(bytes).toBeLessThanOrEqual(8192);
    expect(rows(answer)).toHaveLength(7);
    expect(rows(answer).at(-1)).toMatchObject({ payload_truncated: true });
  });
});

describe("svc.digest", () => {
  test("sums up each project in which something happened", async () => {
    const { world, web, api } = await two();
    await world.issue(web.id, "one");
    await world.project("quiet");
    for (let at = 0; at < 60; at++) await world.issue(api.id, `issue ${at}`);
    const { answer, bytes } = await (await world.serve("all")).call("svc.digest", { since: "1h" });
    expect(bytes).toBeLessThanOrEqual(8192);
    const { digests } = answer as {
      readonly digests: readonly { readonly project: { name: string } }[];
    };
    expect(digests[0]).toMatchObject({
      project: { name: "api" },
      digest: {
        totals: { created: 60 },
        actors: [{ actor: "ann", issue_count: 60 }],
        truncated: true,
      },
    });
    expect(digests.map(({ project }) => project.name)).toEqual(["api", "web"]);
    const own = await (await world.serve("web")).call("svc.digest", {
      since: "7d",
      actors: ["ann"],
    });
    expect(own.answer).toMatchObject({ digests: [{ digest: { totals: { created: 1 } } }] });
    expect(
      (await (await world.serve("web")).call("svc.digest", { since: "soon" })).failure,
    ).toContain("since");
  });
});

describe("series of issues", () => {
  test("are created, changed under their revision, and deleted", async () => {
    const { world, web } = await two();
    const client = await world.serve("web");
    const { short_id } = await world.issue(web.id, "first");
    const template = { title: "Weekly", labels: ["chore"], priority: 2, owner: "ann" };
    const made = await client.call("svc.recurrence_update", {
      action: "create",
      rrule: "FREQ=WEEKLY",
      dtstart: "2030-01-01",
      timezone: "UTC",
      template,
      initial_issue_ref: short_id,
    });
    expect(made.answer).toMatchObject({ changed: true, recurrence: { template, revision: 1 } });
    const { uid } = made.answer["recurrence"] as { readonly uid: string };
    const patch = {
      action: "patch",
      uid,
      revision: 1,
      template_patch: { clear_owner: true, title: "W" },
    };
    const patched = await client.call("svc.recurrence_update", patch);
    expect(patched.answer).toMatchObject({
      changed: true,
      recurrence: { template: { title: "W" } },
    });
    expect((await client.call("svc.recurrence_update", patch)).failure).toContain(
      "revision_conflict",
    );
    expect((await client.call("svc.recurrences", { uid })).answer).toMatchObject({
      recurrences: [{ uid }],
    });
    expect((await client.call("svc.recurrence_delete", { uid, revision: 1 })).failure).toContain(
      "412",
    );
    const deleted = await client.call("svc.recurrence_delete", { uid, revision: 2 });
    expect(deleted.answer).toMatchObject({ uid, deleted: true });
    expect((await client.call("svc.recurrences")).answer).toMatchObject({ recurrences: [] });
  });

  test.each([
    ["create without a rule", { action: "create", dtstart: "2030-01-01", timezone: "UTC" }],
    ["patch without a revision", { action: "patch", uid: "0".repeat(26), rrule: "FREQ=DAILY" }],
    ["patch with revision 0", { action: "patch", uid: "0".repeat(26), revision: 0, rrule: "x" }],
    ["patch with nothing to change", { action: "patch", uid: "0".repeat(26), revision: 1 }],
    [
      "patch with a template",
      { action: "patch", uid: "0".repeat(26), revision: 1, template: { title: "x" } },
    ],
  ])("are refused for the arguments: %s", async (_what, args) => {
    const { world } = await two();
    const { failure } = await (await world.serve("web")).call("svc.recurrence_update", args);
    expect(failure).toMatch(/^invalid arguments: /);
  });
});

describe("svc.import_issues", () => {
  const at = "2026-01-01T00:00:00Z";
  const item = (external_id: string, title: string) => ({
    external_id,
    title,
    author: "zoe",
    status: "open",
    created_at: at,
    updated_at: at,
  });

  test("imports issues once, and leaves them unchanged when they are sent again", async () => {
    const { world } = await two();
    const client = await world.serve("web");
    const items = [
      {
        ...item("A-1", "one"),
        comments: [{ external_id: "c1", author: "zoe", body: "hi", created_at: at }],
      },
      { ...item("A-2", "two"), links: [{ type: "blocks", target_external_id: "A-1" }] },
    ];
    const first = await client.call("svc.import_issues", { source: "old", items });
    expect(first.answer).toMatchObject({
      result: {
        created: 2,
        comments: 1,
        links: 1,
        items: [{ external_id: "A-1", status: "created" }, {}],
      },
    });
    const again = await client.call("svc.import_issues", { source: "old", items });
    expect(again.answer).toMatchObject({ result: { created: 0, unchanged: 2 } });
    const many = Array.from({ length: 100 }, (_, n) =>
      item(`B-${"x".repeat(200)}${n}`, `many ${n}`),
    );
    const large = await client.call("svc.import_issues", { source: "old", items: many });
    expect(large.bytes).toBeLessThanOrEqual(8192);
    expect(large.answer).toMatchObject({ result: { created: 100, truncated: true } });
    const wrong = { source: "old", items: [...many, item("B", "b")] };
    expect((await client.call("svc.import_issues", wrong)).failure).toContain("items");
    expect(
      (await (await world.serve("all")).call("svc.import_issues", { source: "old", items }))
        .failure,
    ).toContain("project: is required");
  });
});
