import { ReadyCommand, readyFilters } from "../src/cli/bases/ready-command.ts";
import { firstAnswer, firstOf } from "../src/cli/fast-path/first.ts";
import { BUDGET_API, fieldsFlag } from "../src/cli/flags/budget.ts";
import { allFlag, limitFlag, readyQuery } from "../src/cli/flags/filters.ts";
import { booleanFlag, examples } from "../src/cli/flags/flags.ts";
import { takeFlags } from "../src/cli/flags/leases.ts";
import { answer } from "../src/cli/output/output.ts";
import { showIssue } from "../src/contract/issues.ts";

type Filters = ReturnType<typeof readyQuery> & { readonly parent_uid?: string | undefined };

export default class Next extends ReadyCommand {
  static override summary = "show the ready issue to work on first";
  static override description =
    "Of the ready issues that you may take, which nobody else owns and nobody leases, it is the one with the highest priority; of several, the one that changed last. The exit code is 0 even if nothing is ready, but 9 with --claim or --lease, so that a loop ends.";
  static override flags = {
    ...readyFilters,
    limit: limitFlag("choose among this many ready issues, default all", {
      // With --limit the command itself chooses the issue by its fields, so it needs all fields.
      exclusive: ["fields"],
    }),
    ...allFlag,
    ...takeFlags,
    full: booleanFlag("show the whole issue, as svc show does"),
    fields: { ...fieldsFlag, exclusive: ["full"] },
  };
  static override examples = examples({
    "What to do next": "svc next",
    "The next one that nobody has taken, with its text": "svc next --unowned --full",
    "Claim the next part of an epic": "svc next --parent abc4 --claim",
    "Work until nothing is left": "while svc next --claim -q; do sleep 1; done",
    "Just its id and title, for a program": "svc next --json --fields short_id,title",
    "Hold it for half an hour; of many workers each gets another": "svc next --lease 30m --json",
    "Lose no claim: where the answer was lost, send it again with the same key":
      "svc next --lease 30m --idempotency-key box-1/41 --json",
  });

  protected override readonly wholeFlag = "--full";

  async run(): Promise<void> {
    const { flags } = await this.parse(Next);
    if (await this.take(flags)) return;
    const children = await this.chosen({ parent: flags.parent });
    const filters = { ...readyQuery(flags), ...children, ...(await this.picked(flags)) };
    const issue = await this.first(flags.all, filters);
    if (flags.full && issue !== undefined) {
      const { project_id, uid } = issue;
      const shown = await this.call(showIssue, { params: { project_id, ref: uid } });
      return await this.print(shown, "show", ({ showView }) => showView);
    }
    const { json } = answer(firstAnswer(issue));
    await this.print({ json, body: () => issue }, "list", ({ nextView }) => nextView(flags.all));
  }

  /**
   * Returns the part of the query that leaves out the body, unless the whole issue is shown. An older daemon always
   * sends the body. This command then removes the body from the answer.
   */
  private async picked({
    fields,
    full,
  }: {
    readonly fields?: string | undefined;
    readonly full: boolean;
  }) {
    if (full) return {};
    const session = await this.session();
    if (await session.hasApi(BUDGET_API))
      return { fields: this.mode === "json" ? (fields ?? "-body") : "-body" };
    if (fields !== undefined)
      await session.requireApi(BUDGET_API, "update the daemon, or leave --fields out");
    this.jsonBounds = { bytes: undefined, without: "body" };
    return {};
  }

  /**
   * Returns the issue to work on next. Usually the daemon chooses the issue. With `--limit`, or if the daemon is too
   * old to support `order=take`, this command chooses among the issues that the daemon lists.
   */
  private async first(all: boolean, filters: Filters) {
    const query = { ...filters, ...(await this.mine(filters)) };
    if (query.limit === undefined || query.limit === 0) {
      const takeQuery = { ...query, order: "take", limit: 1 } as const;
      const { order, issues } = (await this.ready(all, takeQuery)).body();
      if (order === "take") return issues[0];
    }
    return firstOf((await this.ready(all, query)).body().issues);
  }

  /**
   * Returns the part of the query that leaves out issues that others own or lease. An older daemon cannot do that. For
   * such a daemon the query leaves out every issue with an owner, even the caller's own.
   */
  private async mine({ owner }: Filters) {
    if (await (await this.session()).hasApi("0.15.0"))
      return { takeable_by: owner ?? (await this.actor()) };
    return owner === undefined ? ({ unowned: true } as const) : {};
  }
}
