import { counted } from "../../base/counted.ts";
import { shellWord } from "../../base/shell-word.ts";
import type { listImports, undoImport } from "../../contract/import-batches.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { shortTime } from "./show.ts";
import { aligned } from "./table.ts";

type Listed = Output<typeof listImports>;
type Portion = Output<typeof undoImport>;

export const importListView: View<Listed> = {
  human: ({ imports }, { paint, quiet }) => {
    if (quiet) return imports.map(({ batch_uid }) => batch_uid).join("\n");
    if (imports.length === 0) return "Nothing was imported here.";
    const lines = imports.map((one) => [
      oneLine(one.batch_uid),
      shortTime(one.began_at),
      oneLine(one.source),
      oneLine(one.actor),
      `${one.created} created, ${one.updated} updated, ${one.deleted} deleted`,
      undoneText(one),
    ]);
    return aligned(lines, () => false)
      .map((text, at) => {
        const uid = lines[at]?.[0] ?? "";
        return `${paint("id", uid)}${text.slice(uid.length)}`.trimEnd();
      })
      .join("\n");
  },
  agent: ({ imports, next_before }, quiet) =>
    agentOutput(
      header("import list", { count: imports.length, next_before }),
      imports.map(({ batch_uid, began_at, source, actor, created, updated, deleted, undone }) =>
        row({ batch: batch_uid, at: began_at, source, actor, created, updated, deleted, undone }),
      ),
      quiet,
    ),
};

function undoneText({ created, updated, deleted, undone }: Listed["imports"][number]): string {
  if (undone === 0) return "";
  const all = created + updated + deleted;
  return undone === all ? "taken back" : `${undone} of ${all} taken back`;
}

/** The result of undoing one import, added up over all requests that the undo needed. */
export interface TakenBack
  extends Pick<
    Portion,
    "batch_uid" | "source" | "dry_run" | "deleted" | "reverted" | "undone_before"
  > {
  readonly project: string;
  readonly changed: boolean;
  readonly items: Portion["items"];
  readonly conflicts: Portion["conflicts"];
  readonly undone?: { readonly actor: string; readonly at: string };
}

/** The maximum number of conflicts that the text for people lists; --json lists all. */
const MAX_LISTED = 20;

export const importUndoView: View<TakenBack> = {
  human: (done, { paint, quiet }) => {
    const { batch_uid, source, project, dry_run, conflicts, undone_before } = done;
    if (quiet) return done.items.map(({ qualified_id }) => oneLine(qualified_id)).join("\n");
    const lines = conflicts
      .slice(0, MAX_LISTED)
      .map(({ message }) => `${paint("error", "conflict:")} ${oneLine(message)}`);
    const more = conflicts.length - lines.length;
    return [
      `Import ${batch_uid} from ${oneLine(source)} into project ${oneLine(project)}:`,
      whatHappened(done),
      ...(undone_before === 0
        ? []
        : [`${counted(undone_before, "issue")} ${verb(undone_before)} taken back before.`]),
      ...lines,
      ...(more > 0 ? [`and ${counted(more, "more conflict")}; --json lists all`] : []),
      ...(dry_run ? [] : undoLines(done).map((text) => paint("faint", text))),
    ].join("\n");
  },
  agent: (done, quiet) => {
    const { batch_uid, source, project, dry_run, deleted, reverted, conflicts } = done;
    const counts = { deleted, reverted, conflicts: conflicts.length, changed: done.changed };
    const what = { batch: batch_uid, source, project, ...(dry_run ? { dry_run } : {}), ...counts };
    const rows = conflicts.map(({ qualified_id, field, message }) =>
      row({ conflict: qualified_id, field, message }),
    );
    return agentOutput(header("import undo", what), [...rows, ...undoLines(done)], quiet);
  },
};

function whatHappened({ deleted, reverted, dry_run }: TakenBack): string {
  if (deleted + reverted === 0) return "There is nothing to take back.";
  const would = dry_run ? "would be " : "";
  return `${counted(deleted, "issue")} ${would}deleted, ${reverted} ${would}as before.`;
}

function verb(count: number): string {
  return count === 1 ? "was" : "were";
}

function undoLines({ undone }: TakenBack): readonly string[] {
  if (undone === undefined) return [];
  const { actor, at } = undone;
  return line("Undo", `svc undo --actor ${shellWord(oneLine(actor))} --since ${at}`);
}
