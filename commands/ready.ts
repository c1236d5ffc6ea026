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
import { takeFlags, takeRequest } from "../src/cli/leases.ts";
import { takeReadyIssue, takeReadyIssueGlobal } from "../src/contract/leases.ts";
import { readyIssues, readyIssuesGlobal } from "../src/contract/search.ts";

/** As for lists: what an agent reads at every turn must not grow with the project. */
const DEFAULT_LIMIT = 200;

export default class Ready extends SvcCommand {
  static override summary = "list issues that can be worked on now";
  static override description =
    "An issue is ready when nothing open blocks it, it is not parked or planned for later, its parent is not held up, and it has no open children of its own (then the work is in them). svc why says what stands in the way of one that is missing here.";
  static override flags = {
    ...ownerFilters,
    ...labelFilters,
    containers: Flags.boolean({
      summary: "also issues whose only hindrance is their own open children",
    }),
    limit: limitFlag(`at most this many; ${DEFAULT_LIMIT} unless said, no limit with --all or 0`),
    ...allFlag,
    ...takeFlags,
  };
  static override examples = [
    { description: "What can be taken up here", command: "<%= config.bin %> ready" },
    {
      description: "Of those, what nobody has taken, for an agent",
      command: "<%= config.bin %> ready --unowned --agent",
    },
    { description: "In every project", command: "<%= config.bin %> ready --all" },
    { description: "Take the first of them", command: "<%= config.bin %> ready --claim" },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(Ready);
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
    const limit = flags.limit ?? (flags.all ? undefined : DEFAULT_LIMIT);
    const query = readyQuery({ ...flags, limit });
    if (flags.all && isFiltered(query)) await (await this.session()).requireApi("0.8.0");
    const found = flags.all
      ? await this.call(readyIssuesGlobal, { query })
      : await this.call(readyIssues, { params: { project_id: await this.projectId() }, query });
    await this.print(found, async () => {
      const { readyView } = await import("../src/cli/render/list.ts");
      return readyView({ all: flags.all, limit });
    });
    this.noteIfCut(found, limit);
  }
}
