import { systemClock } from "../../src/base/clock.ts";
import { OfflineCommand } from "../../src/cli/bases/offline-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples, integerFlag, textFlag } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import { steadyHeap } from "../../src/cli/start/steady-heap.ts";

export default class Backup extends OfflineCommand {
  static override summary = "back up the whole database into a verified file";
  static override description =
    "Writes one consistent state of the database in the format of `svc export`, while a daemon may go on writing. The file gets its name only after it was read back and verified: its bytes, the hash of each event, and that the rows match the events. A .sha256 file beside it holds its checksum. `svc import` restores it.";
  static override flags = {
    output: textFlag(
      "the file to write, which must not exist; default a file in the backup folder, named after the time",
      "<path>",
      { char: "o" },
    ),
    directory: textFlag(
      "the backup folder; default [backup] directory of config.toml, else backups in the home folder of svc",
      "<path>",
      { exclusive: ["output"] },
    ),
    keep: integerFlag(
      "afterwards remove all but this many backups of this database from the folder",
      "<count>",
      { min: 1 },
    ),
    local: booleanFlag("back up this machine's database even if a daemon elsewhere is selected"),
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
    const { backupsOf, databaseOf, requireLocal } = await import("../../src/cli/flags/storage.ts");
    const { config, target } = await (await this.session()).selection();
    if (!flags.local) requireLocal(target);
    const { cwd } = this.context;
    const database = databaseOf(config, cwd);
    steadyHeap();
    const { backupDatabase, backupInto } = await import("../../src/archive/index.ts");
    const { resolve } = await import("node:path");
    const bar = await this.progress("backing up");
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
    await this.print(answer(made), "archive", ({ backupView }) => backupView);
  }
}
