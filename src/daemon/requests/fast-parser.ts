import { isInvisible } from "../../base/visible.ts";
import { createIssue, listIssues, showIssue } from "../../contract/issues.ts";
import { brokenLabelRule } from "../../contract/label.ts";
import { MAX_PRIORITY, MAX_TITLE_CHARACTERS } from "../../contract/limits.ts";
import { resolveProject } from "../../contract/projects.ts";
import { readyIssues, searchIssues } from "../../contract/search.ts";
import type { Shape } from "../../contract/shape.ts";
import { IssueParams, LIST_PLACE, ProjectParams } from "../../contract/values.ts";

/**
 * A field that can be parsed without its schema. `of` returns the value that the schema would return, or `undefined` if
 * the schema must decide.
 */
interface FastField {
  readonly many?: boolean;
  of(value: unknown): unknown;
  readonly required?: boolean;
}

export type FastFields = Readonly<Record<string, FastField>>;

const textThat = (holds: (text: string) => boolean): FastField => ({
  of: (value) => (typeof value === "string" && holds(value) ? value : undefined),
});
const oneOf = (...values: readonly string[]): FastField =>
  textThat((text) => values.includes(text));
const required = (field: FastField): FastField => ({ ...field, required: true });
const many = (field: FastField): FastField => ({ ...field, many: true });

const text = textThat(() => true);
const filled = textThat((value) => value.trim() !== "");
const body = textThat((value) => !value.includes("\u0000"));
const title = textThat(
  (value) =>
    value.length <= MAX_TITLE_CHARACTERS && !isInvisible(value) && !value.includes("\u0000"),
);
/** A short text of printable ASCII that neither begins nor ends with white space. */
const name = textThat((value) => /^[!-~](?:[ -~]{0,198}[!-~])?$/.test(value));
const label = textThat((value) => brokenLabelRule(value) === undefined);
const number = (least: number): FastField => ({
  of: (value) => {
    if (typeof value !== "string" || !/^\d{1,15}$/.test(value)) return undefined;
    return Number(value) >= least ? Number(value) : undefined;
  },
});
const flag: FastField = {
  of: (value) => (value === "true" ? true : value === "false" ? false : undefined),
};
const priorities = Array.from({ length: MAX_PRIORITY + 1 }, (_, priority) => priority);
const priorityText = oneOf(...priorities.map(String), "");
const priority: FastField = {
  of: (value) => priorities.find((known) => known === value),
};
const labels = { label: many(text), exclude_label: many(text) };
const origin = { parent_uid: text, author: text, changed_since: text };
const owners = { owner: text, unowned: flag };
const project = { project_id: required(number(1)) };

/**
 * The fields of requests that commands often send to a daemon that has just started. They are checked without zod,
 * because building the schemas takes longer than the rest of the answer. Invalid or unusual values are left to the
 * schema. A test compares each entry with its schema.
 */
export const FAST_FIELDS: ReadonlyMap<Shape, FastFields> = new Map<Shape, FastFields>([
  [ProjectParams, project],
  [IssueParams, { ...project, ref: required(text) }],
  [
    listIssues.query,
    {
      ...labels,
      ...owners,
      ...origin,
      blocked: flag,
      status: oneOf("open", "closed", ""),
      priority: priorityText,
      max_priority: priorityText,
      limit: number(0),
      after: textThat((value) => LIST_PLACE.test(value)),
      meta: many(text),
      fields: text,
      max_bytes: number(0),
    },
  ],
  [
    readyIssues.query,
    {
      ...labels,
      ...owners,
      ...origin,
      limit: number(0),
      containers: flag,
      order: oneOf("recent", "take"),
      takeable_by: name,
      after: textThat((value) => LIST_PLACE.test(value)),
      fields: text,
      max_bytes: number(0),
    },
  ],
  [
    searchIssues.query,
    {
      ...labels,
      q: required(filled),
      limit: number(0),
      include_deleted: flag,
      fields: text,
      max_bytes: number(0),
    },
  ],
  [showIssue.query, { include_deleted: flag, max_bytes: number(0) }],
  [resolveProject.body, { name: text }],
  [
    createIssue.body,
    { title: required(title), body, owner: name, actor: name, priority, labels: many(label) },
  ],
]);

/** The optional headers of the requests in `FAST_FIELDS`. A request without these headers needs no header schema. */
export const FAST_HEADERS: ReadonlyMap<Shape, readonly string[]> = new Map<
  Shape,
  readonly string[]
>([[createIssue.headers, ["idempotency-key"]]]);

export type FastValues = Readonly<Record<string, unknown>>;

/**
 * Parses the values of a path or a query. Returns the values that the schema would return, or `undefined` if the schema
 * must decide. A value may be repeated only if its field is a list.
 */
export function parseFastTexts(
  fields: FastFields,
  query: ReadonlyMap<string, readonly string[]>,
): FastValues | undefined {
  const raw: Record<string, unknown> = {};
  for (const [key, texts] of query) {
    raw[key] = Object.hasOwn(fields, key) && fields[key]?.many === true ? texts : onlyOne(texts);
  }
  return parseFast(fields, raw);
}

function onlyOne(texts: readonly string[]): string | undefined {
  return texts.length === 1 ? texts[0] : undefined;
}

export function parseFast(fields: FastFields, body: unknown): FastValues | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const values: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(body)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const value = field === undefined ? undefined : valueOf(field, item);
    if (value === undefined) return undefined;
    values[key] = value;
  }
  const complete = Object.entries(fields).every(([key, field]) => !field.required || key in values);
  return complete ? values : undefined;
}

/** Lists with more values than this are left to the schema. */
const MAX_FAST_VALUES = 20;

function valueOf({ many, of }: FastField, value: unknown): unknown {
  if (many !== true) return of(value);
  if (!Array.isArray(value) || value.length > MAX_FAST_VALUES) return undefined;
  const values = value.map(of);
  return values.includes(undefined) ? undefined : values;
}
