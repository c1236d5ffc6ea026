import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { createRecurrence } from "../../src/contract/recurrences.ts";
import { createToken } from "../../src/contract/tokens.ts";
import { type ToolClient, ToolWorld } from "./tools.ts";

type Json = Readonly<Record<string, unknown>>;

const ANSWER_BYTES = 8 * 1024;
const ASKED_BYTES = 64 * 1024;
const AT = "2026-01-01T00:00:00Z";

const ISSUES = 600;
const ACTORS = 120;
const SERIES = 40;
const TOKENS = 120;
const PROJECTS = 120;
/** The number of projects in which a search finds something. */
const FOUND = 60;

/** A daemon with many small rows of every kind, and series with long texts. */
async function many() {
  const world = await ToolWorld.open();
  const { id: project_id } = await world.project("web");
  for (let at = 1; at < PROJECTS; at++) {
    const { id } = await world.project(`project-${at}`);
    if (at <= FOUND) await world.issue(id, "a wombat", { body: "w".repeat(28_000) });
  }
  for (let from = 0; from < ISSUES; from += 100) {
    const items = Array.from({ length: 100 }, (_, at) => item(from + at));
    const body = { source: "other", items, actor: "ann" };
    await call(world.client, importIssues, { params: { project_id }, body });
  }
  for (let at = 0; at < ACTORS; at++)
    await world.issue(project_id, `written ${at}`, { actor: `actor-${at}` });
  const template = { title: "t".repeat(1000), body: "b".repeat(28_000), labels: ["weekly"] };
  const rule = { rrule: "FREQ=WEEKLY", dtstart: "2030-01-01", timezone: "UTC" };
  for (let at = 0; at < SERIES; at++)
    await call(world.client, createRecurrence, {
      params: { project_id },
      body: { ...rule, template, actor: "ann" },
    });
  for (let at = 0; at < TOKENS; at++)
    await call(world.client, createToken, {
      body: { actor: `actor-${at}`, name: "n".repeat(200) },
    });
  return world;
}

/** The first is the parent of all others; every one has two labels that no other has. */
function item(at: number) {
  const external_id = `E-${at}`;
  const labels = [`first-${at}`, `second-${at}`];
  const times = { created_at: AT, updated_at: AT };
  const links = at === 0 ? [] : [{ type: "parent" as const, target_external_id: "E-0" }];
  const status = "open" as const;
  return { external_id, title: `imported ${at}`, author: "ann", status, ...times, labels, links };
}

/** Reads all pages of a list. Each page must fit into 8 KB and give the cursor of the next. */
async function pagesOf(client: ToolClient, name: string, args: Json, member: string) {
  const rows: unknown[] = [];
  let cursor: unknown;
  do {
    const { answer, failure, bytes } = await client.call(name, cursor ? { ...args, cursor } : args);
    expect(failure, name).toBeUndefined();
    expect(bytes, name).toBeLessThanOrEqual(ANSWER_BYTES);
    rows.push(...(answer[member] as readonly unknown[]));
    cursor = answer["next_cursor"];
    expect(answer["truncated"] === true, name).toBe(cursor !== undefined);
  } while (cursor !== undefined);
  return rows;
}

describe("lists with many rows", () => {
  test.each([
    ["labels", "x"],
    ["labels", "1:"],
    ["labels", "-1:a"],
    ["recurrences", "0".repeat(26)],
    ["tokens", "x"],
    ["tokens", "1.5"],
    ["list", "x"],
    ["ready", "1"],
    ["audit_closes", "abc"],
  ])("svc.%s refuses the cursor %s", async (name, cursor) => {
    const world = await ToolWorld.open();
    await world.project("web");
    const client = await world.serve("all");
    const project = name === "recurrences" || name === "audit_closes" ? { project: "web" } : {};
    expect((await client.call(`svc.${name}`, { ...project, cursor })).failure).toBe(
      "invalid arguments: cursor: not a value returned by this tool",
    );
  });

  test("are each read to the end by next_cursor, or say that the list is truncated", {
    timeout: 240_000,
  }, async () => {
    const world = await many();
    const client = await world.serve("all");
    const web = { project: "web" };
    const lists: readonly (readonly [string, Json, string, number])[] = [
      ["svc.labels", web, "labels", 2 * ISSUES],
      ["svc.labels", {}, "labels", 2 * ISSUES],
      ["svc.recurrences", web, "recurrences", SERIES],
      ["svc.tokens", {}, "tokens", TOKENS],
      ["svc.projects", {}, "projects", PROJECTS],
      ["svc.search", { query: "wombat" }, "results", FOUND],
      ["svc.search", { query: "wombat", project: "project-7" }, "results", 1],
      ["svc.search", { query: "a-word-of-no-issue" }, "results", 0],
      ["svc.list", { ...web, labels: ["first-7"] }, "issues", 1],
      ["svc.list", { owner: "nobody" }, "issues", 0],
      ["svc.ready", { project: `project-${FOUND + 1}` }, "issues", 0],
    ];
    for (const [name, args, member, count] of lists) {
      const rows = await pagesOf(client, name, args, member);
      expect(new Set(rows.map((row) => JSON.stringify(row))).size, name).toBe(count);
      expect(rows, name).toHaveLength(count);
    }
    const parent = (await client.call("svc.search", { query: "E-0", limit: 1 })).answer["results"];
    const [{ issue }] = parent as readonly [{ readonly issue: { readonly qualified_ref: string } }];
    const cuts: readonly (readonly [string, Json])[] = [
      ["svc.search", { ...web, query: "imported" }],
      ["svc.graph", { ref: issue.qualified_ref }],
      ["svc.digest", { since: "1h" }],
      ["svc.list", {}],
      ["svc.ready", {}],
    ];
    for (const [name, args] of cuts) {
      const { answer, bytes, failure } = await client.call(name, args);
      expect(failure, name).toBeUndefined();
      expect(bytes, name).toBeLessThanOrEqual(ANSWER_BYTES);
      const [first] = (answer["digests"] ?? [{}]) as readonly { readonly digest?: object }[];
      expect({ ...answer, ...first?.digest }, name).toMatchObject({ truncated: true });
    }
    const asked: readonly (readonly [string, Json])[] = [
      ["svc.search", { query: "imported", limit: 100 }],
      ["svc.graph", { ref: issue.qualified_ref, limit: 100 }],
      ["svc.labels", { limit: 100 }],
      ["svc.recurrences", { ...web, limit: 100 }],
      ["svc.tokens", { limit: 100 }],
    ];
    for (const [name, args] of asked) {
      const { bytes, failure } = await client.call(name, args);
      expect(failure, name).toBeUndefined();
      expect(bytes, name).toBeLessThanOrEqual(ASKED_BYTES);
    }
  });
});
