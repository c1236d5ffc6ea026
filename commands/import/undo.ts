import { counted } from "../../src/base/counted.ts";
import { LimitedCommand } from "../../src/cli/bases/limited-command.ts";
import { CommandError, failureOf } from "../../src/cli/failure/failure.ts";
import { arg, booleanFlag, examples, integerFlag } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import type { TakenBack } from "../../src/cli/render/imports.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { listImports, undoImport } from "../../src/contract/import-batches.ts";
import { UNDO_IMPORT_ISSUES } from "../../src/contract/limits.ts";
import { JSON_BUDGET_BYTES, TEXT_BUDGET_BYTES } from "../../src/contract/list-budget.ts";
import type { Output } from "../../src/contract/route.ts";

type Portion = Output<typeof undoImport>;

export default class ImportUndo extends LimitedCommand {
  static override summary = "take back what one import did";
  static override description =
    "Issues that the import created are deleted, so that svc restore brings them back; all others get back what they had before. An issue that others changed since stays as it is, and is listed as a conflict: the command then ends with exit code 5, and everything else is done. After an interruption the same command goes on, and a second time it changes nothing.";
  static override args = {
    batch: arg("the batch uid, as svc import list and the account of the import show it, or last"),
  };
  static override flags = {
    "dry-run": booleanFlag("only show what would be taken back"),
    "max-bytes": integerFlag(
      `with --dry-run: print at most this many bytes; default ${TEXT_BUDGET_BYTES}, with --json ${JSON_BUDGET_BYTES}; 0 means all`,
      "<n>",
      { dependsOn: ["dry-run"] },
    ),
  };
  static override examples = examples({
    "What would come back?": "svc import undo last --dry-run",
    "Take back one import": "svc import undo 01J8Z0V0T4K3W6R2N9QH7XGDBF",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ImportUndo);
    const dry_run = flags["dry-run"];
    const { id: project_id, name } = await (await this.session()).project();
    const batch_uid = args.batch === "last" ? await this.#newestImport(project_id) : args.batch;
    const params = { project_id, batch_uid };
    const actor = await this.actor();
    const bar = await this.progress("taking back");
    const portions: Portion[] = [];
    let after: string | undefined;
    try {
      do {
        const body = { dry_run, actor, ...(after === undefined ? {} : { after }) };
        const portion = (await this.call(undoImport, { params, body })).body();
        portions.push(portion);
        bar.show(Math.min(portions.length * UNDO_IMPORT_ISSUES, portion.issues), portion.issues);
        after = portion.next_after;
      } while (after !== undefined);
    } catch (error) {
      throw portions.length === 0 || dry_run ? error : unfinishedError(error, portions);
    } finally {
      bar.end();
    }
    const done = joinPortions(name, dry_run, portions);
    if (dry_run) this.boundHere(flags);
    await this.print(answer(done), "imports", ({ importUndoView }) => importUndoView);
    if (done.conflicts.length > 0) throw conflictsLeftError(done);
  }

  async #newestImport(project_id: number): Promise<string> {
    let before: string | undefined;
    do {
      const query = { limit: 1, ...(before === undefined ? {} : { before }) };
      const page = await this.call(listImports, { params: { project_id }, query });
      const { imports, next_before } = page.body();
      const [newest] = imports;
      if (newest !== undefined) return newest.batch_uid;
      before = next_before;
    } while (before !== undefined);
    throw new SvcError("import_not_found", {}, { message: "nothing was imported here" });
  }
}

function joinPortions(project: string, dry_run: boolean, portions: readonly Portion[]): TakenBack {
  const sumOf = (of: (portion: Portion) => number) =>
    portions.reduce((total, portion) => total + of(portion), 0);
  const [first] = portions;
  const undone = portions.find(({ batch }) => batch !== undefined)?.batch;
  return {
    batch_uid: first?.batch_uid ?? "",
    source: first?.source ?? "",
    project,
    dry_run,
    changed: undone !== undefined,
    deleted: sumOf(({ deleted }) => deleted),
    reverted: sumOf(({ reverted }) => reverted),
    undone_before: sumOf(({ undone_before }) => undone_before),
    items: portions.flatMap(({ items }) => items),
    conflicts: portions.flatMap(({ conflicts }) => conflicts),
    ...(undone === undefined ? {} : { undone: { actor: undone.actor, at: undone.at } }),
  };
}

function unfinishedError(error: unknown, portions: readonly Portion[]): CommandError {
  const { kind, message, ...failure } = failureOf(error);
  const done = portions.length * UNDO_IMPORT_ISSUES;
  const what = `${done} of ${portions[0]?.issues ?? done} issues are done`;
  return new CommandError(kind, `${message}; ${what}`, {
    ...failure,
    hint: "the same command again does the rest",
  });
}

function conflictsLeftError({ conflicts, dry_run }: TakenBack): CommandError {
  const issues = new Set(conflicts.map(({ issue_uid }) => issue_uid)).size;
  const not = dry_run ? "would not be taken back" : "not taken back";
  return new CommandError(
    "conflict",
    `${not}: ${counted(issues, "issue")}, for the reasons that are listed`,
    {
      code: "undo_conflict",
      hint: "settle what is listed by hand, then run the same command again",
    },
  );
}
