import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { booleanFlag, examples } from "../../../src/cli/flags/flags.ts";
import { runIssueSyncOnce } from "../../../src/contract/issue-sync.ts";

export default class SyncGithubOnce extends SvcCommand {
  static override summary = "read the repository now, and wait until it is read";
  static override description =
    "Runs whenever the next run is due. svc import undo <sync uid> takes the run back. With --parents the parent of every issue is asked for too, with a request for each 100 issues; otherwise that is done once a day.";
  static override flags = {
    parents: booleanFlag("ask for the parent of every issue too"),
  };
  static override examples = examples({
    "What is new there?": "svc sync github once",
    "Sub-issues were moved there": "svc sync github once --parents",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(SyncGithubOnce);
    const params = { project_id: await this.projectId(), provider: "github" };
    const body = flags.parents ? { parents: true } : {};
    const done = await this.call(runIssueSyncOnce, { params, body });
    await this.print(done, "sync", ({ syncOnceView }) => syncOnceView);
  }
}
