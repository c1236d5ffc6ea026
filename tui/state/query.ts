import type { Instant } from "../../src/base/clock.ts";
import { type Issue, type Issues, relationsOf } from "./issues.ts";

/** What of an issue's state a filter asks for, in the order in which a key goes through them. */
export const STATUSES = ["open", "ready", "blocked", "closed", "all"] as const;
export type StatusFilter = (typeof STATUSES)[number];

/**
 * A filter as typed: `status:open owner:ana label:api -label:wip p<=1 meta.key=value words`. One grammar for the filter
 * line, views and the palette. Words are looked for in id, title, labels and body.
 */
export interface Query {
  readonly status: StatusFilter;
  readonly owner: string | undefined;
  readonly author: string | undefined;
  readonly project: string | undefined;
  readonly labels: readonly string[];
  readonly withoutLabels: readonly string[];
  /** This one or a higher, `p:1` is exactly one. */
  readonly priority: { readonly most: number; readonly least: number } | undefined;
  readonly metadata: readonly { readonly key: string; readonly value: string | undefined }[];
  readonly words: readonly string[];
}

/** Nobody's: `owner:none`. */
export const NOBODY = "none";

export function parseQuery(text: string): Query {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rest: string[] = [];
  const found: Record<string, string> = {};
  const labels: string[] = [];
  const withoutLabels: string[] = [];
  const metadata: { key: string; value: string | undefined }[] = [];
  let priority: Query["priority"];
  for (const term of terms) {
    const pair = /^(status|owner|author|project|label|-label):(.*)$/.exec(term);
    const level = /^p(<=|>=|:|=)?([0-4])$/.exec(term);
    const meta = /^meta\.([^=]+)(?:=(.*))?$/.exec(term);
    if (pair !== null) {
      const [, name = "", value = ""] = pair;
      if (value === "") continue;
      if (name === "label") labels.push(value);
      else if (name === "-label") withoutLabels.push(value);
      else found[name] = value;
    } else if (level !== null) {
      const [, sign, digit] = level;
      const number = Number(digit);
      priority = { most: sign === "<=" ? 0 : number, least: sign === ">=" ? 4 : number };
    } else if (meta !== null) metadata.push({ key: meta[1] ?? "", value: meta[2] });
    else rest.push(term);
  }
  const { status = "open", owner, author, project } = found;
  return {
    status: STATUSES.find((known) => known === status) ?? "open",
    owner,
    author,
    project,
    labels,
    withoutLabels,
    priority,
    metadata,
    words: rest,
  };
}

/** The same text with another status. */
export function withStatus(text: string, status: StatusFilter): string {
  const rest = text
    .split(/\s+/)
    .filter((term) => term !== "" && !/^status:/i.test(term))
    .join(" ");
  return `status:${status}${rest === "" ? "" : ` ${rest}`}`;
}

export function isMatch(issue: Issue, query: Query, issues: Issues, now: Instant): boolean {
  return hasStatus(issue, query.status, issues, now) && hasFields(issue, query);
}

export function hasStatus(
  issue: Issue,
  status: StatusFilter,
  issues: Issues,
  now: Instant,
): boolean {
  switch (status) {
    case "all":
      return true;
    case "open":
    case "closed":
      return issue.status === status;
    case "blocked":
      return relationsOf(issues).isBlocked(issue);
    case "ready":
      return relationsOf(issues).isReady(issue, now);
  }
}

function hasFields(issue: Issue, query: Query): boolean {
  const { owner, author, project, priority } = query;
  if (owner !== undefined && !isOwner(issue, owner)) return false;
  if (author !== undefined && issue.author.toLowerCase() !== author) return false;
  if (project !== undefined && issue.project_name.toLowerCase() !== project) return false;
  if (priority !== undefined) {
    const { priority: level } = issue;
    if (level === undefined || level < priority.most || level > priority.least) return false;
  }
  const has = (label: string): boolean => issue.labels.some((own) => own.toLowerCase() === label);
  if (!query.labels.every(has) || query.withoutLabels.some(has)) return false;
  const { metadata, words } = query;
  if (!metadata.every(({ key, value }) => hasMeta(issue, key, value))) return false;
  return words.length === 0 || hasWords(issue, words);
}

function isOwner({ owner }: Issue, wanted: string): boolean {
  return wanted === NOBODY ? owner === undefined : owner?.toLowerCase() === wanted;
}

function hasMeta({ metadata }: Issue, key: string, value: string | undefined): boolean {
  const name = Object.keys(metadata).find((own) => own.toLowerCase() === key);
  if (name === undefined) return false;
  if (value === undefined) return true;
  const own = metadata[name];
  const text = typeof own === "string" ? own : JSON.stringify(own);
  return text?.toLowerCase() === value;
}

const texts = new WeakMap<Issue, string>();

function hasWords(issue: Issue, words: readonly string[]): boolean {
  let text = texts.get(issue);
  if (text === undefined) {
    const { qualified_id, title, labels, body } = issue;
    text = [qualified_id, title, labels.join(" "), body].join("\n").toLowerCase();
    texts.set(issue, text);
  }
  return words.every((word) => text.includes(word));
}
