import { LimitedCommand } from "../src/cli/bases/limited-command.ts";
import { BUDGET_API, type BudgetFlags, maxBytesFlag, textBytes } from "../src/cli/flags/budget.ts";
import { feedFlags, refuseAllWithPlace } from "../src/cli/flags/filters.ts";
import { examples, listFlag, requiredFlag, textFlag } from "../src/cli/flags/flags.ts";
import { digestGlobal, digestProject } from "../src/contract/activity.ts";
import { invalid } from "../src/contract/errors.ts";

export default class Digest extends LimitedCommand {
  static override summary = "sum up who did what since a time";
  static override flags = {
    since: requiredFlag(
      "start of the time span: how long ago (12h, 7d), or a day or a time (mon, 2026-01-31)",
      "<when>",
    ),
    until: textFlag("end of the time span, in the same forms; default now", "<when>"),
    actor: listFlag("only changes by this actor, @me for yours; may be repeated", "<actor>"),
    ...feedFlags,
    ...maxBytesFlag,
  };
  static override examples = examples({
    "Since yesterday": "svc digest --since 24h",
    "A week of one colleague, everywhere": "svc digest --since 7d --actor bea --all-projects",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Digest);
    refuseAllWithPlace(flags["all-projects"], this.globals);
    const query = {
      since: await this.instant("--since", flags.since),
      until: flags.until === undefined ? undefined : await this.instant("--until", flags.until),
      actor: flags.actor,
      ...(await this.bounds(flags)),
    };
    const id = flags["project-id"];
    if (id !== undefined && id < 1) throw invalid("--project-id must be 1 or more");
    const summed = flags["all-projects"]
      ? await this.call(digestGlobal, { query })
      : await this.call(digestProject, {
          params: { project_id: id ?? (await this.projectId()) },
          query,
        });
    this.textBytes = textBytes(flags);
    this.limitBy(flags);
    await this.print(summed, "digest", ({ digestView }) => digestView);
    const { truncated, counted_until } = summed.body();
    this.noteRest({ truncated, counted_until });
  }

  /**
   * Returns the query parameter that limits the daemon's answer, in bytes of JSON. For text output this limit is twice
   * the limit of the text, because a row of text takes less than half of the bytes of the same row as JSON. Returns no
   * parameter if there is no limit or if the daemon is too old.
   */
  private async bounds(flags: BudgetFlags) {
    const bytes = textBytes(flags);
    if (this.mode === "json") return await this.jsonBytes(flags);
    const isKnown = bytes !== undefined && (await (await this.session()).hasApi(BUDGET_API));
    return isKnown ? { max_bytes: 2 * bytes } : {};
  }
}
