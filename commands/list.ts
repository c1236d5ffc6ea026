import { ListCommand } from "../src/cli/bases/list-command.ts";
import { atFlag, atQuery, noteAsOf } from "../src/cli/flags/at.ts";
import { afterFlag, listBudgetFlags } from "../src/cli/flags/budget.ts";
import {
  allFlag,
  issueFilters,
  issueQuery,
  labelQuery,
  limitFlag,
  refuseAllWithPlace,
  requireAtLeast,
  statusFilter,
} from "../src/cli/flags/filters.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { inRows } from "../src/cli/output/in-rows.ts";
import { listAllIssues, listIssues } from "../src/contract/issues.ts";
import { isFiltered } from "../src/shared/filters.ts";

const DEFAULT_LIMIT = 200;

export default class List extends ListCommand {
  static override aliases = ["ls"];
  static override summary = "list issues";
  static override description =
    "Open issues of the project, last changed first, with children below their parents. ○ is open, ● is blocked by another open issue, ✓ is closed.";
  static override flags = {
    status: statusFilter("default open")({ default: "open" }),
    ...issueFilters,
    limit: limitFlag(
      `at most this many; default ${DEFAULT_LIMIT}, no limit with --all --max-bytes 0`,
    ),
    ...afterFlag,
    at: atFlag(),
    ...listBudgetFlags,
    ...allFlag,
  };
  static override examples = examples({
    "What is open here": "svc list",
    "Open bugs that nobody owns": "svc list --label bug --unowned",
    "Everything urgent, everywhere": "svc list --all --max-priority 1",
    "What is left of an epic, and what of it is stuck": "svc list --parent abc4 --blocked",
    "What changed since yesterday, closed or not": "svc list --changed-since 24h --status all",
    "What was open a week ago": "svc list --at 7d",
    "For a program": "svc list --status all --json",
    "Of each issue just this, with tabs between": "svc list --fields short_id,title,owner",
    "The same for a program": "svc list --json --fields short_id,title,owner",
    "All of it, whatever the size": "svc list --all --json --full --max-bytes 0",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(List);
    refuseAllWithPlace(flags.all, this.globals);
    requireAtLeast(1, "--limit", flags.limit);
    const unlimited = flags.all && flags["max-bytes"] === 0;
    const limit = flags.limit ?? (unlimited ? undefined : DEFAULT_LIMIT);
    const query = {
      status: flags.status === "all" ? ("" as const) : flags.status,
      limit,
      ...issueQuery(flags),
      ...labelQuery(flags),
      ...(await this.chosen(flags)),
      at: await atQuery(flags.at),
      ...(await this.bounds(flags)),
    };
    if (flags.all && isFiltered(query)) await (await this.session()).requireApi("0.9.0");
    const answer = flags.all
      ? await this.call(listAllIssues, { query })
      : await this.call(listIssues, { params: { project_id: await this.projectId() }, query });
    const found = inRows(answer, "issues");
    if (flags.at !== undefined && this.mode !== "json" && !this.quiet) noteAsOf(this, found.body());
    const now = flags.all ? "created" : "recent";
    const order = flags.at === undefined ? now : undefined;
    await this.printIssues(found, "listView", { all: flags.all, limit, flags, order });
  }
}
