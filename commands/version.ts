import { BUILD } from "../src/base/build.ts";
import { OfflineCommand } from "../src/cli/bases/offline-command.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";

export default class Version extends OfflineCommand {
  static override summary = "print the versions of svc, Node and the platform";
  static override description =
    "Needs no daemon. svc health shows the version of the running daemon.";
  static override examples = examples({
    "For a bug report": "svc version",
    "For a program": "svc version --json",
  });

  async run(): Promise<void> {
    await this.parse(Version);
    const version = {
      name: this.config.bin,
      version: this.config.version,
      commit: BUILD.commit,
      built_at: BUILD.built_at,
      distribution: "npm",
      node: process.version,
      os: process.platform,
      arch: process.arch,
      agent_format: 1,
    };
    await this.print(answer(version), "system", ({ versionView }) => versionView);
  }
}
