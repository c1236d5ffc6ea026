import { LimitedCommand } from "../src/cli/bases/limited-command.ts";
import { usage } from "../src/cli/failure/failure.ts";
import { rowsBytesFlag } from "../src/cli/flags/budget.ts";
import { limitFlag, requireAtLeast } from "../src/cli/flags/filters.ts";
import { booleanFlag, examples, optionalArg, textFlag } from "../src/cli/flags/flags.ts";
import { criticalPath, reachableIssueGraph } from "../src/contract/graph.ts";

export default class Graph extends LimitedCommand {
  static override summary = "show the links of an issue, or the longest chain of blockers";
  static override description =
    "Follows parents, children, blockers and related issues, across projects, and draws them as a tree from the issue; a link to an issue that is already in the tree is drawn as an arrow. --critical-path shows what has to be done one after another: the longest chain of open blockers in the project, or the longest that ends in the issue, and how many open issues wait for each.";
  static override args = { ref: optionalArg("the issue: its short id, project#id or full uid") };
  static override flags = {
    depth: textFlag("maximum distance in links: full (the default) or a number", "<full|n>", {
      exclusive: ["critical-path"],
    }),
    "hide-done": booleanFlag("leave out closed issues and what is reachable only through them", {
      exclusive: ["critical-path"],
    }),
    "critical-path": booleanFlag(
      "show the longest chain of open blockers, and the issues that most others wait for",
    ),
    limit: limitFlag(
      "with --critical-path: how many of the issues that others wait for, default 20; 0 means all",
      { dependsOn: ["critical-path"] },
    ),
    ...rowsBytesFlag,
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
    this.boundHere(flags);
    if (flags["critical-path"]) return await this.chain(args.ref, flags.limit);
    if (args.ref === undefined) {
      throw usage("missing argument ref", "name an issue, or ask for --critical-path");
    }
    const query = { depth: flags.depth, hide_done: flags["hide-done"] || undefined };
    const params = await this.target(args.ref);
    const graph = await this.call(reachableIssueGraph, { params, query });
    await this.print(graph, "graph", ({ graphView }) => graphView);
  }

  private async chain(text: string | undefined, limit: number | undefined): Promise<void> {
    const { project_id, ref } =
      text === undefined
        ? { project_id: await this.projectId(), ref: undefined }
        : await this.target(text);
    const found = await this.call(criticalPath, { params: { project_id }, query: { ref, limit } });
    await this.print(found, "critical-path", ({ criticalPathView }) => criticalPathView);
    const { waited_for, waited_for_count: count = 0 } = found.body();
    const shown = waited_for.length;
    this.noteCut({ truncated: count > shown }, { rows: shown, shown });
  }
}
