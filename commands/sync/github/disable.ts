import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { disableIssueSync } from "../../../src/contract/issue-sync.ts";

export default class SyncGithubDisable extends SvcCommand {
  static override summary = "stop reading issues from GitHub; the issues stay";
  static override description =
    "The binding stays too, so svc sync github enable goes on where the last run ended. A run that is under way ends at its next write.";
  static override examples = examples({ "Stop for now": "svc sync github disable" });

  async run(): Promise<void> {
    await this.parse(SyncGithubDisable);
    const params = { project_id: await this.projectId(), provider: "github" };
    const disabled = await this.call(disableIssueSync, { params, body: {} });
    await this.print(disabled, "sync", ({ syncDisabledView }) => syncDisabledView);
  }
}
