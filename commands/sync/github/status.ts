import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { getIssueSyncStatus } from "../../../src/contract/issue-sync.ts";

export default class SyncGithubStatus extends SvcCommand {
  static override summary = "show which repository the project reads, and how the last run went";
  static override examples = examples({
    "How did the last run go?": "svc sync github status",
    "Why did it fail? For a script": "svc sync github status --json",
  });

  async run(): Promise<void> {
    await this.parse(SyncGithubStatus);
    const params = { project_id: await this.projectId(), provider: "github" };
    const found = await this.call(getIssueSyncStatus, { params });
    await this.print(found, "sync", ({ syncStatusView }) => syncStatusView);
  }
}
