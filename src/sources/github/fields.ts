import { isPlainObject, type JsonValue } from "../../base/json.ts";
import { spellLabel } from "../../domain/imports/spell-label.ts";
import { CLOSE_REASONS } from "../../domain/issue-sync/github.ts";
import {
  authorRule,
  bodyRule,
  closedRule,
  createdRule,
  keepInMetadata,
  leaveOut,
  ownerRule,
  see,
  titleRule,
  updatedRule,
} from "../neutral/fields.ts";
import type { FieldRule } from "../neutral/record.ts";
import { isCut, pointsElsewhere } from "./links.ts";

/**
 * The rule for `url`. In the output of `gh`, it is the address of the issue's page and is kept in the metadata. In the
 * output of the REST API, it is an address of the API and is left out.
 */
const address: FieldRule = (value, mapped, issue, name) =>
  issue.fields["html_url"] === undefined
    ? keepInMetadata(value, mapped, issue, name)
    : ADDRESS(value, mapped, issue, name);

const COUNT = leaveOut("a count, which svc counts itself");
const ADDRESS = leaveOut("an address of GitHub's own interface");
const VIEWER = leaveOut("says what the one who exported may do");

/** The account name in `login`; `undefined` if the account no longer exists. */
export function loginOf(value: JsonValue | undefined): string | undefined {
  const login = isPlainObject(value) ? value["login"] : undefined;
  return typeof login === "string" && login !== "" ? login : undefined;
}

const reason: FieldRule = (value, mapped, issue, name) => {
  if (mapped.status === "open") return { kind: "dropped", why: "the issue is open again" };
  const found = typeof value === "string" ? CLOSE_REASONS[value.toLowerCase()] : undefined;
  if (found === undefined) return keepInMetadata(value, mapped, issue, name);
  mapped.closedReason = found;
  return { kind: "mapped", to: `closed as ${found}` };
};

const author: FieldRule = (value, mapped, issue, name) => {
  const login = loginOf(value);
  if (login === undefined) return { kind: "dropped", why: "the account is gone" };
  return { ...authorRule(login, mapped, issue, name), kind: "mapped" };
};

/** The rule for the assignees. The first assignee becomes the owner, since an issue of svc has only one owner. */
const assignees: FieldRule = (value, mapped, issue, name) => {
  const logins = Array.isArray(value) ? value.flatMap((one: JsonValue) => loginOf(one) ?? []) : [];
  const [first] = logins;
  if (first === undefined) return { kind: "dropped", why: "it names nobody" };
  const owner = ownerRule(first, mapped, issue, name);
  if (logins.length === 1) return { ...owner, kind: "mapped" };
  const kept = keepInMetadata(logins, mapped, issue, name);
  return { kind: "mapped", to: `owner, and ${kept.to}`, why: "svc has one owner: the first" };
};

const milestone: FieldRule = (value, mapped, issue, name) => {
  const title = isPlainObject(value) ? value["title"] : undefined;
  const kept = keepInMetadata(value, mapped, issue, name);
  const label = typeof title === "string" ? spellLabel(`milestone:${title}`) : undefined;
  if (label === undefined) return kept;
  mapped.labels.add(label);
  return { kind: "mapped", to: `label milestone:<title>, ${kept.to}` };
};

const flag: FieldRule = (value, mapped, issue, name) =>
  value === false
    ? { kind: "dropped", why: "it says no" }
    : keepInMetadata(value, mapped, issue, name);

/**
 * The rule for fields with links, which the reader has already used. The field itself is kept in the metadata in two
 * cases:
 *
 * - It names an issue of another repository, and svc links only issues of the same source.
 * - `gh` wrote only a part of the list.
 */
const peers: FieldRule = (value, mapped, issue, name) => {
  const elsewhere = pointsElsewhere(value, issue.fields);
  if (!elsewhere && !isCut(value)) return see("edges")(value, mapped, issue, name);
  const kept = keepInMetadata(value, mapped, issue, name);
  if (!elsewhere)
    return { ...kept, why: "gh wrote a part of the list only; those that are in it: see edges" };
  return { ...kept, why: "it names issues of other repositories; the others: see edges" };
};

/** The rule for comments. In the output of `gh` they are a list; the REST API gives only their number. */
const comments: FieldRule = (value, mapped, issue, name) =>
  typeof value === "number"
    ? { kind: "dropped", why: "a count; `gh issue list --json comments` has the comments" }
    : see("comments")(value, mapped, issue, name);

/** The rules for the fields of `gh issue list --json` and, after the blank line, for the fields of the REST API. */
export const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  number: keepInMetadata,
  title: titleRule,
  body: bodyRule,
  state: see("statuses"),
  stateReason: reason,
  closed: leaveOut("says what state says"),
  labels: see("labels"),
  issueType: see("types"),
  comments,
  author,
  assignees,
  createdAt: createdRule,
  updatedAt: updatedRule,
  closedAt: closedRule,
  milestone,
  isPinned: flag,
  parent: peers,
  subIssues: peers,
  blockedBy: peers,
  blocking: peers,
  subIssuesSummary: COUNT,

  state_reason: reason,
  type: see("types"),
  user: author,
  assignee: leaveOut("the first of assignees"),
  created_at: createdRule,
  updated_at: updatedRule,
  closed_at: closedRule,
  locked: flag,
  parent_issue_url: peers,
  sub_issues_summary: COUNT,
  issue_dependencies_summary: COUNT,
  url: address,
  node_id: leaveOut("a second id"),
  repository_url: ADDRESS,
  labels_url: ADDRESS,
  comments_url: ADDRESS,
  events_url: ADDRESS,
  timeline_url: ADDRESS,
  author_association: VIEWER,
};

export const DATE_FIELDS: ReadonlySet<string> = new Set([
  "createdAt",
  "updatedAt",
  "closedAt",
  "created_at",
  "updated_at",
  "closed_at",
]);
