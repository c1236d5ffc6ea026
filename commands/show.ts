import { atFlag, atQuery, noteAsOf } from "../src/cli/at.ts";
import { SvcCommand } from "../src/cli/base.ts";
import { maxBytesFlag, textBytes } from "../src/cli/budget.ts";
import { booleanFlag, examples, refArg } from "../src/cli/flags.ts";
import { withVersion } from "../src/cli/output.ts";
import type { Prose } from "../src/cli/render/markdown.ts";
import { showIssue } from "../src/contract/issues.ts";
import { issuePlanningDates } from "../src/contract/planning.ts";

export default class Show extends SvcCommand {
  static override aliases = ["view"];
  static override summary = "show an issue with its comments, labels and links";
  static override description =
    "People see all of it. For agents and programs the newest comments and the first children that fit are shown, and what is missing is said.";
  static override args = { ref: refArg() };
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
    "As it was two days ago": "svc show abc4 --at 2d",
    "With headings, lists and code set apart": "svc show abc4 --render",
    "For a program": "svc show abc4 --json",
    "All of it for an agent, whatever the size": "svc show abc4 --agent --max-bytes 0",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Show);
    const params = await this.target(args.ref);
    if (flags["planning-dates"]) {
      const { json } = await this.call(issuePlanningDates, { params });
      return this.writeLine(withVersion(json));
    }
    const query = {
      at: atQuery(flags.at),
      include_deleted: flags["include-deleted"] || undefined,
      ...(await this.jsonBytes(flags)),
    };
    const shown = await this.call(showIssue, { params, query });
    if (flags.at !== undefined && this.mode !== "json" && !this.quiet) noteAsOf(this, shown.body());
    await this.print(shown, "show", async ({ renderedView, boundedView }) => {
      const rendered = flags.render && this.mode === "human" && this.context.stdout.isTerminal;
      return rendered ? renderedView(await this.#prose()) : boundedView(textBytes(flags));
    });
  }

  async #prose(): Promise<Prose> {
    const { markdownProse } = await import("../src/cli/render/markdown.ts");
    const ours = markdownProse((await this.style()).paint);
    const { config } = await (await this.session()).client();
    const argv = config.settings.markdownRenderer;
    if (argv === undefined) return ours;
    const { programProse } = await import("../src/cli/markdown-program.ts");
    return await programProse({ argv, context: this.context, fallback: ours });
  }
}
