import { type Instant, parseInstant } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type {
  RemoteComment,
  RemoteIssue,
  RemoteKeys,
  RemoteParent,
} from "../../domain/issue-sync/remote-issue.ts";
import { loginOf } from "../../sources/github/fields.ts";
import { issueAt } from "../../sources/github/links.ts";
import { undecodable } from "./faults.ts";

/** An id as text: the host writes large ones as numbers or as texts, and none may lose a digit. */
export function idText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === "boolean") return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^\d{1,30}$/.test(text) ? text : undefined;
}

export function numberOf(row: JsonObject): number {
  const { number } = row;
  if (typeof number === "number" && Number.isSafeInteger(number) && number > 0) return number;
  throw undecodable("an issue without a number");
}

export function keysOf(
  number: number,
  id: JsonValue | undefined,
  nodeId: JsonValue | undefined,
): RemoteKeys {
  const [lasting, node] = [idText(id), textOf(nodeId)];
  // A run keeps the keys of all issues. A text made by `join` takes half the memory of one made by a template, which V8
  // stores as a reference to each of its parts.
  const keys = [
    ...(lasting === undefined ? [] : [["issue-id", lasting].join(":")]),
    ...(node === undefined || node === "" ? [] : [["issue", node].join(":")]),
  ];
  const last = ["issue-number", number].join(":");
  const [first, ...rest] = keys;
  return first === undefined ? [last] : [first, ...rest, last];
}

export function isPullRequest(row: JsonObject): boolean {
  return isPlainObject(row["pull_request"]);
}

export function timeOf(value: JsonValue | undefined): Instant | undefined {
  return typeof value === "string" ? parseInstant(value) : undefined;
}

export function issueOf(
  row: JsonObject,
  { keys, comments, parent }: Pick<RemoteIssue, "keys" | "comments" | "parent">,
): RemoteIssue {
  const owners = listOf(row["assignees"]).flatMap((one) => loginOf(one) ?? []);
  return {
    keys,
    number: numberOf(row),
    url: textOf(row["html_url"]) ?? "",
    title: textOf(row["title"]) ?? "",
    body: textOf(row["body"]) ?? "",
    state: row["state"] === "closed" ? "closed" : "open",
    state_reason: textOf(row["state_reason"]),
    labels: listOf(row["labels"]).flatMap(labelName),
    owner: owners[0] ?? loginOf(row["assignee"]),
    author: loginOf(row["user"]),
    created_at: timeOf(row["created_at"]),
    updated_at: timeOf(row["updated_at"]),
    closed_at: timeOf(row["closed_at"]),
    comments,
    parent,
  };
}

/**
 * Converts a comment. Its key contains its id or, if it has none, the key of its issue and its position among the
 * issue's comments.
 */
export function commentOf(row: JsonObject, issueKey: string, index: number): RemoteComment {
  const [id, node] = [idText(row["id"]), textOf(row["node_id"])];
  const named = id === undefined ? node && `comment:${node}` : `comment-id:${id}`;
  return {
    key: named === undefined || named === "" ? `comment-missing:${issueKey}:${index}` : named,
    body: textOf(row["body"]) ?? "",
    author: loginOf(row["user"]),
    created_at: timeOf(row["created_at"]),
  };
}

/**
 * What the row itself says about its parent. A host without the field, or one that leaves it out, says nothing.
 * `keysOfNumber` returns the keys of issues that were read before.
 */
export function parentInRow(
  { parent_issue_url: address, html_url }: JsonObject,
  keysOfNumber: (number: number) => RemoteKeys | undefined,
): RemoteParent {
  if (address === null) return { kind: "none" };
  const [repository, digits] = issueAt(textOf(address)) ?? [];
  const [own] = issueAt(textOf(html_url)) ?? [];
  if (repository === undefined || repository.toLowerCase() !== own?.toLowerCase())
    return { kind: "unknown" };
  const number = Number(digits);
  return { kind: "issue", keys: keysOfNumber(number) ?? [`issue-number:${number}`] };
}

function labelName(value: JsonValue): readonly string[] {
  const name = isPlainObject(value) ? value["name"] : value;
  return typeof name === "string" ? [name] : [];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
