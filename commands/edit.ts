import { SvcCommand } from "../src/cli/base.ts";
import { readBody } from "../src/cli/body.ts";
import { bodyFlags, commentFlag, examples, fenceFlag, refArg, textFlag } from "../src/cli/flags.ts";
import { linkFlags, linksOf, removalFlags, removedLinksOf } from "../src/cli/links.ts";
import { invalid } from "../src/contract/errors.ts";
import { editIssue } from "../src/contract/issues.ts";
import { linksDelta } from "../src/shared/links.ts";

export default class Edit extends SvcCommand {
  static override summary = "change an issue: fields, parent, links";
  static override description =
    "All changes of one call are made together or not at all. Adding a link that exists, or removing one that does not, is no error and changes nothing.";
  static override args = { ref: refArg() };
  static override flags = {
    title: textFlag("new title", "<text>"),
    ...bodyFlags,
    owner: textFlag('who is to do it; @me for you, "" for nobody', "<owner>", { char: "a" }),
    priority: textFlag("0 (highest) to 4, or - for none", "<0-4|->", { char: "p" }),
    ...linkFlags,
    ...removalFlags,
    ...commentFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "Make it urgent": "svc edit abc4 --priority 0",
    "Make it part of def5, and wait for ghj6": "svc edit abc4 --parent def5 --blocked-by ghj6",
    "Its text, from another program": "./report.sh | svc edit abc4 --body-file -",
    "Nobody does it any more, and say why":
      'svc edit abc4 --owner "" --comment "back to the pile: no time this month"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Edit);
    const links_delta = linksDelta(linksOf(flags), removedLinksOf(flags));
    const texts = {
      title: flags.title,
      body: readBody(flags, this.context),
      owner: flags.owner,
    };
    const asked = Object.entries({ ...texts, priority: flags.priority })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    if (asked.length === 0 && links_delta === undefined) {
      throw invalid("nothing to change", "name at least one field or link; --help lists them");
    }
    if (flags.parent !== undefined && flags["remove-parent"] !== undefined) {
      throw invalid(
        "--parent and --remove-parent cannot be used together",
        "--parent replaces the parent there is",
      );
    }
    const params = await this.target(args.ref);
    const edited = await this.call(editIssue, {
      params,
      body: { ...texts, ...priorityChange(flags.priority), links_delta, actor: await this.actor() },
    });
    const changes = [...asked, ...(links_delta === undefined ? [] : ["links"])];
    await this.print(edited, "changes", ({ editView }) => editView(changes));
    await this.alsoComment(params, flags.comment);
  }
}

function priorityChange(text: string | undefined) {
  if (text === undefined) return {};
  if (text === "-") return { clear_priority: true };
  if (!/^[0-4]$/.test(text))
    throw invalid(`--priority is 0 to 4, or - for none, not ${JSON.stringify(text)}`);
  return { set_priority: Number(text) };
}
