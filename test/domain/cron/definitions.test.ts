import { describe, expect, test } from "vitest";
import { type JsonObject, parseJson } from "../../../src/base/json.ts";
import { decodeJob } from "../../../src/domain/cron/job.ts";
import { decodeWorkflow } from "../../../src/domain/cron/workflow.ts";
import { but, D, FLOW, ISSUE, N, R, W, X } from "./bases.ts";

/** Parses the document as the daemon does. */
const received = (document: object | string): JsonObject =>
  parseJson(typeof document === "string" ? document : JSON.stringify(document)) as JsonObject;

const refusedField = (decode: () => unknown): unknown => {
  try {
    decode();
  } catch (error) {
    return (error as { data?: { field?: string } }).data?.field;
  }
  return "accepted";
};

const field = (document: object | string) => refusedField(() => decodeJob(received(document)));
const stepField = (document: object | string) =>
  refusedField(() => decodeWorkflow(received(document)));

const trigger = (base: object, change: object) => but(base, { trigger: change });
const action = (base: { action: object }, change: object) =>
  but(base, { action: but(base.action, change) });
const issue = (base: { issue: object }, change: object) =>
  but(base, { issue: but(base.issue, change) });
const cron = (base: object, expression: string, timezone?: string) =>
  trigger(base, but({ kind: "cron", cron: expression }, { timezone }));
const withLead = (lead_seconds: number) => ({
  ...D,
  trigger: { kind: "issue-deadline", issue_uid: ISSUE, lead_seconds },
});
const perRun = { kind: "per-run", title: "Run" };
const raw = (base: object, from: string, to: string) => JSON.stringify(base).replace(from, to);
const WRONG_TITLE = "t".repeat(992);

describe("job definitions, with the case numbers of docs/contract/cron-and-inbox.md#3-cases-of-documents", () => {
  test.each<[string, object | string]>([
    ["1", X],
    ["7", but(X, { enabled: null })],
    ["17", trigger(X, { kind: "interval", interval_seconds: 1 })],
    ["19", trigger(R, { kind: "interval", interval_seconds: 60 })],
    ["21", trigger(X, { kind: "interval", interval_seconds: 9_223_372_036 })],
    ["22", trigger(X, { kind: "once", at: "2026-09-01T09:00:00Z" })],
    ["23", trigger(X, { kind: "once", at: "2026-09-01T09:00:00+02:00" })],
    ["25", trigger(X, { kind: "issue-scheduled", issue_uid: ISSUE })],
    ["27, no lead", withLead(0)],
    ["27", withLead(1800)],
    ["27, the longest lead", withLead(9_223_372_036)],
    ["31", cron(X, "0 9 * * *", "UTC")],
    ["31, Europe/Berlin", cron(X, "0 9 * * *", "Europe/Berlin")],
    ["31, Asia/Kolkata", cron(X, "0 9 * * *", "Asia/Kolkata")],
    ["35", cron(X, "0 9 * JAN MON-FRI")],
    ["38", cron(X, "0 0 31 2 *")],
    ["40", cron(X, "@every 90m")],
    ["47", cron(X, "TZ=America/New_York 0 9 * * *")],
    ["48", cron(R, "CRON_TZ=America/New_York 0 9 * * 1-5", "America/New_York")],
    ["50", cron(R, "TZ=UTC 0 9 * * *")],
    ["53", action(X, { prompt: undefined, workflow_uid: FLOW })],
    ["60", but(X, { issue: perRun })],
    [
      "61",
      but(X, {
        issue: { ...perRun, scheduled_offset_seconds: -3600, deadline_offset_seconds: 86_400 },
      }),
    ],
    [
      "62, the earliest scheduled time",
      but(X, { issue: { ...perRun, scheduled_offset_seconds: -9_223_372_036 } }),
    ],
    [
      "62, the latest scheduled time and the earliest deadline",
      but(X, {
        issue: {
          ...perRun,
          scheduled_offset_seconds: 9_223_372_036,
          deadline_offset_seconds: -9_223_372_036,
        },
      }),
    ],
    ["a title of 1,024 characters", but(X, { issue: { ...perRun, title: "t".repeat(1024) } })],
    ["a grace time and a timeout of 0", but(X, { grace_seconds: 0, timeout_seconds: 0 })],
    [
      "the longest grace time and timeout",
      but(X, { grace_seconds: 9_223_372_036, timeout_seconds: 9_223_372_036 }),
    ],
    ["66", D],
    [
      "67",
      action(withLead(1800), {
        recipient: "operator/worker",
        message: "due soon",
      }),
    ],
    ["69", action(N, { recipient: "current-owner-or-author", message: "" })],
    ["69, a blank message", action(N, { recipient: "current-owner-or-author", message: "  " })],
    ["70", action(N, { message: "m".repeat(1024) })],
    ["70, 512 letters of two bytes", action(N, { message: "é".repeat(512) })],
    ["73", action(N, { recipient: "worker/adapter" })],
    ["73, the longest recipient", action(N, { recipient: "a".repeat(128) })],
    ["73, a capital letter beyond ASCII", action(N, { recipient: "Ålice" })],
    ["73, 64 letters of two bytes", action(N, { recipient: "é".repeat(64) })],
    ["76", R],
    ["80", but(R, { catchup: "skip", grace_seconds: 3600 })],
    ["80, the shortest grace time", but(R, { catchup: "skip", grace_seconds: 1 })],
    ["81, null for a time and for secrets", but(R, { timeout_seconds: null, secret_refs: null })],
    ["83", issue(R, { title: "t".repeat(991) })],
    ["83, 991 emoji", issue(R, { title: "😀".repeat(991) })],
    ["85", action(R, { recipient: "worker/adapter" })],
    ["91", but(X, { options: { model: "m", n: 1 } })],
    ["93", but(X, { options: { token_count: 3, paths: [] } })],
    ["95", but(X, { secret_refs: { db: "main-db" } })],
    [
      "95, the longest name and the longest secret",
      but(X, { secret_refs: { ["n".repeat(256)]: "s".repeat(256) } }),
    ],
    ["96", but(X, { checkout_key: "main.repo_1" })],
    ["96, 128 letters of two bytes", but(X, { checkout_key: "é".repeat(128) })],
    ["empty optional text", but(X, { checkout_key: "" })],
    [
      "a number with a point",
      raw(but(X, { grace_seconds: 1 }), ":1,", ":1.0,").replace('seconds":1', 'seconds":1.0'),
    ],
  ])("a definition is valid: case %s", (_name, document) => {
    expect(field(document)).toBe("accepted");
  });

  test.each<[string, string, object | string]>([
    ["2", "definition.version", but(X, { version: 2 })],
    ["2, no version", "definition.version", but(X, { version: undefined })],
    ["3", "definition.kind", but(X, { kind: "workflow" })],
    ["4", "definition.note", but(X, { note: 1 })],
    ["6", "definition.version", raw(X, '"version"', '"Version"')],
    ["8", "definition.enabled", but(X, { enabled: "yes" })],
    ["14", "definition.overlap", but(X, { overlap: "queue" })],
    ["14, no overlap", "definition.overlap", but(X, { overlap: undefined })],
    ["14, an unknown catchup", "definition.catchup", but(X, { catchup: "none" })],
    ["14, no catchup", "definition.catchup", but(X, { catchup: undefined })],
    ["16", "definition.trigger.cron", trigger(X, { kind: "manual", cron: "* * * * *" })],
    [
      "18",
      "definition.trigger.interval_seconds",
      trigger(R, { kind: "interval", interval_seconds: 1 }),
    ],
    [
      "18, 59 seconds",
      "definition.trigger.interval_seconds",
      trigger(R, { kind: "interval", interval_seconds: 59 }),
    ],
    [
      "20",
      "definition.trigger.interval_seconds",
      trigger(X, { kind: "interval", interval_seconds: 0 }),
    ],
    [
      "20, a negative number",
      "definition.trigger.interval_seconds",
      trigger(X, { kind: "interval", interval_seconds: -5 }),
    ],
    [
      "20, a fraction",
      "definition.trigger.interval_seconds",
      trigger(X, { kind: "interval", interval_seconds: 1.5 }),
    ],
    [
      "20, a small fraction",
      "definition.trigger.interval_seconds",
      raw(trigger(X, { kind: "interval", interval_seconds: 7 }), ":7}", ":7.00000000000000000001}"),
    ],
    [
      "20, a text",
      "definition.trigger.interval_seconds",
      trigger(X, { kind: "interval", interval_seconds: "5" }),
    ],
    [
      "21",
      "definition.trigger.interval_seconds",
      trigger(X, { kind: "interval", interval_seconds: 9_223_372_037 }),
    ],
    ["24", "definition.trigger.at", trigger(X, { kind: "once", at: "2026-09-01" })],
    [
      "24, a time without seconds and zone",
      "definition.trigger.at",
      trigger(X, { kind: "once", at: "2026-09-01T09:00" }),
    ],
    [
      "26",
      "definition.trigger.lead_seconds",
      trigger(X, { kind: "issue-scheduled", issue_uid: ISSUE, lead_seconds: 0 }),
    ],
    ["28", "definition.trigger.lead_seconds", withLead(-1)],
    [
      "28, a lead of one second more than the longest",
      "definition.trigger.lead_seconds",
      withLead(9_223_372_037),
    ],
    [
      "29",
      "definition.trigger.issue_uid",
      trigger(X, { kind: "issue-scheduled", issue_uid: ISSUE.toLowerCase() }),
    ],
    [
      "29, a uid that is too short",
      "definition.trigger.issue_uid",
      trigger(X, { kind: "issue-scheduled", issue_uid: ISSUE.slice(1) }),
    ],
    [
      "29, a short id",
      "definition.trigger.issue_uid",
      trigger(X, { kind: "issue-scheduled", issue_uid: "ab3d" }),
    ],
    ["30", "definition.trigger.timezone", cron(X, "0 9 * * *", "Not/AZone")],
    ["30, the name Local", "definition.trigger.timezone", cron(X, "0 9 * * *", "Local")],
    [
      "30, an offset as the time zone",
      "definition.trigger.timezone",
      cron(X, "0 9 * * *", "+05:00"),
    ],
    [
      "30, a time zone in lower case",
      "definition.trigger.timezone",
      cron(X, "0 9 * * *", "america/new_york"),
    ],
    ["32", "definition.trigger.kind", trigger(X, { kind: "hourly" })],
    ["33", "definition.trigger.kind", trigger(X, { kind: "issue-deadline", issue_uid: ISSUE })],
    ["40, @every in a job that creates issues", "definition.trigger.cron", cron(R, "@every 90m")],
    ["43", "definition.trigger.cron", cron(X, "61 * * * *")],
    ["49", "definition.trigger.cron", cron(R, "TZ=Europe/Berlin 0 9 * * 1-5", "America/New_York")],
    ["50", "definition.trigger.cron", cron(R, "TZ=Europe/Berlin 0 9 * * *")],
    ["52", "definition.action.prompt", action(X, { prompt: "   " })],
    ["54", "definition.action", action(X, { workflow_uid: FLOW })],
    ["55", "definition.action", action(X, { prompt: " ", workflow_uid: FLOW })],
    ["neither a prompt nor a workflow", "definition.action", action(X, { prompt: undefined })],
    [
      "56",
      "definition.action.workflow_uid",
      action(X, { prompt: undefined, workflow_uid: "workflow.yaml" }),
    ],
    ["58", "definition.issue", but(X, { issue: undefined })],
    ["59", "definition.action.recipient", action(X, { recipient: "worker" })],
    ["59, a message", "definition.action.message", action(X, { message: "look" })],
    [
      "62",
      "definition.issue.scheduled_offset_seconds",
      but(X, { issue: { ...perRun, scheduled_offset_seconds: 9_223_372_037 } }),
    ],
    [
      "62, one second earlier than the earliest",
      "definition.issue.deadline_offset_seconds",
      but(X, { issue: { ...perRun, deadline_offset_seconds: -9_223_372_037 } }),
    ],
    ["a negative grace time", "definition.grace_seconds", but(X, { grace_seconds: -1 })],
    [
      "a grace time above the longest",
      "definition.grace_seconds",
      but(X, { grace_seconds: 9_223_372_037 }),
    ],
    ["a negative timeout", "definition.timeout_seconds", but(X, { timeout_seconds: -1 })],
    [
      "a timeout above the longest",
      "definition.timeout_seconds",
      but(X, { timeout_seconds: 9_223_372_037 }),
    ],
    ["63", "definition.issue.uid", but(X, { issue: { ...perRun, uid: ISSUE } })],
    [
      "63, a parent",
      "definition.issue.parent_uid",
      but(X, { issue: { ...perRun, parent_uid: ISSUE } }),
    ],
    ["63, a blank title", "definition.issue.title", but(X, { issue: { ...perRun, title: " " } })],
    [
      "63, only invisible characters",
      "definition.issue.title",
      but(X, { issue: { ...perRun, title: "\u200b\u2800" } }),
    ],
    [
      "a prompt of invisible characters",
      "definition.action.prompt",
      action(X, { prompt: "\u3164" }),
    ],
    [
      "a title of 1,025 characters",
      "definition.issue.title",
      but(X, { issue: { ...perRun, title: "t".repeat(1025) } }),
    ],
    ["64", "definition.issue.title", issue(X, { title: "x" })],
    ["65", "definition.issue", but(N, { issue: undefined })],
    ["68", "definition.action.message", action(D, { recipient: "worker" })],
    ["70", "definition.action.message", action(N, { message: "m".repeat(1025) })],
    ["71", "definition.action.message", action(N, { message: "  " })],
    [
      "71, only invisible characters",
      "definition.action.message",
      action(N, { message: "\u2060\ufe0f" }),
    ],
    ["72", "definition.action.prompt", action(N, { prompt: "check" })],
    ["72, a workflow", "definition.action.workflow_uid", action(N, { workflow_uid: FLOW })],
    ["72, a checkout key", "definition.checkout_key", but(N, { checkout_key: "main" })],
    ["74", "definition.action.recipient", action(N, { recipient: " worker" })],
    ["74, a space", "definition.action.recipient", action(N, { recipient: "a b" })],
    ["74, three parts", "definition.action.recipient", action(N, { recipient: "a/b/c" })],
    ["74, nothing before the slash", "definition.action.recipient", action(N, { recipient: "/a" })],
    ["74, nothing after the slash", "definition.action.recipient", action(N, { recipient: "a/" })],
    ["74, an empty text", "definition.action.recipient", action(N, { recipient: "" })],
    [
      "74, 129 characters",
      "definition.action.recipient",
      action(N, { recipient: "a".repeat(129) }),
    ],
    [
      "74, 65 letters of two bytes",
      "definition.action.recipient",
      action(N, { recipient: "é".repeat(65) }),
    ],
    [
      "74, a zero-width joiner",
      "definition.action.recipient",
      action(N, { recipient: "a\u200db" }),
    ],
    [
      "74, only an invisible character",
      "definition.action.recipient",
      action(N, { recipient: "\u3164" }),
    ],
    [
      "74, an invisible adapter",
      "definition.action.recipient",
      action(N, { recipient: "ann/\u2800" }),
    ],
    ["74, a line break", "definition.action.recipient", action(N, { recipient: "a\nb" })],
    ["75", "definition.issue.parent_uid", but(N, { issue: perRun })],
    ["77", "definition.overlap", but(R, { overlap: "forbid" })],
    ["78", "definition.trigger.kind", trigger(R, { kind: "manual" })],
    [
      "78, a trigger at one time",
      "definition.trigger.kind",
      trigger(R, { kind: "once", at: "2026-09-01T09:00:00Z" }),
    ],
    [
      "78, a trigger by date",
      "definition.trigger.kind",
      trigger(R, { kind: "issue-scheduled", issue_uid: ISSUE }),
    ],
    ["79", "definition.grace_seconds", but(R, { catchup: "skip" })],
    [
      "79, a grace time of 0",
      "definition.grace_seconds",
      but(R, { catchup: "skip", grace_seconds: 0 }),
    ],
    ["81", "definition.timeout_seconds", but(R, { timeout_seconds: 60 })],
    ["81, a timeout of 0", "definition.timeout_seconds", but(R, { timeout_seconds: 0 })],
    ["81, secrets", "definition.secret_refs", but(R, { secret_refs: {} })],
    ["81, options", "definition.options", but(R, { options: {} })],
    ["81, a checkout key", "definition.checkout_key", but(R, { checkout_key: "main" })],
    ["82", "definition.issue.scheduled_offset_seconds", issue(R, { scheduled_offset_seconds: 0 })],
    ["83", "definition.issue.title", issue(R, { title: WRONG_TITLE })],
    ["83, a blank title", "definition.issue.title", issue(R, { title: "  " })],
    [
      "83, only invisible characters",
      "definition.issue.title",
      issue(R, { title: "\u200b\u{e0041}" }),
    ],
    ["92", "definition.options.API_Token", but(X, { options: { API_Token: "x" } })],
    ["92, in a list", "definition.options.a[0].Path", but(X, { options: { a: [{ Path: "/x" }] } })],
    ["92, in a nested object", "definition.options.a.cwd", but(X, { options: { a: { cwd: 1 } } })],
    ["94", "definition.options", but(X, { options: [] })],
    ["94, null", "definition.options", but(X, { options: null })],
    ["94, a text", "definition.options", but(X, { options: "x" })],
    ["95", "definition.secret_refs.db", but(X, { secret_refs: { db: "a/b" } })],
    [
      "95, a secret of 257 characters",
      "definition.secret_refs.db",
      but(X, { secret_refs: { db: "s".repeat(257) } }),
    ],
    ["95, a dot as a name", "definition.secret_refs..", but(X, { secret_refs: { ".": "x" } })],
    ["96", "definition.checkout_key", but(X, { checkout_key: "a/b" })],
    ["96, two dots", "definition.checkout_key", but(X, { checkout_key: ".." })],
    ["96, an invisible character", "definition.checkout_key", but(X, { checkout_key: "\u3164" })],
    ["96, 257 characters", "definition.checkout_key", but(X, { checkout_key: "c".repeat(257) })],
    ["NUL", "definition.action.prompt", action(X, { prompt: "a\u0000b" })],
    ["no object", "definition.trigger", trigger(X, [])],
  ])("a definition is refused: case %s, because of %s", (_name, path, document) => {
    expect(field(document)).toBe(path);
  });

  test.each(
    "token api_token api_key password secret credentials authorization cwd path checkout_path local_path".split(
      " ",
    ),
  )("%s is not allowed as a key of options, in any letter case", (key) => {
    expect(field(but(X, { options: { [key.toUpperCase()]: 1 } }))).toBe(
      `definition.options.${key.toUpperCase()}`,
    );
  });

  test("a stored definition has the enabled flag, its members in the contract's order, and no absent members", () => {
    const shuffled = { options: { b: 1 }, checkout_key: null, ...X, enabled: null };
    expect(JSON.stringify(decodeJob(received(shuffled)))).toBe(
      JSON.stringify({
        version: 1,
        kind: "job",
        enabled: false,
        trigger: { kind: "manual" },
        action: { kind: "execute", prompt: "check" },
        issue: { kind: "existing", uid: ISSUE },
        overlap: "forbid",
        catchup: "skip",
        options: { b: 1 },
      }),
    );
    expect(decodeJob(received(issue(R, { title: "  Check  " }))).issue).toMatchObject({
      title: "Check",
    });
  });

  test("numbers in options keep their spelling", () => {
    const options = '{"a":12345678901234567890,"b":1.10,"c":[1e400]}';
    const document = raw(but(X, { options: 0 }), '"options":0', `"options":${options}`);
    expect(JSON.stringify(decodeJob(received(document)).options)).toBe(options);
  });

  test.each([
    [262_144, "accepted"],
    [262_145, "definition"],
  ])("a definition of %i bytes is accepted or refused by its size: %s", (bytes, outcome) => {
    const empty = JSON.stringify(decodeJob(received(action(X, { prompt: "p" }))));
    const document = action(X, { prompt: "p".repeat(bytes - empty.length + 1) });
    expect(field(document)).toBe(outcome);
  });
});

describe("workflow definitions, with the case numbers of docs/contract/cron-and-inbox.md#3-cases-of-documents", () => {
  const step = (change: object) =>
    but(W, { steps: [but({ key: "a", kind: "command", command: "make" }, change)] });
  const second = (change: object) =>
    but(W, { steps: [W.steps[0], but({ key: "b", kind: "prompt", prompt: "read" }, change)] });

  test.each<[string, object]>([
    ["97", W],
    ["101", step({ retries: 0 })],
    ["101, 100 retries", step({ retries: 100 })],
    ["options", step({ options: { n: 1 } })],
    ["a key of 256 characters", step({ key: "k".repeat(256) })],
    ["a description and an input", but(W, { about: "", input: "what" })],
    ["an empty list of earlier steps", second({ after: [] })],
  ])("a definition is valid: case %s", (_name, document) => {
    expect(stepField(document)).toBe("accepted");
  });

  test.each<[string, string, object]>([
    ["98", "definition.steps", but(W, { steps: [] })],
    ["98, no steps", "definition.steps", but(W, { steps: undefined })],
    ["another version", "definition.version", but(W, { version: 2 })],
    ["99, a step after itself", "definition.steps[1].after[0]", second({ after: ["b"] })],
    [
      "99, a step after a later step",
      "definition.steps[0].after[0]",
      but(W, { steps: [{ ...W.steps[0], after: ["review"] }, W.steps[1]] }),
    ],
    [
      "a step that is named twice",
      "definition.steps[1].after[1]",
      second({ after: ["build", "build"] }),
    ],
    ["100", "definition.steps[1].key", second({ key: "build" })],
    ["a key with a slash", "definition.steps[0].key", step({ key: "a/b" })],
    ["a key of 257 characters", "definition.steps[0].key", step({ key: "k".repeat(257) })],
    ["101", "definition.steps[0].retries", step({ retries: -1 })],
    ["101, 101 retries", "definition.steps[0].retries", step({ retries: 101 })],
    ["101, a fraction", "definition.steps[0].retries", step({ retries: 1.5 })],
    ["102", "definition.steps[0].prompt", step({ prompt: "too" })],
    ["102, a prompt", "definition.steps[0].prompt", step({ kind: "prompt", command: undefined })],
    ["a blank command", "definition.steps[0].command", step({ command: " " })],
    [
      "a command of invisible characters",
      "definition.steps[0].command",
      step({ command: "\u200b" }),
    ],
    ["a key of invisible characters", "definition.steps[0].key", step({ key: "\u115f" })],
    ["103", "definition.options.a.api_token", but(W, { options: { a: { api_token: 1 } } })],
    [
      "103, in the options of a step",
      "definition.steps[0].options.path",
      step({ options: { path: "/x" } }),
    ],
    ["104", "definition.about", but(W, { about: 5 })],
    ["an unknown field of a step", "definition.steps[0].note", step({ note: 1 })],
    ["a kind", "definition.kind", but(W, { kind: "workflow" })],
    ["a step that is a text", "definition.steps[0]", but(W, { steps: ["make"] })],
  ])("a definition is refused: case %s, because of %s", (_name, path, document) => {
    expect(stepField(document)).toBe(path);
  });

  test.each([
    [262_144, "accepted"],
    [262_145, "definition"],
  ])("a definition of %i bytes is accepted or refused by its size: %s", (bytes, outcome) => {
    const about = "a".repeat(bytes - JSON.stringify(but(W, { about: "" })).length);
    expect(stepField(but(W, { about }))).toBe(outcome);
  });
});
