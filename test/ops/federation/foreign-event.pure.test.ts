import { describe, expect, test } from "vitest";
import type { EventKind, Payload } from "../../../src/contract/events.ts";
import { checkForeignEvent } from "../../../src/ops/federation/foreign-event.ts";
import type { ForeignEvent } from "../../../src/store/types/store.ts";
import { T0, uid } from "../../store/drafts.ts";

const [P, A, B] = [uid(1), uid(11), uid(12)];
const CLOCK = 1_700_000_000_000;

function sent<K extends EventKind>(
  type: K,
  payload: Payload<K>,
  fields: Partial<ForeignEvent> = {},
): ForeignEvent {
  const event = {
    ...{ uid: uid(5001), origin_instance_uid: uid(901), project_uid: P, type, actor: "ann" },
    ...{ payload, hlc_physical_ms: CLOCK, hlc_counter: 0, content_hash: "", created_at: T0 },
    ...(type.startsWith("issue.") ? { issue_uid: A } : {}),
    ...fields,
  };
  return event as unknown as ForeignEvent;
}

const labeled = sent("issue.labeled", { label: "bug", updated_at: T0 });

const issue = {
  ...{ uid: A, short_id: "aaaa", title: "t", body: "", author: "ann", status: "open" as const },
  ...{ metadata: {}, created_at: T0 },
};
const created = (fields: object) => sent("issue.created", { ...issue, ...fields });
const snapshot = (fields: object) =>
  sent("issue.snapshot", { ...issue, revision: 1, updated_at: T0, ...fields });

const source = { connector_instance: "notes", external_root_key: "r", external_revision: "1" };
const imported = (fields: object) =>
  sent("issue.commented", {
    ...{ comment_uid: uid(13), author: "ann", body: "b", created_at: T0 },
    source: { ...source, ...fields },
  });

const definition = {
  ...{ uid: uid(21), project_uid: P, name: "n", definition: {}, author: "ann" },
  ...{ created_at: T0, updated_at: T0 },
};
const job = (fields: object) => sent("cron.job.updated", { ...definition, ...fields });
const jobSnapshot = (physical_ms: number, counter = 0) =>
  sent("cron.job.snapshot", {
    ...{ ...definition, definition_event_uid: uid(22), revision: 1 },
    definition_hlc: { version: 1, physical_ms, counter, origin_instance_uid: uid(901) },
  });
const run = (fields: object) =>
  sent("cron.run.observed", {
    ...{ uid: uid(23), project_uid: P, actor: "ann", status: "running", summary: {} },
    ...{ revision: 1, created_at: T0, updated_at: T0, ...fields },
  });

const linked = (from_uid: string, to_uid: string, related_issue_uid: string | undefined) =>
  sent(
    "issue.linked",
    {
      ...{ type: "blocks", from_short_id: "a", from_uid, to_short_id: "b", to_uid },
      updated_at: T0,
    },
    related_issue_uid === undefined ? {} : { related_issue_uid },
  );
const unlinked = (link_from_uid: string, link_to_uid: string) =>
  sent(
    "issue.unlinked",
    {
      ...{ type: "blocks", from_short_id: "a", from_uid: A, to_short_id: "b", to_uid: B },
      ...{ link_from_uid, link_to_uid, updated_at: T0 },
    },
    { related_issue_uid: B },
  );

/** Why the event is refused. */
function faultOf(event: ForeignEvent): string | undefined {
  try {
    checkForeignEvent(event);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("an event of a kind that daemons send to each other is accepted", () => {
  expect(faultOf(labeled)).toBeUndefined();
});

test.each([
  [
    "a kind that stays at home",
    { type: "issue.moved" },
    "events of the kind issue.moved are not sent",
  ],
  [
    "a kind that nobody knows",
    { type: "issue.painted" },
    "events of the kind issue.painted are not sent",
  ],
  [
    "a payload without a field of its kind",
    { payload: { label: "bug" } },
    "its payload is not one of issue.labeled",
  ],
  ["a clock of 0", { hlc_physical_ms: 0 }, "hlc_physical_ms must be from 1 to"],
  [
    "a clock that is no whole number",
    { hlc_physical_ms: 1.5 },
    "hlc_physical_ms must be from 1 to",
  ],
  ["a negative counter", { hlc_counter: -1 }, "hlc_counter must be from 0 to 2147483648"],
  [
    "a counter above the greatest",
    { hlc_counter: 2 ** 31 + 1 },
    "hlc_counter must be from 0 to 2147483648",
  ],
  ["a uid that is none", { uid: "E1" }, "uid must be a ULID"],
  ["a uid in lower case", { uid: uid(1).toLowerCase() }, "uid must be a ULID"],
  ["a project that is no ULID", { project_uid: "P" }, "project_uid must be a ULID"],
  ["an issue that is no ULID", { issue_uid: "A" }, "issue_uid must be a ULID"],
  ["no issue", { issue_uid: undefined }, "it names no issue"],
  ["another issue", { related_issue_uid: B }, "related_issue_uid is not the other end of its link"],
  ["no actor", { actor: " " }, "actor must be 1 to 256 bytes"],
  ["a long actor", { actor: "a".repeat(257) }, "actor must be 1 to 256 bytes"],
  [
    "a time without milliseconds",
    { created_at: "2026-01-01T00:00:00Z" },
    "created_at must be an instant in UTC with milliseconds",
  ],
  ["an id of 0 on the hub", { hub_event_id: 0 }, "hub_event_id must be greater than 0"],
])("an event with %s is refused, and the error names it", (_, fields, why) => {
  const event = { ...labeled, ...fields } as ForeignEvent;
  expect(faultOf(event)).toContain(`event ${event.uid}: ${why}`);
});

test.each(["constructor", "toString"])("a kind that is called %s is refused as unknown", (type) => {
  const event = { ...labeled, type } as unknown as ForeignEvent;
  expect(faultOf(event)).toContain(`events of the kind ${type}`);
});

test("an event with the greatest counter, the longest actor and an id on the hub is accepted", () => {
  const event = { ...labeled, hlc_counter: 2 ** 31, actor: "a".repeat(256), hub_event_id: 1 };
  expect(faultOf(event as ForeignEvent)).toBeUndefined();
});

describe("a payload from another daemon", () => {
  test.each<[string, ForeignEvent, ForeignEvent, string]>([
    ["short_id", created({ short_id: "a1" }), created({ short_id: "A1" }), "must be a short id"],
    [
      "short_id",
      created({ short_id: "a".repeat(26) }),
      created({ short_id: "a".repeat(27) }),
      "must be a short id",
    ],
    [
      "title",
      created({ title: "\u{1f600}".repeat(1024) }),
      created({ title: "t".repeat(1025) }),
      "must be 1 to 1024 characters",
    ],
    ["title", created({}), created({ title: " " }), "must be 1 to 1024 characters"],
    [
      "body",
      created({ body: "b".repeat(100_000) }),
      created({ body: "\u0000" }),
      "must not contain NUL or half a surrogate pair",
    ],
    [
      "body",
      created({ body: "\ud83d\ude00" }),
      created({ body: "\ud83d" }),
      "must not contain NUL or half a surrogate pair",
    ],
    [
      "metadata",
      created({ metadata: { short_id: "ANY", list: [1] } }),
      created({ metadata: { list: ["\u0000"] } }),
      "must not contain NUL or half a surrogate pair",
    ],
    [
      "author",
      created({ author: "é".repeat(128) }),
      created({ author: "é".repeat(129) }),
      "must be 1 to 256 bytes",
    ],
    [
      "priority",
      created({ priority: 4 }),
      created({ priority: 5 }),
      "must be a whole number from 0 to 4",
    ],
    [
      "priority",
      created({ priority: 0 }),
      created({ priority: -1 }),
      "must be a whole number from 0 to 4",
    ],
    [
      "priority",
      created({ priority: 1 }),
      created({ priority: 1.5 }),
      "must be a whole number from 0 to 4",
    ],
    ...(["created_at", "updated_at", "observed_at"] as const).map(
      (name): [string, ForeignEvent, ForeignEvent, string] => [
        name,
        imported({ [name]: T0 }),
        imported({ [name]: "2026-01-01T01:00:00+01:00" }),
        "must be an instant in UTC with milliseconds",
      ],
    ),
    ...(["external_root_key", "external_revision", "external_comment_id", "actor_id"] as const).map(
      (name): [string, ForeignEvent, ForeignEvent, string] => [
        name,
        imported({ [name]: "\u{1f600}".repeat(4096) }),
        imported({ [name]: "k".repeat(4097) }),
        "must be 1 to 4096 characters",
      ],
    ),
    ["external_revision", imported({}), imported({ external_revision: "" }), "must be 1 to 4096"],
    [
      "actor_name",
      imported({ actor_name: "" }),
      imported({ actor_name: "n".repeat(4097) }),
      "must be at most 4096 characters",
    ],
    [
      "connector_instance",
      imported({ connector_instance: "i".repeat(128) }),
      imported({ connector_instance: "i".repeat(129) }),
      "must be 1 to 128 characters",
    ],
    [
      "created_at",
      created({}),
      created({ created_at: "2026-02-30T00:00:00.000Z" }),
      "must be an instant in UTC with milliseconds",
    ],
    [
      "labels",
      created({ labels: ["a".repeat(64)] }),
      created({ labels: ["bug", "Bug"] }),
      "must be 1 to 64 of a-z 0-9 . _ : -",
    ],
    [
      "to_issue_uid",
      created({ links: [{ type: "parent", to_issue_uid: B, to_short_id: "b", author: "ann" }] }),
      created({ links: [{ type: "parent", to_issue_uid: "B", to_short_id: "b", author: "ann" }] }),
      "must be a ULID",
    ],
    [
      "closed_reason",
      created({ status: "closed", closed_reason: "done", closed_at: T0 }),
      created({ status: "closed", closed_reason: "tired", closed_at: T0 }),
      "must be a reason to close an issue",
    ],
    [
      "external_id",
      created({ source: "s".repeat(64), external_id: "x".repeat(512) }),
      created({ source: "s", external_id: "x".repeat(513) }),
      "must be 1 to 512 characters",
    ],
    ["revision", snapshot({}), snapshot({ revision: 0 }), "must be a whole number from 1"],
    [
      "revision",
      snapshot({ revision: Number.MAX_SAFE_INTEGER }),
      snapshot({ revision: 2 ** 53 }),
      "must be a whole number from 1",
    ],
    [
      "comment_uid",
      snapshot({
        comments: [{ comment_uid: uid(31), author: "ann", body: "b", created_at: T0 }],
      }),
      snapshot({ comments: [{ comment_uid: "c", author: "ann", body: "b", created_at: T0 }] }),
      "must be a ULID",
    ],
    ["name", job({ name: "n".repeat(256) }), job({ name: "n".repeat(257) }), "must be 1 to 256"],
    [
      "definition",
      job({ definition: { a: "x".repeat(256 * 1024 - 8) } }),
      job({ definition: { a: "x".repeat(256 * 1024 - 7) } }),
      "must be at most 262144 bytes",
    ],
    [
      "started_at",
      run({ started_at: "2026-01-01T02:00:00+02:00" }),
      run({ started_at: "yesterday" }),
      "must be an RFC 3339 instant",
    ],
    [
      "teammate",
      run({ teammate: "t".repeat(64) }),
      run({ teammate: "t".repeat(65) }),
      "must be 1 to 64 ASCII characters",
    ],
    [
      "counter",
      jobSnapshot(CLOCK - 1, 2 ** 31),
      jobSnapshot(CLOCK - 1, 2 ** 31 + 1),
      "must be a whole number from 0 to 2147483648",
    ],
  ])(
    "the field %s has the same limits as in events that are written here",
    (name, good, bad, why) => {
      expect(faultOf(good)).toBeUndefined();
      expect(faultOf(bad)).toContain(`event ${bad.uid}: in its payload, ${name} ${why}`);
    },
  );
});

test.each<[string, ForeignEvent, string]>([
  [
    "creates another issue than it names",
    created({ uid: B }),
    "its payload is about another issue",
  ],
  [
    "is about a job of another project than it names",
    job({ project_uid: uid(2) }),
    "its payload is about another project",
  ],
  ["is about a job and names an issue", { ...job({}), issue_uid: A }, "it may not name an issue"],
  ["sets a link of another issue", linked(B, A, A), "related_issue_uid is not the other end"],
  ["does not name the other end of its link", linked(A, B, undefined), "related_issue_uid is not"],
  [
    "removes a link of other issues",
    unlinked(A, uid(13)),
    "related_issue_uid is not the other end",
  ],
  ["links an issue with itself", linked(A, A, A), "it links an issue with itself"],
  [
    "sets an issue as its own parent",
    sent("issue.links_changed", { parent_set_uid: A, updated_at: T0 }),
    "it links an issue with itself",
  ],
  [
    "repeats a link of another issue",
    snapshot({
      uid: A,
      links: [{ type: "related", to_issue_uid: uid(10), author: "ann", created_at: T0 }],
    }),
    "it has a link that is stored from another issue",
  ],
  ["repeats a job that is younger", jobSnapshot(CLOCK, 1), "it is older than what it repeats"],
])("an event that %s is refused", (_, event, why) => {
  expect(faultOf(event)).toContain(`event ${event.uid}: ${why}`);
});

test("links of the issue that an event names are accepted, in either direction", () => {
  for (const event of [linked(A, B, B), unlinked(A, B), unlinked(B, A), jobSnapshot(CLOCK)])
    expect(faultOf(event)).toBeUndefined();
  const adopted = sent("issue.links_changed", { parent_set_uid: B, updated_at: T0 });
  expect(faultOf(adopted)).toBeUndefined();
  const link = { type: "related", to_issue_uid: B, author: "ann", created_at: T0 };
  expect(faultOf(snapshot({ links: [link] }))).toBeUndefined();
});
