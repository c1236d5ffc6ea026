import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { invalid } from "../../contract/errors.ts";
import { ISSUE_FIELDS, JSON_BUDGET_BYTES, TEXT_BUDGET_BYTES } from "../../contract/list-budget.ts";
import type { Mode } from "../output/mode.ts";
import { requireAtLeast } from "./filters.ts";
import { booleanFlag, integerFlag, textFlag } from "./flags.ts";

/** The flag of commands whose output is limited (docs/agents.md). */
export const maxBytesFlag = {
  "max-bytes": integerFlag(
    `print at most this many bytes; default ${TEXT_BUDGET_BYTES}, with --json ${JSON_BUDGET_BYTES}; 0 means all`,
    "<n>",
  ),
};

/** `--max-bytes` of commands that also have `--limit`. With `--limit` there is no default limit of bytes. */
export const rowsBytesFlag = {
  "max-bytes": integerFlag(
    `print at most this many bytes; default ${TEXT_BUDGET_BYTES}, with --json ${JSON_BUDGET_BYTES}, with --limit all; 0 means all`,
    "<n>",
  ),
};

/** The flag `--fields` of commands that use it only together with `--json`. */
export const fieldsFlag = textFlag(
  "with --json: only these fields of each issue, as in id,title; or all but some, as in -body,-metadata",
  "<names>",
);

export const listBudgetFlags = {
  ...rowsBytesFlag,
  fields: textFlag(
    "only these fields of each issue, as in id,title: a line with tabs between them, or with --json an object; with --json also all but some, as in -body,-metadata",
    "<names>",
  ),
  full: booleanFlag("with --json: the bodies too", { exclusive: ["fields"] }),
};

export const afterFlag = {
  after: textFlag("go on after this place, which the page before names as next_after", "<place>", {
    exclusive: ["at"],
  }),
};

/** The first API version in which all lists have `fields`, `max_bytes` and `after`. */
export const BUDGET_API = "0.15.0";

export interface BudgetFlags {
  readonly "max-bytes"?: number | undefined;
  /** The number of rows that was requested. If it is given, there is no default limit of bytes. */
  readonly limit?: number | undefined;
}

export interface ListFlags extends BudgetFlags {
  readonly fields?: string | undefined;
  readonly full: boolean;
}

export function textBytes(flags: BudgetFlags): number | undefined {
  return bytesAsked(flags, TEXT_BUDGET_BYTES) || undefined;
}

/** The most bytes to print; 0 means all. A given `--max-bytes` wins over a given `--limit`. */
function bytesAsked(flags: BudgetFlags, usual: number): number {
  requireAtLeast(0, "--max-bytes", flags["max-bytes"]);
  return flags["max-bytes"] ?? (flags.limit === undefined ? usual : 0);
}

export function answerBytes(mode: Mode, flags: BudgetFlags): number | undefined {
  return mode === "json" ? bytesAsked(flags, JSON_BUDGET_BYTES) || undefined : textBytes(flags);
}

/**
 * Returns the query parameter `max_bytes`. A request with this parameter makes the daemon say in its answer whether
 * there are more rows. With `--json` the daemon also cuts the answer to that many bytes. Otherwise the value is 0 (no
 * limit), because the command cuts the text itself.
 */
export function bytesQuery(mode: Mode, flags: BudgetFlags) {
  const bytes = bytesAsked(flags, JSON_BUDGET_BYTES);
  return { max_bytes: mode === "json" ? bytes : 0 };
}

/**
 * Returns the fields that `--fields` names for output that is not JSON, and the most bytes to print (`undefined` means
 * no limit). The limit has the same default as with `--json`. Returns `undefined` without the flag. Throws if a field
 * does not exist.
 */
export function fieldsAsked(flags: ListFlags) {
  const fields = flags.fields?.split(",").map((field) => field.trim());
  if (fields === undefined) return undefined;
  const unknown = fields.find((field) => !ISSUE_FIELDS.some((known) => known === field));
  if (unknown?.startsWith("-") === true)
    throw invalid("--fields leaves fields out with --json alone", "name those to be shown");
  if (unknown !== undefined)
    throw invalid(
      `--fields: there is no field ${JSON.stringify(unknown)}`,
      `there are ${ISSUE_FIELDS.join(", ")}`,
    );
  return { fields, bytes: bytesAsked(flags, JSON_BUDGET_BYTES) || undefined };
}

export function issuesQuery(mode: Mode, flags: ListFlags) {
  const { fields, full } = flags;
  const shown = mode === "human" ? fieldsAsked(flags)?.fields : undefined;
  const ofRow = [...new Set([...ROW_FIELDS.split(","), ...(shown ?? [])])].join(",");
  const named = mode === "json" ? (fields ?? (full ? undefined : "-body")) : ofRow;
  return { ...bytesQuery(mode, flags), fields: named };
}

/**
 * The fields that a list requests for output that is not JSON: the fields of a row, and the fields from which the
 * cursor of the next page is made.
 */
const ROW_FIELDS =
  "id,uid,short_id,qualified_id,title,status,owner,priority,labels,parent,blocked,created_at,updated_at";

/**
 * Returns the cursor for the events after this page. It is needed if the daemon is too old to cut the page, because the
 * command then cuts the page itself.
 */
export function nextEventCursor({ events }: JsonObject): JsonObject {
  return lastId(events, "next_after_id");
}

/**
 * Returns the cursor for the closes after this page. It is needed if the daemon is too old to cut the page, because the
 * command then cuts the page itself.
 */
export function nextCloseCursor({ rows }: JsonObject): JsonObject {
  return lastId(rows, "next_after");
}

function lastId(rows: JsonValue | undefined, name: string): JsonObject {
  const last: JsonValue | undefined = Array.isArray(rows) ? rows.at(-1) : undefined;
  const id = isPlainObject(last) ? last["event_id"] : undefined;
  return id === undefined ? {} : { [name]: id };
}
