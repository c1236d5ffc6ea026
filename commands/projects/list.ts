import { LimitedCommand } from "../../src/cli/bases/limited-command.ts";
import { maxBytesFlag } from "../../src/cli/flags/budget.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { listProjects } from "../../src/contract/projects.ts";

export default class ProjectsList extends LimitedCommand {
  static override summary = "list the projects of the daemon";
  static override flags = maxBytesFlag;
  static override examples = examples({
    "All projects": "svc projects list",
    "With how many issues are open and closed": "svc projects list --agent",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(ProjectsList);
    this.boundHere(flags);
    const query = this.mode === "agent" ? { include: "stats" } : {};
    const found = await this.call(listProjects, { query });
    await this.print(found, "projects", ({ projectListView }) => projectListView);
  }
}
