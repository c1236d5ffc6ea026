import { IssuesCommand } from "../src/cli/bases/issues-command.ts";
import { usage } from "../src/cli/failure/failure.ts";
import { atFlag, atQuery, noteAsOf } from "../src/cli/flags/at.ts";
import { answerBytes, maxBytesFlag } from "../src/cli/flags/budget.ts";
import { booleanFlag, examples, refsArg } from "../src/cli/flags/flags.ts";
import { hereAndNow } from "../src/cli/flags/when.ts";
import { withVersion } from "../src/cli/output/output.ts";
import type { Prose } from "../src/cli/render/markdown.ts";
import { showIssue } from "../src/contract/issues.ts";
import { issuePlanningDates } from "../src/contract/planning.ts";

export default class Show extends IssuesCommand {
  static override aliases = ["view"];
  static override summary = "show issues with their comments, labels and links";
  static override description =
    "People see all of it. For agents and programs the newest comments and the first children that fit are shown, and what is missing is said.";
  static override args = { ref: refsArg() };
  static override flags = {
    at: atFlag(),
    "include-deleted": booleanFlag("show the issue even if it was deleted"),
    "planning-dates": booleanFlag("print its planning dates as JSON, with zones and instants", {
      exclusive: ["at", "include-deleted"],
    }),
    render: booleanFlag(
      "render markdown of the body and the comments; only for people at a terminal",
      { exclusive: ["planning-dates"] },
    ),
    ...maxBytesFlag,
  };
  static override examples = examples({
    "An issue of this project": "svc show abc4",
    "One of another project; quotes keep the shell from seeing a comment":
      'svc show "website#abc4"',
    "Those that you mark on the screen": "svc show $(svc tui --print-selection)",
    "As it was two days ago": "svc show abc4 --at 2d",
    "With headings, lists and code set apart": "svc show abc4 --render",
    "For a program": "svc show abc4 --json",
    "All of it for an agent, whatever the size": "svc show abc4 --agent --max-bytes 0",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Show);
    const [ref = "", ...others] = [args.ref].flat();
    if (flags["planning-dates"]) {
      if (others.length > 0) throw usage("--planning-dates is for one issue", "name one of them");
      const { json } = await this.call(issuePlanningDates, { params: await this.target(ref) });
      return this.writeLine(withVersion(json));
    }
    const at = await atQuery(flags.at);
    const include_deleted = flags["include-deleted"] || undefined;
    let isNoted = flags.at === undefined || this.mode === "json" || this.quiet;
    await this.each([ref, ...others], {
      act: async (params, left) => {
        const bounds = await this.jsonBytes({ "max-bytes": left ?? 0 });
        const comments_limit = this.mode === "agent" ? commentsWithin(left) : undefined;
        const query = { at, include_deleted, comments_limit, ...bounds };
        const shown = await this.call(showIssue, { params, query });
        if (!isNoted) noteAsOf(this, shown.body());
        isNoted = true;
        return shown;
      },
      file: "show",
      choose: async ({ renderedView, boundedView }, bytes) => {
        const rendered = flags.render && this.mode === "human" && this.context.stdout.isTerminal;
        return rendered
          ? renderedView(await this.#prose(), hereAndNow())
          : boundedView(bytes, () => this.wasCut(), hereAndNow());
      },
      whole: { bytes: answerBytes(this.mode, flags) },
    });
  }

  async #prose(): Promise<Prose> {
    const { markdownProse } = await import("../src/cli/render/markdown.ts");
    const ours = markdownProse((await this.style()).paint);
    const { config } = await (await this.session()).client();
    const argv = config.settings.markdownRenderer;
    if (argv === undefined) return ours;
    const { programProse } = await import("../src/cli/render/markdown-program.ts");
    const { configuredProgramEnv } = await import("../src/config/secret-variables.ts");
    const context = { ...this.context, env: configuredProgramEnv(config) };
    return await programProse({ argv, context, fallback: ours });
  }
}

/** The size of an empty comment in the text for agents: its uid and the two code fences around its text. */
const LEAST_COMMENT_BYTES = 40;

/** Returns how many comments could fit; `undefined` without a limit. */
function commentsWithin(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.max(0, Math.ceil(bytes / LEAST_COMMENT_BYTES));
}
