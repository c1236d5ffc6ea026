import { SvcCommand } from "../../src/cli/base.ts";
import { arg, examples } from "../../src/cli/flags.ts";
import { answer } from "../../src/cli/output.ts";

export default class BackupVerify extends SvcCommand {
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
    const { NO_DIGEST, verifyFile } = await import("../../src/archive/index.ts");
    const { resolve } = await import("node:path");
    const { progressBar } = await import("../../src/cli/render/progress.ts");
    const path = resolve(this.context.cwd, args.file);
    const bar = progressBar(this.context.stderr, "reading");
    const found = await verifyFile(path, bar.show).finally(bar.end);
    const warnings = found.digest ? [] : [NO_DIGEST];
    for (const warning of warnings) this.note(`warning: ${warning}`);
    await this.print(
      answer({ path, ...found, ...(found.digest ? {} : { warnings }) }),
      async () => {
        const { verifiedView } = await import("../../src/cli/render/archive.ts");
        return verifiedView;
      },
    );
  }
}
