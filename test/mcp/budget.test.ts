import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { createComment } from "../../src/contract/comments.ts";
import { MAX_ISSUE_LABELS } from "../../src/contract/limits.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { TOOLS } from "../../src/mcp/tools/index.ts";
import { DESCRIBED, describedConnector } from "../connectors/described.ts";
import { connectedBy } from "./bridges.ts";
import { type ToolClient, ToolWorld } from "./tools.ts";

type Json = Readonly<Record<string, unknown>>;

const ANSWER_BYTES = 8 * 1024;
/** The most bytes of an answer to a write in which each name has about 250 bytes. */
const ECHO_BYTES = 3072;
const WORKING_BYTES = 2560;

const PROJECTS = 12;
const ISSUES = 300;
const CHILDREN = 20;
const BODY = 'word "quoted"\n'.repeat(2048);
const COMMENT = "wörd\t".repeat(13_000);
const LONG_NAME = "project-".repeat(30);
const LONG_TITLE = "\u{1f985} word ".repeat(140);
const LONG_ACTOR = "actor-".repeat(42);
const LABELS = Array.from({ length: MAX_ISSUE_LABELS }, (_, at) => `${at}-`.padEnd(64, "x"));

const AT = "2026-01-01T00:00:00.000Z";
const WITH_FIELDS = { ...DESCRIBED, capabilities: ["fields", "conditional_fields"] };
/** What a connector answers to whatever it is asked: a root without comments, or many fields with long names. */
const ROOT = {
  ...{ ...WITH_FIELDS, comments: [], title: LONG_TITLE, body: BODY, state: "open" },
  ...{ key: "r", identity_key: DESCRIBED.account_identity, revision: "1" },
  ...{ updated_at: AT, observed_at: AT },
};
const FIELDS = {
  ...WITH_FIELDS,
  fields: Array.from({ length: 100 }, (_, at) => ({
    ...{ id: `field-${at}`, display_name: "Due ".repeat(1000), accepted_kinds: ["null", "date"] },
    ...{ nullable: true, writable: true, schema_revision: "1" },
  })),
};

/** Twelve projects with long names, and issues with long texts and many labels, some of them children of one. */
async function crowded(count = ISSUES) {
  const connector = describedConnector("x", { result: ROOT });
  const world = await ToolWorld.open(connectedBy(connector));
  const projects = [];
  for (let at = 0; at < PROJECTS; at++) projects.push(await world.project(`${LONG_NAME}${at}`));
  const ids = projects.map(({ id }) => id);
  const parent = await world.issue(ids[0] ?? 0, LONG_TITLE, { body: BODY });
  const metadata = { note: "x".repeat(10_000) };
  const issues = [];
  for (let at = 0; at < count; at++) {
    const labels = at % 10 === 0 ? LABELS : LABELS.slice(0, 20);
    const links = at < CHILDREN ? [{ type: "parent" as const, to_ref: parent.uid }] : [];
    const more = { body: BODY, owner: LONG_ACTOR, labels, metadata, links };
    issues.push(
      await world.issue(ids[at < 150 ? 0 : at % PROJECTS] ?? 0, `${at} ${LONG_TITLE}`, more),
    );
  }
  const body = { body: COMMENT, actor: LONG_ACTOR };
  for (const { uid: ref } of [parent, ...issues.slice(0, CHILDREN), parent])
    await call(world.client, createComment, { params: { project_id: ids[0] ?? 0, ref }, body });
  return { world, project: `${LONG_NAME}0`, parent, issues, connector };
}

const made = (
  await Promise.all(SECTION_NAMES.map(async (section) => await TOOLS[section]()))
).flat();

async function bytesOf(client: ToolClient, name: string, args: Json): Promise<number> {
  const { failure, bytes } = await client.call(name, args);
  expect(failure, name).toBe(undefined);
  return bytes;
}

describe("answers about hundreds of issues with long texts in projects with long names", () => {
  test("each reading tool answers with at most 8 KB unless it is given a limit", async () => {
    const { world, project, parent, issues, connector } = await crowded();
    const ref = parent.qualified_id;
    const refs = issues.slice(0, 20).map(({ qualified_id }) => qualified_id);
    const args: Readonly<Record<string, Json>> = {
      "svc.search": { query: "word" },
      "svc.show": { ref },
      "svc.graph": { ref },
      "svc.wait": { refs, timeout_seconds: 1 },
      "svc.audit_closes": { project },
      "svc.lease_status": { ref },
      "svc.recurrences": { project },
      "svc.digest": { since: "2025-12-31" },
      "svc.sync_status": { project },
      "svc.connector_fields": { instance: "x" },
      "svc.bridge_show": { ref: issues[1]?.qualified_id },
    };
    const client = await world.serve("all");
    const bound = { ref: issues[1]?.qualified_id };
    await bytesOf(client, "svc.bridge_bind", { ...bound, connector: "x", external: "r" });
    const reason = "wörd ".repeat(800);
    const paused = await bytesOf(client, "svc.bridge_pause", { ...bound, reason });
    expect(paused).toBeLessThanOrEqual(ECHO_BYTES);
    connector.answer({ result: FIELDS });
    for (const { name } of made.filter(({ annotations }) => annotations.readOnlyHint)) {
      const bytes = await bytesOf(client, name, args[name] ?? {});
      expect(bytes, name).toBeLessThanOrEqual(ANSWER_BYTES);
    }
    const { answer } = await client.call("svc.connector_fields", { instance: "x" });
    expect(answer).toMatchObject({ truncated: true, fields: expect.any(Array) });
    const shown = { ref: issues[0]?.qualified_id };
    expect(await bytesOf(client, "svc.show", shown)).toBeLessThanOrEqual(ANSWER_BYTES);
  });

  test("the answer to each write repeats little of what was written", async () => {
    const { world, project, parent } = await crowded(20);
    const client = await world.serve("all", { actor: LONG_ACTOR.slice(1) });
    const ref = parent.qualified_id;
    const title = LONG_TITLE;
    const created = await client.call("svc.create", {
      project,
      title,
      body: BODY,
      owner: LONG_ACTOR,
      labels: LABELS.slice(0, 100),
      force_new: true,
      parent: ref,
      idempotency_key: "create",
    });
    const { ref: own } = created.answer["issue"] as { readonly ref: string };
    const message = `what was done, in many words: ${BODY}`;
    const writes: readonly (readonly [string, Json])[] = [
      ["edit", { ref: own, title: `new ${title}`, body: BODY, add_related: [ref] }],
      ["set_metadata", { ref: own, patch: { note: BODY } }],
      ["set_schedule", { ref: own, schedule: "2030-01-01" }],
      ["set_deadline", { ref: own, deadline: "2030-01-01" }],
      ["set_label", { ref: own, label: "x", present: true }],
      ["comment", { ref: own, body: COMMENT, idempotency_key: "comment" }],
      ["claim", { ref: own, force: true }],
      ["lease", { ref: own, action: "acquire", purpose: "x".repeat(1024) }],
      ["lease", { ref: own, action: "release" }],
      ["close", { ref: own, reason: "wontfix", message, evidence: [] }],
      ["reopen", { ref: own }],
      ["delete", { ref: own, confirm: `DELETE ${own}`, reason: "x".repeat(1024) }],
      ["restore", { ref: own }],
      ["move", { ref: own, to_project: `${LONG_NAME}1` }],
    ];
    expect(created.failure).toBe(undefined);
    expect(created.bytes).toBeLessThanOrEqual(ECHO_BYTES);
    for (const [name, args] of writes) {
      const bytes = await bytesOf(client, `svc.${name}`, args);
      expect(bytes, name).toBeLessThanOrEqual(ECHO_BYTES);
    }
  });
});

test("taking, commenting and closing an issue costs at most 2.5 KB of answers", async () => {
  const world = await ToolWorld.open();
  const { id } = await world.project("web");
  const title = "The list of issues keeps its place when a filter is changed";
  const owner = { labels: ["bug", "cli"], priority: 1 };
  const { uid } = await world.issue(id, title, { body: BODY, ...owner });
  const params = { project_id: id, ref: uid };
  await call(world.client, createComment, { params, body: { body: COMMENT, actor: "ann" } });
  const client = await world.serve("web");
  const next = await client.call("svc.next");
  const { ref } = next.answer["issue"] as { readonly ref: string };
  const answers = [
    next,
    await client.call("svc.claim", { ref, if_unowned: true }),
    await client.call("svc.comment", { ref, body: COMMENT, idempotency_key: "a" }),
    await client.call("svc.close", {
      ref,
      reason: "done",
      message: "The place is kept: the filter is applied to the rows before the cursor moves.",
      evidence: [{ type: "commit", sha: "0123456789abcdef0123456789abcdef01234567" }],
      idempotency_key: "b",
    }),
  ];
  expect(answers.map(({ failure }) => failure)).toEqual(answers.map(() => undefined));
  const bytes = answers.map((answer) => answer.bytes);
  expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(WORKING_BYTES);
});
