import { SvcCommand } from "../../src/cli/base.ts";
import { examples } from "../../src/cli/flags.ts";
import { listProjects } from "../../src/contract/projects.ts";

export default class ProjectsList extends SvcCommand {
  static override summary = "list the projects of the daemon";
  static override examples = examples({
    "All projects": "svc projects list",
    "With how many issues are open and closed": "svc projects list --agent",
  });

  async run(): Promise<void> {
    await this.parse(ProjectsList);
    const query = this.mode === "agent" ? { include: "stats" } : {};
    const found = await this.call(listProjects, { query });
    await this.print(found, "projects", ({ projectListView }) => projectListView);
  }
}
