import fc from "fast-check";
import { msToInstant } from "../../src/base/clock.ts";
import { type JsonObject, parseJson } from "../../src/base/json.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import type { Store } from "../../src/store/types/store.ts";

/** The content of a database: any text that svc stores, in every field that takes text. */
export interface Content {
  readonly projects: readonly {
    readonly name: string;
    readonly metadata: string;
    readonly archived: boolean;
  }[];
  readonly issues: readonly ContentIssue[];
  readonly links: readonly {
    readonly from: number;
    readonly to: number;
    readonly type: "parent" | "blocks" | "related";
  }[];
}

export interface ContentIssue {
  readonly project: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly owner: string | undefined;
  readonly priority: number | undefined;
  readonly labels: readonly string[];
  readonly metadata: string;
  readonly comments: readonly {
    readonly author: string;
    readonly body: string;
    readonly key: string | undefined;
  }[];
  readonly end: "open" | "closed" | "deleted";
  readonly createdAt: number;
  readonly externalId: string | undefined;
}

/** Text without NUL, which svc refuses, and without lone surrogates, which UTF-8 cannot encode. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc.string({ unit: "binary", minLength: 1 }).map((one) => one.replaceAll("\0", "\u0001")),
  fc.constantFrom(
    "\u2028\u2029",
    "\ufeffx",
    "é e\u0301",
    "👩‍👩‍👧‍👦",
    "\u202eabc",
    '"\\/\b\f\n\r\t',
    "\u007f\u0085",
    "\u{10ffff}",
  ),
);

/** JSON with numbers that JavaScript would write differently, and with keys that have a special meaning for objects. */
const json = fc.oneof(
  fc.constant("{}"),
  fc.constantFrom(
    '{"exact":123456789012345678901234567890,"half":1.50,"far":1e400,"tiny":-0.0}',
    '{"1":"a","b":{"2":[1.0,{"__proto__":1}]},"0":null}',
    '{"someday":true}',
    '{"scheduled_on":"2030-01-01"}',
  ),
  fc
    .dictionary(text, fc.jsonValue({ maxDepth: 3 }))
    .map((one) => JSON.stringify(one).replaceAll("\\u0000", "\\u0001")),
);

const index = fc.nat({ max: 30 });

export const content: fc.Arbitrary<Content> = fc.record({
  projects: fc.array(fc.record({ name: text, metadata: json, archived: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
  issues: fc.array(
    fc.record({
      project: index,
      title: text,
      body: fc.oneof(fc.constant(""), text),
      author: text,
      owner: fc.option(text, { nil: undefined }),
      priority: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
      labels: fc.uniqueArray(fc.stringMatching(/^[a-z0-9._:-]{1,64}$/), { maxLength: 4 }),
      metadata: json,
      comments: fc.array(
        fc.record({ author: text, body: text, key: fc.option(text, { nil: undefined }) }),
        { maxLength: 3 },
      ),
      end: fc.constantFrom("open", "open", "closed", "deleted"),
      createdAt: fc.integer({ min: 0, max: 4_102_444_800_000 }),
      externalId: fc.option(text, { nil: undefined }),
    }),
    { maxLength: 12 },
  ),
  links: fc.array(
    fc.record({ from: index, to: index, type: fc.constantFrom("parent", "blocks", "related") }),
    { maxLength: 12 },
  ),
});

/** Writes the content to the log of a store. Links may be invalid: the fold has rules for such links too. */
export async function fill(
  store: Store,
  { projects, issues, links }: Content,
  ulid: () => string,
): Promise<void> {
  const projectUids = projects.map(ulid);
  const issueUids = issues.map(ulid);
  const drafts: EventDraft[] = [];
  const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;
  for (const [i, { name, metadata }] of projects.entries()) {
    const project_uid = at(projectUids, i);
    drafts.push({
      type: "project.created",
      actor: "a",
      project_uid,
      payload: { name: `${name}${i}`, metadata: object(metadata) },
    });
    drafts.push({
      type: "project.alias_added",
      actor: "a",
      project_uid,
      payload: { alias_identity: `git/${project_uid}`, alias_kind: "git" },
    });
  }
  for (const [i, issue] of issues.entries()) {
    drafts.push(...issueDrafts(issue, at(projectUids, issue.project), at(issueUids, i), ulid));
  }
  for (const link of issues.length === 0 ? [] : links) {
    const [from_uid, to_uid] = [at(issueUids, link.from), at(issueUids, link.to)];
    if (
      from_uid === to_uid ||
      (link.type === "parent" && link.from % issues.length < link.to % issues.length)
    )
      continue;
    const project_uid = at(projectUids, at(issues, link.from).project);
    const payload = {
      type: link.type,
      from_uid,
      to_uid,
      from_short_id: "x",
      to_short_id: "y",
      updated_at: AT,
    };
    drafts.push({
      type: "issue.linked",
      actor: "a",
      project_uid,
      issue_uid: from_uid,
      related_issue_uid: to_uid,
      payload,
    });
  }
  for (const [i, { archived }] of projects.entries()) {
    if (archived)
      drafts.push({
        type: "project.removed",
        actor: "a",
        project_uid: at(projectUids, i),
        payload: { alias_count: 1, open_issues: 0 },
      });
  }
  await store.write(async (tx) => {
    for (const draft of drafts) await tx.append(draft);
  });
}

const AT = "2030-01-02T03:04:05.678Z";

function issueDrafts(
  issue: ContentIssue,
  project_uid: string,
  issue_uid: string,
  ulid: () => string,
): readonly EventDraft[] {
  const head = { project_uid, issue_uid };
  const created_at = msToInstant(issue.createdAt);
  const drafts: EventDraft[] = [
    {
      ...head,
      type: "issue.created",
      actor: issue.author,
      payload: {
        uid: issue_uid,
        short_id: issue_uid.slice(-8).toLowerCase(),
        title: issue.title,
        body: issue.body,
        author: issue.author,
        status: "open",
        metadata: object(issue.metadata),
        labels: [...issue.labels],
        created_at,
        ...(issue.owner === undefined ? {} : { owner: issue.owner }),
        ...(issue.priority === undefined ? {} : { priority: issue.priority }),
        ...(issue.externalId === undefined
          ? {}
          : { source: "t", external_id: `${issue.externalId}${issue_uid}` }),
      },
    },
  ];
  for (const { author, body, key } of issue.comments) {
    const idempotency =
      key === undefined ? {} : { idempotency_key: key, idempotency_fingerprint: "f" };
    const payload = { comment_uid: ulid(), author, body, created_at, ...idempotency };
    drafts.push({ ...head, type: "issue.commented", actor: author, payload });
  }
  if (issue.end === "closed") {
    drafts.push({
      ...head,
      type: "issue.closed",
      actor: "a",
      payload: { reason: "done", closed_at: AT, parent_uid: "", parent_short_id: "" },
    });
  }
  if (issue.end === "deleted")
    drafts.push({ ...head, type: "issue.soft_deleted", actor: "a", payload: { deleted_at: AT } });
  return drafts;
}

function object(json: string): JsonObject {
  return parseJson(json) as JsonObject;
}
