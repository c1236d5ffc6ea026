import { resolve } from "node:path";
import * as Flags from "@oclif/core/flags";
import { systemClock } from "../src/base/clock.ts";
import { OfflineCommand } from "../src/cli/bases/offline-command.ts";
import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { CommandError, usage } from "../src/cli/failure/failure.ts";
import { booleanFlag, examples, listFlag, requiredFlag, textFlag } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";
import { type ImportState, importFault } from "../src/cli/session/import-state.ts";
import { steadyHeap } from "../src/cli/start/steady-heap.ts";
import { statOf } from "../src/config/git-dir.ts";
import { importIssues } from "../src/contract/imports.ts";
import { SOURCE_FORMATS, type SourceFormat } from "../src/domain/imports/formats.ts";

/** A file of this size or more has so many issues that the daemon writes them in a worker thread. */
const LARGE_BYTES = 256 * 1024;

const SOURCE_NAME = /^[\w.-]{1,32}$/;

interface TakeInFlags {
  readonly format: SourceFormat;
  readonly input: string;
  readonly map?: string | undefined;
  readonly "source-name"?: string | undefined;
  readonly prefer?: "local" | "upstream" | "newer" | undefined;
  readonly decide?: readonly string[] | undefined;
  readonly complete: boolean;
  readonly "dry-run": boolean;
}

const FLAGS = {
  input: requiredFlag("the file or folder to read; - is standard input", "<path>"),
  "source-format": Flags.option({
    summary: "what wrote the file",
    options: ["svc", ...SOURCE_FORMATS] as const,
    default: "svc",
    helpValue: "<format>",
  })(),
  merge: booleanFlag("add to the existing data instead of replacing it"),
  target: textFlag(
    "the database to restore into, a path or postgres://…; default the one of your settings",
    "<database>",
  ),
  force: booleanFlag("replace a database that has data"),
  "new-instance": booleanFlag("keep the target's own identity instead of the file's"),
  "source-name": textFlag(
    "tells several trackers of one format apart, whose ids may be the same",
    "<name>",
  ),
  map: textFlag(
    "rules in TOML or JSON for the statuses, types and links of the other tracker",
    "<file>",
  ),
  prefer: Flags.option({
    summary: "whose value a field gets that changed both here and in the other tracker",
    options: ["local", "upstream", "newer"] as const,
    helpValue: "<side>",
  })(),
  decide: listFlag(
    "decide one conflict, as `<id>:<field>=local` or `…=upstream`; repeatable",
    "<decision>",
  ),
  complete: booleanFlag("delete issues that came from there and that the file lacks"),
  "dry-run": booleanFlag("only report what would change"),
};

export default class Import extends OfflineCommand {
  static override summary = "restore an export of svc, or import issues of another tracker";
  static override description =
    "Without --source-format it reads what `svc export` wrote: no daemon may run on the target, and a target that has data is refused unless --force replaces it. The file is checked as `svc backup verify` does before anything is written, and what --force replaces is kept beside it. With the --source-format of another tracker it imports its issues into the project of the workspace and reports on every field; `neutral` is a documented form for a tracker that svc does not read. Importing a newer file later merges: what changed here stays, what changed there comes, and what changed in both places is listed as a conflict and stays as it is here until it is decided. The same file again changes nothing.";
  static override flags = FLAGS;
  static override examples = examples({
    "Move here from beads": "svc import --merge --source-format beads --input .beads/issues.jsonl",
    "Move here from Taskwarrior":
      "task export | svc import --merge --source-format taskwarrior --input -",
    "Move here the issues of a repository of GitHub":
      "gh issue list --state all --limit 10000 --json number,title,body,state,stateReason,labels,assignees,author,comments,createdAt,updatedAt,closedAt,milestone,url | svc import --merge --source-format github --input -",
    "Move here from a tracker that svc does not read":
      "svc import --merge --source-format neutral --input issues.jsonl",
    "Move here from Backlog.md, or from Markdown files with front matter":
      "svc import --merge --source-format backlog --input backlog",
    "What a newer file would change":
      "svc import --merge --source-format beads --input .beads/issues.jsonl --dry-run",
    "Decide one conflict for the other tracker, all others for svc":
      "svc import --merge --source-format beads --input .beads/issues.jsonl --decide bd-12:title=upstream --prefer local",
    "Restore a backup": "svc import --input backup.jsonl",
    "Move to PostgreSQL": "svc import --input backup.jsonl --target postgres://localhost/tracker",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Import);
    const format = flags["source-format"];
    if (format === "svc") {
      const merging = (
        ["source-name", "map", "prefer", "decide", "complete", "dry-run"] as const
      ).find((name) => flags[name]);
      if (merging !== undefined)
        throw usage(`--${merging} goes with --merge and the --source-format of another tracker`);
      return await this.#restore(flags);
    }
    const foreign = (["target", "force", "new-instance"] as const).find((name) => flags[name]);
    if (foreign !== undefined)
      throw usage(`--${foreign} does not go with --source-format ${format}`);
    if (!flags.merge) {
      throw usage(
        "issues of another tracker join a project",
        "add --merge to say that this is meant",
      );
    }
    await this.handOver(ImportIssues);
  }

  async #restore(flags: {
    readonly input: string;
    readonly target?: string | undefined;
    readonly merge: boolean;
    readonly force: boolean;
    readonly "new-instance": boolean;
  }): Promise<void> {
    const other = (["force", "new-instance"] as const).find((name) => flags[name]);
    if (flags.merge && other !== undefined) throw usage(`--merge does not go with --${other}`);
    const { databaseOf, requireLocal, requireNoDaemon } = await import(
      "../src/cli/flags/storage.ts"
    );
    const { config, target } = await (await this.session()).selection();
    if (flags.target === undefined) requireLocal(target);
    const database = databaseOf(config, this.context.cwd, flags.target);
    if (flags.force && database.dialect === "postgres") {
      throw usage(
        "--force replaces SQLite databases only",
        "drop the schema yourself, then import",
      );
    }
    await requireNoDaemon(database);
    steadyHeap();
    const { restoreFile } = await import("../src/archive/index.ts");
    const { systemIds } = await import("../src/base/ids.ts");
    const { timezone } = config.settings;
    const bar = await this.progress("checking");
    const { skipped_links, ...restored } = await restoreFile(
      { clock: systemClock, ids: systemIds(), timezone },
      {
        file: fileAt(this.context.cwd, flags.input),
        target: database,
        force: flags.force,
        newInstance: flags["new-instance"],
        merge: flags.merge,
        actor: await this.actor(),
        progress: bar.show,
      },
    ).finally(bar.end);
    for (const warning of restored.warnings ?? []) this.note(`warning: ${warning}`);
    if (skipped_links > 0) {
      this.note(`skipped ${skipped_links} link record(s): the issue at one end is not in the file`);
    }
    if (restored.kept_old !== undefined) {
      this.note(`what was there before is kept as ${restored.kept_old}`);
    }
    const body = { target: database.display, ...restored, skipped_links };
    await this.print(answer(body), "archive", ({ restoreView }) => restoreView);
  }
}

/**
 * The part of `svc import` that adds the issues of another tracker to a project. The daemon writes these issues. The
 * class `Import` restores backups without a daemon, because no daemon may run during a restore.
 */
class ImportIssues extends SvcCommand {
  static override flags = FLAGS;

  async run(): Promise<void> {
    const { flags } = await this.parse(ImportIssues);
    const format = flags["source-format"];
    if (format !== "svc") await this.#takeIn({ ...flags, format });
  }

  /** Reads and checks the whole file before it sends the first issue. */
  async #takeIn(flags: TakeInFlags): Promise<void> {
    const { readSource, reportAccount, sendItems } = await import("../src/sources/index.ts");
    const path = fileAt(this.context.cwd, flags.input);
    const decisions = decisionsOf(flags.decide ?? []);
    const own = flags["source-name"];
    if (own !== undefined && !SOURCE_NAME.test(own))
      throw usage(`--source-name ${own} is no name`, "write 1 to 32 letters, digits or . _ -");
    const [read, found] = await Promise.allSettled([
      this.#mapping(flags.map).then(
        async (own) => await readSource(flags.format, path, { own, complete: flags.complete }),
      ),
      this.#prepare(path, flags.format),
    ]);
    if (read.status === "rejected") throw read.reason;
    if (found.status === "rejected") throw found.reason;
    const file = read.value;
    const { id, name, actor } = found.value;
    const { systemIds } = await import("../src/base/ids.ts");
    const dry_run = flags["dry-run"];
    const batch_uid = systemIds().ulid();
    const source = own === undefined ? file.source : `${file.source}:${own}`;
    const common = { source, batch_uid, prefer: flags.prefer, decisions, dry_run };
    const bar = await this.progress("importing");
    let state: ImportState = { issues: file.count, done: 0, all: file.count };
    const result = await sendItems(
      file,
      async (items, gone) => {
        const body = { ...common, items, ...gone, actor };
        return (await this.call(importIssues, { params: { project_id: id }, body })).body();
      },
      (done, all) => {
        state = { ...state, done, all };
        bar.show(done, all);
      },
      { complete: flags.complete, dryRun: dry_run },
    )
      .catch((error: unknown) => {
        throw state.done === 0 || dry_run ? error : importFault(error, state);
      })
      .finally(bar.end);
    const changed = !dry_run && result.created + result.updated + result.deleted > 0;
    this.changedNothing = !changed;
    const account = file.account();
    const summary = { source, file: path, project: name, batch_uid, dry_run, changed };
    await this.print(answer({ ...summary, result, account }), "archive", ({ importView }) =>
      importView(reportAccount(account)),
    );
    const open = result.conflicts.filter(({ decided }) => decided === undefined).length;
    if (open > 0) throw undecidedError(open, dry_run);
  }

  async #mapping(file: string | undefined) {
    if (file === undefined) return undefined;
    const [{ mappingOf }, { readTomlOrJson }] = await Promise.all([
      import("../src/sources/index.ts"),
      import("../src/config/toml.ts"),
    ]);
    return mappingOf(await readTomlOrJson(fileAt(this.context.cwd, file)), file);
  }

  /**
   * Finds the project to import into. For a large file it also sends an empty import, so that the daemon starts its
   * worker for large writes while this process still reads the file.
   */
  async #prepare(path: string, source: string) {
    const session = await this.session();
    const { id, name } = await session.project();
    await session.requireApi("0.15.0", "update the daemon: it would not merge");
    const actor = await this.actor();
    if ((statOf(path)?.size ?? 0) >= LARGE_BYTES) {
      const body = { source, items: [], actor };
      await session.call(importIssues, { params: { project_id: id }, body });
    }
    return { id, name, actor };
  }
}

function fileAt(cwd: string, input: string): string {
  return input === "-" ? input : resolve(cwd, input);
}

/**
 * Parses the values of `--decide`. The first colon separates the issue's id in the other tracker from the name of the
 * field, so conflicts of an issue whose id has a colon can only be decided with `--prefer`.
 */
function decisionsOf(words: readonly string[]) {
  return words.map((word) => {
    const [, external_id, field, take] = /^([^:]+):(.+)=(local|upstream)$/s.exec(word) ?? [];
    if (external_id === undefined || field === undefined) {
      throw usage(
        `--decide ${word} is no decision`,
        "write --decide <id>:<field>=local or --decide <id>:<field>=upstream, as the conflict names both",
      );
    }
    return {
      external_id,
      field,
      take: take === "local" ? ("local" as const) : ("upstream" as const),
    };
  });
}

function undecidedError(count: number, dryRun: boolean): CommandError {
  const fields = count === 1 ? "1 field" : `${count} fields`;
  return new CommandError(
    "conflict",
    `${fields} changed both here and there; ${dryRun ? "they would stay as they are here" : "they stay as they are here"}`,
    {
      code: "import_conflict",
      hint: "decide with --prefer local|upstream|newer, or one by one with --decide <id>:<field>=upstream, and import the same file again",
    },
  );
}
