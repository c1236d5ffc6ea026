import { arg, examples } from "../../src/cli/flags.ts";
import { OfflineCommand } from "../../src/cli/offline-command.ts";
import { answer } from "../../src/cli/output.ts";
import { steadyHeap } from "../../src/cli/steady-heap.ts";

export default class BackupVerify extends OfflineCommand {
  static override summary = "check that a backup is complete and can be restored";
  static override description =
    "Runs the checks of `svc import`: compares the bytes of the file with the digest in its last line and with the .sha256 file if there is one, each event with its hash, and the rows with the events. Writes nothing and asks no daemon.";
  static override args = {
    file: arg("a backup, or a file that svc export wrote"),
  };
  static override examples = examples({
    "The newest": "svc backup verify ~/.svc/backups/svc-backup-20260504T091500.000Z.jsonl",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(BackupVerify);
    steadyHeap();
    const { NO_DIGEST, verifyFile } = await import("../../src/archive/index.ts");
    const { resolve } = await import("node:path");
    const path = resolve(this.context.cwd, args.file);
    const bar = await this.progress("reading");
    const found = await verifyFile(path, bar.show).finally(bar.end);
    const warnings = found.digest ? [] : [NO_DIGEST];
    for (const warning of warnings) this.note(`warning: ${warning}`);
    const body = { path, ...found, ...(found.digest ? {} : { warnings }) };
    await this.print(answer(body), "archive", ({ verifiedView }) => verifiedView);
  }
}
