import { OfflineCommand } from "../../src/cli/bases/offline-command.ts";
import { CommandError } from "../../src/cli/failure/failure.ts";
import { arg, examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import { steadyHeap } from "../../src/cli/start/steady-heap.ts";

export default class EventsCompare extends OfflineCommand {
  static override summary = "say from which event on this database and a backup differ";
  static override description =
    "Compares the log of this database with that of a backup or a whole export, event by event, by their hashes and the chain of the log. Purged events are judged by the chain that the purge has kept. Asks no daemon, one may go on writing, and writes nothing. The exit code is 0 only if both logs are the same, and 1 if they differ or if one of them goes on.";
  static override args = {
    file: arg("a backup, or a whole export"),
  };
  static override examples = examples({
    "Is it still the log of the backup":
      "svc events compare ~/.svc/backups/svc-backup-20260504T091500.000Z.jsonl",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(EventsCompare);
    const { databaseOf, requireLocal } = await import("../../src/cli/flags/storage.ts");
    const { config, target } = await (await this.session()).selection();
    requireLocal(target);
    steadyHeap();
    const { compareFile } = await import("../../src/archive/index.ts");
    const { resolve } = await import("node:path");
    const { cwd } = this.context;
    const bar = await this.progress("comparing");
    const path = resolve(cwd, args.file);
    const found = await compareFile(databaseOf(config, cwd), path, bar.show).finally(bar.end);
    await this.print(answer(found), "comparison", ({ comparisonView }) => comparisonView);
    if (found.broken !== undefined)
      throw new CommandError("checks_failed", `the log of this database is broken`, {
        hint: "svc doctor says more",
      });
    if (found.result !== "same") throw new CommandError("checks_failed", "the logs differ");
  }
}
