import type { lastTrialOf } from "../../src/archive/index.ts";
import { systemClock } from "../../src/base/clock.ts";
import { OfflineCommand } from "../../src/cli/bases/offline-command.ts";
import { CommandError, usage } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples, optionalArg, textFlag } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import { steadyHeap } from "../../src/cli/start/steady-heap.ts";

export default class BackupVerify extends OfflineCommand {
  static override summary = "check that a backup is complete and can be restored";
  static override description =
    "Runs the checks of `svc import`: compares the bytes of the file with the digest in its last line and with the .sha256 file if there is one, each event with its hash, and the rows with the events. Writes nothing and asks no daemon. With --schedule it also restores the newest backup into a scratch database, checks that as `svc doctor` does, removes it and notes what was found; with [backup] verify_interval in config.toml the daemon does so by itself. Without a file it says what the last such verification found.";
  static override args = {
    file: optionalArg("a backup, or a file that svc export wrote"),
  };
  static override flags = {
    schedule: booleanFlag(
      "restore the newest backup of this database into a scratch database, and note what was found for health",
    ),
    directory: textFlag(
      "the backup folder; default [backup] directory of config.toml, else backups in the home folder of svc",
      "<path>",
      { dependsOn: ["schedule"] },
    ),
    local: booleanFlag("look at this machine's database even if a daemon elsewhere is selected"),
  };
  static override examples = examples({
    "One file": "svc backup verify ~/.svc/backups/svc-backup-20260504T091500.000Z.jsonl",
    "Restore the newest for a try": "svc backup verify --schedule",
    "What the last try found": "svc backup verify",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BackupVerify);
    if (args.file !== undefined && flags.schedule)
      throw usage("--schedule takes the newest backup and does not go with a file");
    if (args.file !== undefined) return await this.#verify(args.file);
    const { backupsOf, databaseOf, requireLocal, trialsOf } = await import(
      "../../src/cli/flags/storage.ts"
    );
    const { config, target } = await (await this.session()).selection();
    if (!flags.local) requireLocal(target);
    const { cwd } = this.context;
    const source = databaseOf(config, cwd);
    const scratch = trialsOf(config);
    if (!flags.schedule) return await this.#printLastTrial(source, scratch);
    const { resolve } = await import("node:path");
    const folder =
      flags.directory === undefined ? backupsOf(config) : resolve(cwd, flags.directory);
    steadyHeap();
    const { tryNewest } = await import("../../src/archive/index.ts");
    const { systemIds } = await import("../../src/base/ids.ts");
    const { timezone } = config.settings;
    const bar = await this.progress("restoring");
    const found = await tryNewest({ clock: systemClock, ids: systemIds(), timezone }, source, {
      folder,
      scratch,
      progress: bar.show,
    }).finally(bar.end);
    await this.print(
      answer({ ...found, restored: true }),
      "archive",
      (views) => views.verifiedView,
    );
  }

  async #verify(file: string): Promise<void> {
    steadyHeap();
    const { NO_DIGEST, verifyFile } = await import("../../src/archive/index.ts");
    const { resolve } = await import("node:path");
    const path = resolve(this.context.cwd, file);
    const bar = await this.progress("reading");
    const found = await verifyFile(path, bar.show).finally(bar.end);
    const warnings = found.digest ? [] : [NO_DIGEST];
    for (const warning of warnings) this.note(`warning: ${warning}`);
    const body = { path, ...found, ...(found.digest ? {} : { warnings }) };
    await this.print(answer(body), "archive", ({ verifiedView }) => verifiedView);
  }

  async #printLastTrial(...where: Parameters<typeof lastTrialOf>): Promise<void> {
    const archive = await import("../../src/archive/index.ts");
    const trial = await archive.lastTrialOf(...where);
    const state = trial === undefined ? "unknown" : trial.ok ? "ok" : "failed";
    const { ok: _, ...found } = trial ?? {};
    await this.print(answer({ state, ...found }), "archive", ({ lastTrialView }) => lastTrialView);
    if (state === "failed")
      throw new CommandError("checks_failed", "the last verification of a backup failed");
  }
}
