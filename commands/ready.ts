import * as Flags from "@oclif/core/flags";
import { ReadyCommand, readyFilters } from "../src/cli/bases/ready-command.ts";
import { atFlag, atQuery, noteAsOf } from "../src/cli/flags/at.ts";
import { afterFlag, listBudgetFlags } from "../src/cli/flags/budget.ts";
import { allFlag, limitFlag, originFilters, readyQuery } from "../src/cli/flags/filters.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { takeFlags } from "../src/cli/flags/leases.ts";
import { inRows } from "../src/cli/output/in-rows.ts";

/** There is a limit by default, because agents read the list repeatedly and it grows with the project. */
const DEFAULT_LIMIT = 200;

export default class Ready extends ReadyCommand {
  static override summary = "list issues that can be worked on now";
  static override description =
    "An issue is ready when nothing open blocks it, it is not parked or planned for later, its parent is not held up, and it has no open children of its own (then the work is in them). The first is the one that svc next names, if you may take it. svc why says why an issue is missing here. With --claim or --lease the exit code is 9 if nothing is left to take.";
  static override flags = {
    ...readyFilters,
    ...originFilters,
    limit: limitFlag(
      `at most this many; default ${DEFAULT_LIMIT}, no limit with 0 or --all --max-bytes 0`,
    ),
    order: Flags.option({
      summary:
        "next, the default: as svc next chooses, highest priority first; recent: last changed first",
      options: ["next", "recent"] as const,
      helpValue: "<order>",
    })(),
    ...afterFlag,
    at: atFlag(["claim", "lease", "idempotency-key"]),
    ...listBudgetFlags,
    ...allFlag,
    ...takeFlags,
  };
  static override examples = examples({
    "What can be taken up here": "svc ready",
    "Of those, what nobody has taken, for an agent": "svc ready --unowned --agent",
    "What changed last": "svc ready --order recent",
    "In every project": "svc ready --all",
    "What could be worked on then": "svc ready --at 24h",
    "Take the first of them": "svc ready --claim",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Ready);
    if (await this.take(flags)) return;
    const unlimited = flags.all && flags["max-bytes"] === 0;
    const limit = flags.limit ?? (unlimited ? undefined : DEFAULT_LIMIT);
    const query = {
      ...readyQuery({ ...flags, limit }),
      order: flags.order === "recent" ? ("recent" as const) : ("take" as const),
      ...(await this.chosen(flags)),
      at: await atQuery(flags.at),
      ...(await this.bounds(flags)),
    };
    const found = inRows(await this.ready(flags.all, query), "issues");
    if (flags.at !== undefined && this.mode !== "json" && !this.quiet) noteAsOf(this, found.body());
    // The answer names the order of the list. An older daemon supports only the order `recent` and does not name it.
    const listed = found.body().order ?? "recent";
    if (flags.order === "next" && listed !== "take")
      await (await this.session()).requireApi("0.15.0", "update the daemon, or leave --order out");
    const order = flags.at === undefined ? listed : undefined;
    await this.printIssues(found, "readyView", { all: flags.all, limit, flags, order });
  }
}
