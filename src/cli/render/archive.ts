import { addTo } from "../../base/lists.ts";
import { shellWord } from "../../base/shell-word.ts";
import type { ImportSums } from "../../contract/imports.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { sentenceView } from "./sentence.ts";

export interface ExportResult {
  readonly path: string;
  readonly records: number;
  readonly bytes: number;
}

export const exportView = sentenceView<ExportResult>(
  "export",
  ({ path }) => `exported ${oneLine(path)}`,
  (body) => ({ ...body }),
);

export interface BackedUp extends ExportResult {
  readonly events: number;
  readonly sha256: string;
  readonly removed: readonly string[];
}

export const backupView = sentenceView<BackedUp>(
  "backup",
  ({ path, records, bytes, removed }) => {
    const gone = removed.length === 0 ? "" : `\nremoved ${count(removed.length, "older backup")}`;
    return `backed up to ${oneLine(path)}: ${count(records, "record")}, ${number(bytes)} bytes, read back and sound${gone}`;
  },
  (body) => ({ ...body }),
);

export interface VerifyResult extends ExportResult {
  readonly events: number;
  readonly sha256: string;
  readonly export_version: number;
  /** Whether the file was also restored into a scratch database. */
  readonly restored?: boolean;
}

export const verifiedView = sentenceView<VerifyResult>(
  "verify",
  ({ path, records, events, restored }) =>
    `${oneLine(path)} is sound: ${count(records, "record")}, ${count(events, "event")}${restored === true ? "; it was restored for a try" : ""}`,
  (body) => ({ ...body }),
);

export interface LastTrial {
  readonly state: "ok" | "failed" | "unknown";
  readonly path?: string;
  readonly at?: string;
  readonly message?: string;
}

export const lastTrialView = sentenceView<LastTrial>(
  "verify",
  ({ state, path = "", at = "", message = "" }) => {
    if (state === "unknown")
      return "no backup was restored for a try yet: svc backup verify --schedule";
    if (state === "ok") return `${oneLine(path)} was restored for a try at ${at} and is sound`;
    return `the try of ${at} failed: ${oneLine(message)}`;
  },
  (body) => ({ ...body }),
);

export interface RestoreResult {
  readonly target: string;
  readonly projects: number;
  readonly issues: number;
  readonly events: number;
  readonly kept_old?: string | undefined;
}

export const restoreView = sentenceView<RestoreResult>(
  "import",
  ({ target, projects, issues, events }) =>
    `imported ${oneLine(target)}: ${count(projects, "project")}, ${count(issues, "issue")}, ${count(events, "event")}`,
  ({ target, projects, issues, events, kept_old }) => ({
    target,
    projects,
    issues,
    events,
    kept_old,
  }),
);

export interface ImportResult {
  readonly source: string;
  readonly project: string;
  readonly batch_uid: string;
  readonly dry_run: boolean;
  readonly result: ImportSums;
}

/**
 * People first get the report about the source file (`accountText`), which may be long, and then the summary, so that
 * the summary stays visible.
 */
export function importView(accountText: string): View<ImportResult> {
  return {
    human: (body, { quiet }) => (quiet ? "" : `${manyLines(accountText)}\n\n${whatHappened(body)}`),
    agent: (body, quiet) => {
      const { source, project, batch_uid, dry_run, result } = body;
      const { created, updated, unchanged, deleted, comments, links } = result;
      const counts = { created, updated, unchanged, deleted, comments, links };
      const rows = [
        ...result.conflicts.map(({ external_id, issue_short_id, field, decided }) =>
          row({ conflict: external_id, issue: issue_short_id, field, decided }),
        ),
        ...[...keptByReason(result.items)].flatMap(([reason, ids]) =>
          ids.map((external_id) => row({ kept: external_id, reason })),
        ),
        ...result.errors.map((error) => row({ error })),
      ];
      const what = {
        source,
        project,
        batch: batch_uid,
        ...(dry_run ? { dry_run } : {}),
        ...counts,
      };
      const hasChanged = created + updated + deleted > 0 && !dry_run;
      const undo = hasChanged ? line("Undo", undoCommand(body)) : [];
      return agentOutput(header("import", what), [...rows, ...undo], quiet);
    },
  };
}

/** The maximum number of conflicts that the text for people lists; --json lists all. */
const MAX_LISTED = 20;

/** The maximum number of unchanged issues that the text names for each reason. */
const MAX_NAMED = 5;

function undoCommand({ batch_uid, project }: ImportResult): string {
  return `svc import undo ${batch_uid} --project ${shellWord(oneLine(project))}`;
}

function whatHappened(body: ImportResult): string {
  const { project, dry_run, result } = body;
  const { created, updated, unchanged, deleted, comments, links, items, errors } = result;
  const into = `project ${oneLine(project)}`;
  const [verb, gone] = dry_run ? ["would be ", "Would be deleted"] : ["", "Deleted"];
  const hasChanged = created + updated + deleted > 0;
  const lines = hasChanged
    ? [
        `Into ${into}: ${count(created, "issue")} ${verb}created, ${number(updated)} updated, ${number(unchanged)} unchanged;`,
        `${count(comments, "comment")} and ${count(links, "link")} ${verb}added.`,
      ]
    : [
        `Nothing ${dry_run ? "would change" : "changed"} in ${into}; already there: ${count(unchanged, "issue")}.`,
      ];
  if (deleted > 0)
    lines.push(`${gone}, since the source has them no more: ${count(deleted, "issue")}.`);
  for (const [reason, ids] of keptByReason(items)) {
    const named = [...ids.slice(0, MAX_NAMED), ...(ids.length > MAX_NAMED ? ["…"] : [])].join(", ");
    lines.push(`${count(ids.length, "issue")} left alone: ${oneLine(reason)} (${oneLine(named)}).`);
  }
  lines.push(...conflictLines(result.conflicts));
  lines.push(...errors.map((error) => `not linked: ${oneLine(error)}`));
  if (hasChanged && !dry_run) lines.push(`Undo: ${undoCommand(body)}`);
  return lines.join("\n");
}

function keptByReason(items: ImportSums["items"]): ReadonlyMap<string, readonly string[]> {
  const kept = new Map<string, string[]>();
  for (const { external_id, status, reason } of items)
    if (status === "unchanged" && reason !== undefined) addTo(kept, reason, external_id);
  return kept;
}

function conflictLines(conflicts: ImportSums["conflicts"]): readonly string[] {
  const lines = conflicts
    .slice(0, MAX_LISTED)
    .map(({ external_id, issue_short_id, field, decided }) => {
      const kept = decided === "upstream" ? "the source's value was taken" : "kept as it is here";
      return `conflict: ${oneLine(external_id)} (${issue_short_id}) ${oneLine(field)}: ${kept}`;
    });
  const more = conflicts.length - lines.length;
  return more > 0 ? [...lines, `and ${count(more, "more conflict")}; --json lists all`] : lines;
}

function count(amount: number, what: string): string {
  return `${number(amount)} ${what}${amount === 1 ? "" : "s"}`;
}

function number(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}
