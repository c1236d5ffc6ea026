import { describe, expect, test } from "vitest";
import { claimIssue } from "../../src/contract/actions.ts";
import { ERRORS } from "../../src/contract/error-codes.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { createIssue, editIssue, showIssue } from "../../src/contract/issues.ts";
import { initProject } from "../../src/contract/projects.ts";
import type { Route } from "../../src/contract/route.ts";
import { Nothing } from "../../src/contract/shape.ts";
import { BASE_PATH } from "../../src/contract/version.ts";
import { sqliteDatabase } from "../support/store.ts";
import { UNUSED_CONNECTORS } from "../support/unused-connectors.ts";
import { type World, world } from "../support/world.ts";

/** A request that the schema refuses never reaches a database, so one database is enough here. */
async function sqliteWorld(): Promise<World> {
  return await world({ store: (await sqliteDatabase()).open });
}

const named = (routes: readonly Route[]) => routes.map((route) => [route.id, route] as const);
const ROUTES_WITH_REF = named(ROUTES.filter(({ path }) => path.includes("{ref}")));

interface Sent {
  readonly project_id?: string;
  readonly ref?: string;
  readonly body?: string;
  readonly type?: string;
}

/** Headers that some routes require. They are sent so that their absence is not the reason of a refusal. */
const REQUIRED_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  moveIssue: { "if-match": '"rev-1"' },
  deleteIssue: { "x-svc-confirm": "DELETE web#a002" },
  purgeIssue: { "x-svc-confirm": "PURGE web#a002" },
};

/** Sends a request without checking any of it. */
async function send(w: World, { id, method, path, body: shape }: Route, sent: Sent) {
  const values: Readonly<Record<string, string>> = {
    project_id: sent.project_id ?? "1",
    ref: encodeURIComponent(sent.ref ?? "a002"),
    uid: "00000000",
    comment_ref: "01J00000000000000000000000",
    cron_uid: "01J00000000000000000000000",
    run_uid: "01J00000000000000000000000",
    label: "ui",
    link_id: "1",
    alias_id: "1",
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  const body = sent.body ?? (shape === Nothing ? undefined : "{}");
  const response = await w.app.fetch(
    new Request(`http://localhost${BASE_PATH}${filled}?actor=ann&q=x`, {
      method,
      headers: { ...REQUIRED_HEADERS[id], "content-type": sent.type ?? "application/json" },
      ...(body === undefined ? {} : { body }),
    }),
  );
  const { status, error } = (await response.json()) as { status: number; error: Refusal };
  expect(status).toBe(response.status);
  expect(ERRORS[error.code].status).toBe(status);
  return { status, ...error };
}

interface Refusal {
  readonly code: keyof typeof ERRORS;
  readonly message: string;
}

test.each<[string, Sent, number, string, RegExp]>([
  ["no JSON", { body: "{" }, 400, "validation", /is not valid JSON$/],
  ["a list", { body: "[]" }, 400, "validation", /must be an object/],
  ["null", { body: "null" }, 400, "validation", /must be an object/],
  ["an unknown field", { body: '{"x1":1}' }, 400, "validation", /x1: is not a known field/],
  [
    "text with NUL",
    { body: '{"title":"a\\u0000"}' },
    400,
    "validation",
    /^title: must not contain NUL$/,
  ],
  [
    "NUL in a list",
    { body: '{"labels":["a","\\u0000"]}' },
    400,
    "validation",
    /^labels\[1\]: must not contain NUL$/,
  ],
  [
    "NUL in a name",
    { body: '{"metadata":{"a\\u0000":1}}' },
    400,
    "validation",
    /names a field with NUL$/,
  ],
  ["of another content type", { type: "text/plain" }, 415, "unsupported_media_type", /JSON|json/],
])(
  "a body that is %s is refused with its own error code",
  async (_, sent, status, code, message) => {
    const w = await sqliteWorld();
    await w.given.issue();
    expect(await send(w, createIssue, sent)).toMatchObject({
      status,
      code,
      message: expect.stringMatching(message),
    });
  },
);

test.each(ROUTES_WITH_REF)(
  "%s accepts no number, no uid prefix and no name of another project as a ref",
  async (_, route) => {
    // Without connectors, the routes of bridges answer that first.
    const { open } = await sqliteDatabase();
    const w = await world({ store: open, roots: UNUSED_CONNECTORS });
    const issue = await w.given.issue();
    const foreign = await w.given.issue({ project: await w.given.project("shop") });
    const before = await w.events();
    const refs = [
      String(issue.id),
      issue.uid.slice(0, 20),
      foreign.uid,
      foreign.qualified_id,
      "nobody",
      "#",
      "../x",
    ];
    for (const ref of refs) {
      const body = VALID[route.id];
      expect(await send(w, route, { ref, ...(body === undefined ? {} : { body }) })).toMatchObject({
        code: "issue_not_found",
      });
    }
    expect(await w.events()).toEqual(before);
  },
);

/** A valid body for each route that names an issue, so that only the ref is refused. */
const VALID: Readonly<Record<string, string>> = {
  editIssue: '{"title":"t","actor":"a"}',
  patchIssueMetadata: '{"patch":{},"actor":"a"}',
  closeIssue: '{"source":"tui","actor":"a"}',
  reopenIssue: '{"actor":"a"}',
  assignIssue: '{"owner":"b","actor":"a"}',
  unassignIssue: '{"actor":"a"}',
  claimIssue: '{"actor":"a"}',
  notifyIssue: '{"to":"b","message":"m","actor":"a"}',
  clearIssueRequest: '{"to":"b","actor":"a"}',
  moveIssue: '{"to_project_uid":"01J00000000000000000000000","actor":"a"}',
  deleteIssue: '{"actor":"a"}',
  restoreIssue: '{"actor":"a"}',
  purgeIssue: '{"actor":"a"}',
  setIssuePriority: '{"priority":1,"actor":"a"}',
  createComment: '{"body":"x","actor":"a"}',
  editComment: '{"body":"x","actor":"a"}',
  addLabel: '{"label":"ui","actor":"a"}',
  acquireIssueLease: '{"actor":"a"}',
  renewIssueLease: '{"ttl_seconds":60,"actor":"a"}',
  releaseIssueLease: '{"actor":"a"}',
  forceReleaseIssueLease: '{"actor":"a"}',
  createLink: '{"type":"blocks","to_ref":"a002","actor":"a"}',
  bindExternalRoot: '{"connector":"notes","external":"one.md","actor":"a"}',
  pauseExternalRootBridge: '{"actor":"a"}',
  resumeExternalRootBridge: '{"actor":"a"}',
  reconcileExternalRootBridge: '{"actor":"a"}',
  resolveExternalField: '{"field":"deadline_on","use":"local","actor":"a"}',
  resolveExternalComment: '{"action":"retry","actor":"a"}',
};

test("the refusal of a request with many faults names three and counts the rest", async () => {
  const w = await sqliteWorld();
  const { id } = await w.given.project();
  const body = JSON.stringify({ title: 1, body: 2, owner: 3, priority: 9, labels: "x", extra: 1 });
  const refused = await send(w, createIssue, { project_id: String(id), body });
  expect(refused.message).toBe(
    "title: must be text; body: must be text; owner: must be text (and 3 more)",
  );
});

test("the refusal of a request with three faults names all of them", async () => {
  const w = await sqliteWorld();
  const { id } = await w.given.project();
  const body = JSON.stringify({ title: 1, body: 2, owner: 3 });
  const refused = await send(w, createIssue, { project_id: String(id), body });
  expect(refused.message).toBe("title: must be text; body: must be text; owner: must be text");
});

describe("limits of values", () => {
  test.each<[string, string, string | undefined]>([
    ["1,024 letters", "t".repeat(1024), undefined],
    ["1,025 letters", "t".repeat(1025), "title: must be at most 1024 characters"],
    ["1,024 characters of two units each", "🦅".repeat(1024), undefined],
    [
      "1,025 characters of two units each",
      "🦅".repeat(1025),
      "title: must be at most 1024 characters",
    ],
    ["one letter", "t", undefined],
    ["nothing", "", "title: must not be blank"],
    ["white space", " \t\n", "title: must not be blank"],
    ["characters that show nothing", "\u200b\u2060\u3164\u2800", "title: must not be blank"],
    ["an emoji of several parts", "👩‍💻", undefined],
    ["NUL", "a\u0000b", "title: must not contain NUL"],
    ["half a surrogate pair", "a\ud83db", "the request body holds half of a surrogate pair"],
    ["a whole surrogate pair", "a\ud83d\ude00b", undefined],
    ["a line end", "a\nb", undefined],
    ["the look of a flag", "--help", undefined],
  ])("a title of %s is accepted or refused", async (_, title, message) => {
    const w = await sqliteWorld();
    const { path: params } = await w.given.project();
    const asked = { params, body: { title } };
    if (message === undefined) {
      expect((await w.call(createIssue, asked)).issue.title).toBe(title);
      return;
    }
    expect(await w.refused(createIssue, asked)).toMatchObject({ code: "validation", message });
    const issue = await w.given.issue();
    const edit = await w.refused(editIssue, { params: issue.path, body: { title } });
    expect(edit).toMatchObject({ code: "validation", message });
  });

  const TOO_LONG = "must be at most 256 bytes";
  test.each<[string, string, string | undefined]>([
    ["256 bytes", "a".repeat(256), undefined],
    ["257 bytes", "a".repeat(257), TOO_LONG],
    ["256 bytes of 128 letters", "é".repeat(128), undefined],
    ["258 bytes of 129 letters", "é".repeat(129), TOO_LONG],
    ["256 bytes and white space around", `  ${"a".repeat(256)}\n`, undefined],
    ["NUL", "a\u0000", "must not contain NUL"],
  ])("an actor and an owner of %s are accepted or refused", async (_, name, message) => {
    const w = await sqliteWorld();
    const issue = await w.given.issue();
    const claim = { params: issue.path, body: { actor: name } };
    const edit = { params: issue.path, body: { owner: name } };
    if (message === undefined) {
      expect((await w.call(claimIssue, claim)).issue.owner).toBe(name.trim());
      await w.call(editIssue, edit);
      return;
    }
    expect((await w.refused(claimIssue, claim)).message).toBe(`actor: ${message}`);
    expect((await w.refused(editIssue, edit)).message).toBe(`owner: ${message}`);
  });

  test.each<[string, string, string | undefined]>([
    ["256 bytes", "p".repeat(256), undefined],
    ["257 bytes", "p".repeat(257), "name: must be at most 256 bytes"],
    ["258 bytes of 129 letters", "é".repeat(129), "name: must be at most 256 bytes"],
    ["white space", "  ", "name: must not be blank"],
    ["a #", "a#b", "name: must not contain #"],
    ["a space inside", " my web ", undefined],
  ])("a project name of %s is accepted or refused", async (_, name, message) => {
    const w = await sqliteWorld();
    if (message === undefined) {
      expect((await w.call(initProject, { body: { name } })).project.name).toBe(name.trim());
      return;
    }
    expect(await w.refused(initProject, { body: { name } })).toMatchObject({
      code: "validation",
      message,
    });
  });

  test.each([
    [0, undefined],
    [4, undefined],
    [5, "priority: must be at most 4"],
    [-1, "priority: must be at least 0"],
    [1.5, "priority: must be a whole number"],
    ["1", "priority: must be a number"],
    [null, "priority: must be a number"],
  ])("a priority of %j is accepted or refused", async (priority, message) => {
    const w = await sqliteWorld();
    const { path: params } = await w.given.project();
    // A cast, because the type of the body does not allow what the schema must refuse.
    const asked = { params, body: { title: "t", priority: priority as number } };
    if (message === undefined) {
      expect((await w.call(createIssue, asked)).issue.priority).toBe(priority);
      return;
    }
    expect((await w.refused(createIssue, asked)).message).toBe(message);
  });

  test.each([
    [["l".repeat(64)], undefined],
    [["ok", "l".repeat(65)], "labels[1]: must be 1 to 64 of a-z 0-9 . _ : -"],
    [["."], "labels[0]: must not be . or .."],
    ["ui", "labels: must be a list"],
    [[1], "labels[0]: must be text"],
  ])("labels %j are accepted or refused", async (labels, message) => {
    const w = await sqliteWorld();
    const { path: params } = await w.given.project();
    // A cast, because the type of the body does not allow what the schema must refuse.
    const asked = { params, body: { title: "t", labels: labels as string[] } };
    if (message === undefined) {
      expect((await w.call(createIssue, asked)).issue.labels).toEqual(labels);
      return;
    }
    expect((await w.refused(createIssue, asked)).message).toBe(message);
  });

  test("the body of an issue may fill the request, but not exceed it", async () => {
    const w = await sqliteWorld();
    const { path: params } = await w.given.project();
    const frame = JSON.stringify({ actor: "ann", title: "t", body: "" }).length;
    const body = "b".repeat(1_048_576 - frame);
    const made = await w.call(createIssue, { params, body: { title: "t", body } });
    expect(made.issue.body).toBe(body);
    const refused = await w.refused(createIssue, {
      params,
      body: { title: "t", body: `${body}b` },
    });
    expect(refused).toMatchObject({ code: "payload_too_large", data: { limit: 1_048_576 } });
    const shown = await w.refused(showIssue, { params: { ...params, ref: "zzzz" } });
    expect(shown.code).toBe("issue_not_found");
  });
});
