import { DATED_VIEWS, type DatedView } from "../../domain/planning-days.ts";
import type { Issue, Standing } from "./issues.ts";
import { oldIdsOf } from "./old-ids.ts";

/** The values of `status:`, in the order in which a key cycles through them. */
export const STATUSES = ["open", "ready", "blocked", "waiting", "closed", "all"] as const;
export type StatusFilter = (typeof STATUSES)[number];

/**
 * A filter. Filter line, form, views and palette use this grammar. Words are searched in id, title, labels and body.
 * Example: `status:open owner:ana label:api -label:wip p<=1 date:today rel:blocks meta.key=value words "two words"`
 */
export interface Query {
  readonly status: StatusFilter;
  readonly owner: string | undefined;
  readonly author: string | undefined;
  readonly project: string | undefined;
  /**
   * A view by planning dates, such as `today`. Only the issues in this view match
   * (docs/contract/network-and-access.md#4-the-snapshot).
   */
  readonly date: DatedView | undefined;
  /** Only issues with a link of this kind match (docs/contract/network-and-access.md#4-the-snapshot). */
  readonly relation: Relation | undefined;
  readonly labels: readonly string[];
  readonly withoutLabels: readonly string[];
  /** The range of priorities, from `most` urgent to `least` urgent. 0 is the most urgent priority. */
  readonly priority: { readonly most: number; readonly least: number } | undefined;
  readonly metadata: readonly { readonly key: string; readonly value: string | undefined }[];
  readonly words: readonly string[];
}

/** `owner:none` finds issues without an owner. */
export const OWNER_NONE = "none";

/** The filter of a new board. */
export const NO_FILTER = "status:open";

/**
 * The values of `rel:`. `rel:parent` finds issues that have a parent, and `rel:child` finds issues that have children.
 */
export const RELATIONS = ["parent", "child", "blocks", "blocked_by", "related"] as const;
export type Relation = (typeof RELATIONS)[number];

const NAMES = ["status", "owner", "author", "project", "date", "rel", "label", "-label"] as const;
export type FieldName = (typeof NAMES)[number];

/** One part of a filter. A part that is no field, priority or metadata is a word. */
export type Term =
  | { readonly is: FieldName; readonly value: string }
  | { readonly is: "priority"; readonly sign: "<=" | ">=" | ""; readonly level: number }
  | { readonly is: "meta"; readonly key: string; readonly value: string | undefined }
  | { readonly is: "word"; readonly value: string };

/** Splits a filter at blanks outside quotation marks, keeping upper case. */
export function partsOf(text: string): readonly string[] {
  return text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];
}

export function termOf(part: string): Term {
  const text = part.replaceAll('"', "");
  if (part.startsWith('"')) return { is: "word", value: text };
  const pair = /^([a-z-]+):(.*)$/is.exec(text);
  const name = NAMES.find((known) => known === pair?.[1]?.toLowerCase());
  if (name !== undefined) return { is: name, value: pair?.[2] ?? "" };
  const level = /^(?:p|priority(?=[:=<>]))(<=|>=|:|=)?([0-4])$/i.exec(text);
  if (level !== null) {
    const [, sign, digit] = level;
    const bound = sign === "<=" || sign === ">=" ? sign : "";
    return { is: "priority", sign: bound, level: Number(digit) };
  }
  const meta = /^meta\.([^=]+)(?:=(.*))?$/is.exec(text);
  if (meta !== null) return { is: "meta", key: meta[1] ?? "", value: meta[2] };
  return { is: "word", value: text };
}

export function parseQuery(text: string): Query {
  const words: string[] = [];
  const labels: string[] = [];
  const withoutLabels: string[] = [];
  const metadata: { key: string; value: string | undefined }[] = [];
  const found: Partial<Record<Exclude<FieldName, "label" | "-label">, string>> = {};
  let priority: Query["priority"];
  for (const part of partsOf(text.toLowerCase())) {
    const term = termOf(part);
    // A field name without a value, such as `label:`, is still being typed, so it is ignored.
    if (term.is !== "priority" && term.value === "") continue;
    if (term.is === "word") words.push(term.value);
    else if (term.is === "meta") metadata.push({ key: term.key, value: term.value });
    else if (term.is === "label") labels.push(term.value);
    else if (term.is === "-label") withoutLabels.push(term.value);
    else if (term.is === "priority") {
      const { sign, level } = term;
      priority = { most: sign === "<=" ? 0 : level, least: sign === ">=" ? 4 : level };
    } else found[term.is] = term.value;
  }
  const { status = "open", owner, author, project, date, rel } = found;
  return {
    status: STATUSES.find((known) => known === status) ?? "open",
    owner,
    author,
    project,
    date: DATED_VIEWS.find((known) => known === date),
    relation: RELATIONS.find((known) => known === rel),
    labels,
    withoutLabels,
    priority,
    metadata,
    words,
  };
}

export function partWith(name: FieldName, value: string): string {
  return `${name}:${quoted(value)}`;
}

function quoted(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll('"', "")}"` : value;
}

const PRIORITY = /^(?:p|priority)(?:<=|>=|:|=)./i;

export function problemOf(part: string): string | undefined {
  const term = termOf(part);
  if (term.is === "word" && PRIORITY.test(part)) return "a priority is 0 to 4, as in p<=1";
  if ((term.is !== "status" && term.is !== "date" && term.is !== "rel") || term.value === "")
    return undefined;
  const known: readonly string[] = { status: STATUSES, date: DATED_VIEWS, rel: RELATIONS }[term.is];
  return known.includes(term.value.toLowerCase())
    ? undefined
    : `${term.is} is one of ${known.join(", ")}`;
}

export function problemIn(text: string): string | undefined {
  for (const part of partsOf(text)) {
    const problem = problemOf(part);
    if (problem !== undefined) return `${part}: ${problem}`;
  }
  return undefined;
}

/** Returns the first unknown field name, such as `foo` in `foo:bar`. The filter searches such a part as a word. */
export function unknownNameIn(text: string): string | undefined {
  const names = partsOf(text).map((part) =>
    termOf(part).is === "word" && problemOf(part) === undefined
      ? /^-?[a-z]+(?=:.)/i.exec(part)?.[0]
      : undefined,
  );
  return names.find((name) => name !== undefined);
}

export function withStatus(text: string, status: StatusFilter): string {
  const rest = partsOf(text).filter((part) => termOf(part).is !== "status");
  return [`status:${status}`, ...rest].join(" ");
}

/**
 * Adds the part to the filter, or removes it if the filter already contains it. Upper and lower case count as the same.
 */
export function togglePart(text: string, part: string): string {
  const parts = partsOf(text);
  const same = (other: string): boolean =>
    JSON.stringify(termOf(other.toLowerCase())) === JSON.stringify(termOf(part.toLowerCase()));
  const left = parts.filter((other) => !same(other));
  if (left.length < parts.length) return left.join(" ");
  const { is } = termOf(part);
  // An issue has only one owner, author and project, and a filter has only one view by date and one kind of link: the
  // new part replaces the old one.
  const single = ["owner", "author", "project", "date", "rel"].includes(is);
  const rest = single ? parts.filter((other) => termOf(other).is !== is) : parts;
  return [...rest, part].join(" ");
}

/** What a filter must know about an issue that the issue itself does not contain. */
export interface IssueContext {
  standingOf(issue: Issue): Standing;
  /** Whether the view by planning dates shows the issue today. */
  isDated(issue: Issue, view: DatedView): boolean;
  /** The text in which the words of a filter are searched, in lower case. */
  textOf(issue: Issue): string;
}

/**
 * Whether the issue matches the query. Its standing is checked last, because it takes longer to compute than a look at
 * the fields.
 */
export function isMatch(issue: Issue, query: Query, around: IssueContext): boolean {
  const { status } = query;
  if (status === "all" || status === "open" || status === "closed")
    return (status === "all" || status === issue.status) && hasFields(issue, query, around);
  return (
    issue.status === "open" &&
    hasFields(issue, query, around) &&
    around.standingOf(issue) === status
  );
}

function hasFields(issue: Issue, query: Query, around: IssueContext): boolean {
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
  const { metadata, words, date, relation } = query;
  if (relation !== undefined && !hasLink(issue, relation)) return false;
  if (!metadata.every(({ key, value }) => hasMeta(issue, key, value))) return false;
  if (date !== undefined && !around.isDated(issue, date)) return false;
  if (words.length === 0) return true;
  const text = around.textOf(issue);
  return words.every((word) => text.includes(word));
}

function hasLink(issue: Issue, relation: Relation): boolean {
  switch (relation) {
    case "parent":
      return issue.parent !== undefined;
    case "child":
      return issue.child_counts.total > 0;
    case "blocks":
    case "blocked_by":
    case "related":
      return issue[relation].length > 0;
  }
}

function isOwner({ owner }: Issue, wanted: string): boolean {
  return wanted === OWNER_NONE ? owner === undefined : owner?.toLowerCase() === wanted;
}

function hasMeta({ metadata }: Issue, key: string, value: string | undefined): boolean {
  const name = Object.keys(metadata).find((own) => own.toLowerCase() === key);
  if (name === undefined) return false;
  if (value === undefined) return true;
  const own = metadata[name];
  const text = typeof own === "string" ? own : JSON.stringify(own);
  return text?.toLowerCase() === value;
}

export function textOf(issue: Issue): string {
  const { qualified_id, title, labels, body } = issue;
  return [qualified_id, ...oldIdsOf(issue), title, ...labels, body].join("\n").toLowerCase();
}

/**
 * True if `than` finds every issue that `query` finds: each word of `than` is part of a word of `query`, and all other
 * conditions are the same. This is the case after one more letter was typed.
 */
export function isNarrower(query: Query, than: Query): boolean {
  const { words, ...rest } = query;
  const { words: wider, ...others } = than;
  if (JSON.stringify(rest) !== JSON.stringify(others)) return false;
  return wider.every((part) => words.some((word) => word.includes(part)));
}
