import { SvcCommand } from "../src/cli/base.ts";
import { allFlag, limitFlag, refuseAllWithPlace, requireAtLeast } from "../src/cli/filters.ts";
import { examples } from "../src/cli/flags.ts";
import { listHolders, listHoldersGlobal } from "../src/contract/holders.ts";
import { HOLDERS_DEFAULT_LIMIT, HOLDERS_MAX_LIMIT } from "../src/contract/limits.ts";

export default class Holders extends SvcCommand {
  static override summary = "list who leases or owns an open issue, and who fell silent";
  static override description =
    "One row for each holder and issue: when the holder did anything last, in any project, what that was, how much of the lease is left, and since when the issue is theirs. Of whom nothing was heard the longest comes first.";
  static override flags = {
    limit: limitFlag(
      `at most this many rows; ${HOLDERS_DEFAULT_LIMIT} unless said, and no more than ${HOLDERS_MAX_LIMIT}`,
    ),
    ...allFlag,
  };
  static override examples = examples({
    "Who works on what here": "svc holders",
    "The three in all projects who were silent the longest": "svc holders --all --limit 3 --agent",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Holders);
    refuseAllWithPlace(flags.all, this.globals);
    requireAtLeast(1, "--limit", flags.limit);
    const query = { limit: flags.limit };
    const found = flags.all
      ? await this.call(listHoldersGlobal, { query })
      : await this.call(listHolders, { params: { project_id: await this.projectId() }, query });
    await this.print(found, async () => {
      const { holdersView } = await import("../src/cli/render/holders.ts");
      return holdersView(flags.all);
    });
  }
}
