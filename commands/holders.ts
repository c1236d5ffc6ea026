import { LimitedCommand } from "../src/cli/bases/limited-command.ts";
import { rowsBytesFlag, textBytes } from "../src/cli/flags/budget.ts";
import {
  allFlag,
  limitFlag,
  refuseAllWithPlace,
  requireAtLeast,
} from "../src/cli/flags/filters.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { listHolders, listHoldersGlobal } from "../src/contract/holders.ts";
import { HOLDERS_DEFAULT_LIMIT, HOLDERS_MAX_LIMIT } from "../src/contract/limits.ts";

export default class Holders extends LimitedCommand {
  static override summary = "list who leases an issue or owns an open one, and their last event";
  static override description =
    "One row for each holder and issue: the holder's last event in any project and when it was, how much of the lease is left, and since when they have the issue. The holder whose last event is oldest comes first.";
  static override flags = {
    limit: limitFlag(
      `at most this many rows; default ${HOLDERS_DEFAULT_LIMIT}, maximum ${HOLDERS_MAX_LIMIT}`,
    ),
    ...allFlag,
    ...rowsBytesFlag,
  };
  static override examples = examples({
    "Who works on what here": "svc holders",
    "The three in all projects who were silent the longest": "svc holders --all --limit 3 --agent",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Holders);
    refuseAllWithPlace(flags.all, this.globals);
    requireAtLeast(1, "--limit", flags.limit);
    const query = { limit: flags.limit, ...(await this.jsonBytes(flags)) };
    const found = flags.all
      ? await this.call(listHoldersGlobal, { query })
      : await this.call(listHolders, { params: { project_id: await this.projectId() }, query });
    this.textBytes = textBytes(flags);
    this.limitBy(flags, {
      rows: flags.limit ?? HOLDERS_DEFAULT_LIMIT,
      mostRows: HOLDERS_MAX_LIMIT,
    });
    await this.print(found, "holders", ({ holdersView }) => holdersView(flags.all));
    const body = found.body();
    this.noteRest(body, body.holders.length);
  }
}
