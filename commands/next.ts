import * as Flags from "@oclif/core/flags";
import { SvcCommand } from "../src/cli/base.ts";
import {
  allFlag,
  isFiltered,
  labelFilters,
  limitFlag,
  ownerFilters,
  readyQuery,
  refuseAllWithPlace,
  requireAtLeast,
} from "../src/cli/filters.ts";
import { firstOf } from "../src/cli/first.ts";
import { takeFlags, takeRequest } from "../src/cli/leases.ts";
import { answer } from "../src/cli/output.ts";
import { showIssue } from "../src/contract/issues.ts";
import { takeReadyIssue, takeReadyIssueGlobal } from "../src/contract/leases.ts";
import { readyIssues, readyIssuesGlobal } from "../src/contract/search.ts";

export default class Next extends SvcCommand {
  static override summary = "name the ready issue to take first";
  static override description =
    "The ready issue with the highest priority; among equals the one that changed last. Ends with exit code 0 also when nothing is ready.";
  static override flags = {
    ...ownerFilters,
    ...labelFilters,
    containers: Flags.boolean({
      summary: "also issues whose only hindrance is their own open children",
    }),
    limit: limitFlag("choose among this many ready issues; all unless said"),
    ...allFlag,
    ...takeFlags,
    full: Flags.boolean({ summary: "show the whole issue, as svc show does" }),
  };
  static override examples = [
    { description: "What to do next", command: "<%= config.bin %> next" },
    {
      description: "The next one that nobody has taken, with its text",
      command: "<%= config.bin %> next --unowned --full",
    },
    {
      description: "Hold it for half an hour; of many workers each gets another",
      command: "<%= config.bin %> next --lease 30m --json",
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(Next);
    refuseAllWithPlace(flags.all, this.globals);
    requireAtLeast(0, "--limit", flags.limit);
    const ask = takeRequest(flags);
    if (ask !== undefined) {
      const body = { ...ask, actor: await this.actor() };
      const taken = flags.all
        ? await this.call(takeReadyIssueGlobal, { body })
        : await this.call(takeReadyIssue, {
            params: { project_id: await this.projectId() },
            body,
          });
      return await this.print(taken, async () => {
        const { takenView } = await import("../src/cli/render/leases.ts");
        return takenView(flags.all);
      });
    }
    const query = readyQuery(flags);
    if (flags.all && isFiltered(query)) await (await this.session()).requireApi("0.8.0");
    const found = flags.all
      ? await this.call(readyIssuesGlobal, { query })
      : await this.call(readyIssues, { params: { project_id: await this.projectId() }, query });
    const issue = firstOf(found.body().issues);
    if (flags.full && issue !== undefined) {
      const { project_id, uid } = issue;
      const shown = await this.call(showIssue, { params: { project_id, ref: uid } });
      return await this.print(
        shown,
        async () => (await import("../src/cli/render/show.ts")).showView,
      );
    }
    const { json } = answer({ issue: issue ?? null });
    await this.print({ json, body: () => issue }, async () => {
      const { nextView } = await import("../src/cli/render/list.ts");
      return nextView(flags.all);
    });
  }
}
