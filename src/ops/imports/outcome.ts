import type { importIssues as contract } from "../../contract/imports.ts";
import type { Input, Output } from "../../contract/route.ts";
import { isOf } from "../../domain/imports/fields.ts";
import type { FieldConflict } from "../../domain/imports/merge.ts";
import type { ImportContext } from "./fields.ts";
import type { MissingEnd } from "./plan-merge.ts";

type Answer = Output<typeof contract>;

export interface Outcome {
  readonly external_id: string;
  readonly short_id: string;
  readonly status: "created" | "updated" | "unchanged" | "deleted";
  readonly reason?: string | undefined;
  readonly changed: readonly string[];
  readonly conflicts: readonly FieldConflict[];
  readonly comments: number;
  readonly links: number;
  readonly errors: readonly string[];
  readonly missing: readonly MissingEnd[];
}

/**
 * Merges two lists so that the answer names each issue only once. `outcomes` is what the import did to the issues.
 * `linked` has the links that could be added now because their other issue was created or restored.
 */
export function withLinked(
  outcomes: readonly Outcome[],
  linked: readonly Outcome[],
): readonly Outcome[] {
  const more = new Map(linked.map((one) => [one.external_id, one]));
  const combined = outcomes.map((one) => {
    const { changed, links } = more.get(one.external_id) ?? {};
    more.delete(one.external_id);
    if (changed === undefined || links === undefined) return one;
    const status = one.status === "unchanged" ? "updated" : one.status;
    const fields = one.changed.filter((field) => field !== "updated_at");
    return { ...one, status, changed: [...fields, ...changed], links: one.links + links };
  });
  return [...combined, ...more.values()];
}

export async function report(
  { tx, source, batch_uid }: ImportContext,
  { dry_run = false }: Input<typeof contract>["body"],
  outcomes: readonly Outcome[],
): Promise<Answer> {
  const sumOf = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const countOf = (status: Outcome["status"]): number =>
    sumOf((outcome) => (outcome.status === status ? 1 : 0));
  const names = await tx.marks.externalIds(source, [...new Set(outcomes.flatMap(peersOf))]);
  return {
    source,
    batch_uid,
    dry_run,
    created: countOf("created"),
    updated: countOf("updated"),
    unchanged: countOf("unchanged"),
    deleted: countOf("deleted"),
    comments: sumOf(({ comments }) => comments),
    links: sumOf(({ links }) => links),
    items: outcomes.map(({ external_id, short_id, status, reason, changed }) => ({
      external_id,
      issue_short_id: short_id,
      status,
      ...(status === "updated" ? { changed: changed.map((field) => fieldOut(field, names)) } : {}),
      ...(reason === undefined ? {} : { reason }),
    })),
    conflicts: outcomes.flatMap(({ external_id, short_id, conflicts }) =>
      conflicts.map((conflict) => ({
        external_id,
        issue_short_id: short_id,
        ...conflictOut(conflict, names),
      })),
    ),
    errors: outcomes.flatMap(({ errors }) => errors),
    missing: outcomes.flatMap(({ missing }) =>
      missing.map(({ external_id, target_external_id, error }) => ({
        external_id,
        target_external_id,
        error,
      })),
    ),
  };
}

/** The uids of the issues at the other end of changed links, and of the parents in conflicts. */
function peersOf({ changed, conflicts }: Outcome): readonly string[] {
  return [
    ...changed
      .filter((field) => isOf("links", field))
      .map((field) => field.slice(field.indexOf(".") + 1)),
    ...conflicts
      .filter(({ field }) => field === "parent")
      .flatMap(({ base, local, upstream }) => [base, local, upstream])
      .filter((value) => typeof value === "string"),
  ];
}

/**
 * Returns the name of a changed field for an answer. A link's field ends with the uid of the other issue; if that issue
 * was imported from this source, its external id replaces the uid.
 */
function fieldOut(field: string, names: ReadonlyMap<string, string>): string {
  const at = field.indexOf(".");
  const name = names.get(field.slice(at + 1));
  return name === undefined ? field : field.slice(0, at + 1) + name;
}

function conflictOut(
  { field, base, local, upstream, decided }: FieldConflict,
  names: ReadonlyMap<string, string>,
) {
  const valueOut = (value: FieldConflict["base"]) => {
    if (field === "parent" && typeof value === "string") return names.get(value) ?? value;
    return typeof value === "object" ? JSON.stringify(value) : value;
  };
  const sides = {
    base: valueOut(base),
    local: valueOut(local),
    upstream: valueOut(upstream),
    decided,
  };
  const present = Object.entries(sides).filter(([, value]) => value !== undefined);
  return { field, ...Object.fromEntries(present) };
}
