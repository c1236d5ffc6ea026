import * as Flags from "@oclif/core/flags";
import { systemClock } from "../../src/base/clock.ts";
import { SvcCommand } from "../../src/cli/base.ts";
import { usage } from "../../src/cli/failure.ts";
import { examples } from "../../src/cli/flags.ts";
import { answer } from "../../src/cli/output.ts";

export default class Backup extends SvcCommand {
  static override summary = "back everything up into a file that was proven to be good";
  static override description =
    "Reads one coherent state of the database while a daemon goes on writing, and writes it as `svc export` does. The file gets its name only when it was read back and found whole: its bytes, each event's hash, and that the rows are what the events say. Beside it stands its checksum, as sha256sum writes it. `svc import` restores it.";
  static override flags = {
    output: Flags.string({
      summary:
        "the file to write, which must not be there yet; else one in the folder of backups that is named after the time",
      helpValue: "<path>",
    }),
    directory: Flags.string({
      summary:
        "the folder of backups; else [backup] directory of config.toml, else backups at home",
      helpValue: "<path>",
      exclusive: ["output"],
    }),
    keep: Flags.integer({
      summary: "then remove all but so many backups of this database from the folder",
      helpValue: "<count>",
      min: 1,
    }),
    local: Flags.boolean({
      summary: "this machine's database, also where a daemon elsewhere is selected",
      default: false,
    }),
  };
  static override examples = examples({
    "A backup, and a week of them": "svc backup --keep 7",
    "One file, on another disk": "svc backup --output /mnt/usb/svc.jsonl",
    "Restore it": "svc import --force --input /mnt/usb/svc.jsonl",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Backup);
    const { output, keep } = flags;
    if (output !== undefined && keep !== undefined)
      throw usage("--keep counts the backups of a folder and does not go with --output");
    const { backupsOf, databaseOf, requireLocal } = await import("../../src/cli/storage.ts");
    const { config, target } = await (await this.session()).client();
    if (!flags.local) requireLocal(target);
    const { cwd, stderr } = this.surroundings;
    const database = databaseOf(config, cwd);
    const { backupDatabase, backupInto } = await import("../../src/archive/index.ts");
    const { resolve } = await import("node:path");
    const { progressBar } = await import("../../src/cli/render/progress.ts");
    const bar = progressBar(stderr, "backing up");
    const folder =
      flags.directory === undefined ? backupsOf(config) : resolve(cwd, flags.directory);
    const work =
      output === undefined
        ? backupDatabase(database, {
            clock: systemClock,
            folder,
            progress: bar.show,
            ...(keep === undefined ? {} : { keep }),
          })
        : backupInto(database, output === "-" ? output : resolve(cwd, output), bar.show);
    const made = await work.finally(bar.end);
    if (made.upgraded_from !== undefined)
      this.note(
        `the database is of storage schema ${made.upgraded_from} and not upgraded yet; the backup is of an upgraded copy`,
      );
    await this.print(answer(made), async () => {
      const { backupView } = await import("../../src/cli/render/archive.ts");
      return backupView;
    });
  }
}
