import { FeedCommand } from "../src/cli/bases/feed-command.ts";
import { nextEventCursor, rowsBytesFlag } from "../src/cli/flags/budget.ts";
import { limitFlag, requireAtLeast } from "../src/cli/flags/filters.ts";
import { booleanFlag, examples, integerFlag, refArg } from "../src/cli/flags/flags.ts";
import { hereAndNow } from "../src/cli/flags/when.ts";
import type { CutAnswer } from "../src/cli/output/cut-note.ts";
import type { Views } from "../src/cli/render/views.ts";
import { listIssueEvents } from "../src/contract/activity.ts";

export default class Log extends FeedCommand {
  static override summary = "list the events of an issue, oldest first";
  static override description =
    "Every change of the issue with who made it and when: fields, labels, links, comments, closes, moves and leases. Links that were made from another issue are included. In a federated project a change that lost to one of another daemon is marked with the change that won.";
  static override args = { ref: refArg() };
  static override flags = {
    after: integerFlag("only events after this number; 0 is the beginning", "<id>"),
    limit: limitFlag("at most this many; default 100, maximum 1000"),
    "include-deleted": booleanFlag("allow a deleted issue"),
    ...rowsBytesFlag,
  };
  static override examples = examples({
    "The issue's whole story": "svc log abc4",
    "The next page": "svc log abc4 --after 4200",
  });

  /** With `-q` only the ref of the issue is printed, whatever the limits leave out. */
  protected override noteRest(page: CutAnswer, shown?: number): void {
    if (this.mode === "agent" || !this.quiet) super.noteRest(page, shown);
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Log);
    requireAtLeast(0, "--after", flags.after);
    requireAtLeast(1, "--limit", flags.limit);
    const params = await this.target(args.ref);
    const query = {
      after_id: flags.after,
      limit: flags.limit,
      include_deleted: flags["include-deleted"] || undefined,
      ...(await this.pageBytes(flags, nextEventCursor)),
    };
    const page = await this.call(listIssueEvents, { params, query });
    const now = hereAndNow();
    const views = {
      fit:
        ({ fittedLog }: Views<"log">) =>
        (log: Parameters<typeof fittedLog>[0], bytes: number, forAgent: boolean) =>
          fittedLog(log, bytes, forAgent, now),
      choose: ({ logView }: Views<"log">) => logView(args.ref, now),
    };
    await this.printFeed(page, "log", views, flags);
  }
}
