import * as Flags from "@oclif/core/flags";
import { SvcCommand } from "../src/cli/base.ts";
import { usage } from "../src/cli/failure.ts";
import { limitFlag, requireAtLeast } from "../src/cli/filters.ts";
import { examples, optionalArg, textFlag } from "../src/cli/flags.ts";
import { criticalPath, reachableIssueGraph } from "../src/contract/graph.ts";

export default class Graph extends SvcCommand {
  static override summary = "show what an issue is linked to, or the longest chain of blockers";
  static override description =
    "Follows parents, children, blockers and related issues, across projects, and draws them as a tree from the issue; a link to an issue that the tree already has is an arrow. --critical-path tells what has to be done one after another: the longest chain of open blockers in the project, or the one that ends in the issue, and how many open issues wait for each.";
  static override args = { ref: optionalArg("the issue: its short id, project#id or full uid") };
  static override flags = {
    depth: {
      ...textFlag("how many links away: full, or a number; full unless said", "<full|n>"),
      exclusive: ["critical-path"],
    },
    "hide-done": Flags.boolean({
      summary: "leave out closed issues and what only they lead to",
      exclusive: ["critical-path"],
    }),
    "critical-path": Flags.boolean({
      summary: "the longest chain of open blockers, and what most issues wait for",
    }),
    limit: {
      ...limitFlag("with --critical-path: issues that are waited for; 20 unless said, 0 is all"),
      dependsOn: ["critical-path"],
    },
  };
  static override examples = examples({
    "Everything around an issue": "svc graph abc4",
    "Its nearest neighbours that are still open": "svc graph abc4 --depth 1 --hide-done",
    "What the project's end waits for": "svc graph --critical-path",
    "What one issue waits for": "svc graph abc4 --critical-path",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Graph);
    requireAtLeast(0, "--limit", flags.limit);
    if (flags["critical-path"]) return await this.chain(args.ref, flags.limit);
    if (args.ref === undefined) {
      throw usage("missing argument ref", "name an issue, or ask for --critical-path");
    }
    const query = { depth: flags.depth, hide_done: flags["hide-done"] || undefined };
    const params = await this.target(args.ref);
    const graph = await this.call(reachableIssueGraph, { params, query });
    await this.print(graph, async () => (await import("../src/cli/render/graph.ts")).graphView);
  }

  private async chain(text: string | undefined, limit: number | undefined): Promise<void> {
    const { project_id, ref } =
      text === undefined
        ? { project_id: await this.projectId(), ref: undefined }
        : await this.target(text);
    const found = await this.call(criticalPath, { params: { project_id }, query: { ref, limit } });
    await this.print(found, async () => {
      const { criticalPathView } = await import("../src/cli/render/critical-path.ts");
      return criticalPathView;
    });
  }
}
