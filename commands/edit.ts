import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { CommandError } from "../src/cli/failure/failure.ts";
import {
  bodyFlags,
  commentFlag,
  examples,
  fenceFlag,
  refArg,
  textFlag,
} from "../src/cli/flags/flags.ts";
import { linkFlags, linksOf, removalFlags, removedLinksOf } from "../src/cli/flags/links.ts";
import { plannedFlags, plannedMetadata } from "../src/cli/flags/planned.ts";
import { readBody } from "../src/cli/input/body.ts";
import { invalid } from "../src/contract/errors.ts";
import { editIssue, showIssue } from "../src/contract/issues.ts";
import { linksDelta } from "../src/shared/links.ts";
import type { IssuePlace } from "../src/shared/ref.ts";
import { ifMatch } from "../src/shared/revision.ts";
import { TITLE_FIRST, titleAndBody } from "../src/shared/typed-text.ts";

export default class Edit extends SvcCommand {
  static override summary = "change an issue: fields, dates, parent, links";
  static override description =
    "Without flags it opens title and text in your editor (VISUAL, EDITOR) at a terminal. All changes of one call are made together or not at all. Adding a link that exists, or removing one that does not, is no error and changes nothing.";
  static override args = { ref: refArg() };
  static override flags = {
    title: textFlag("new title", "<text>"),
    ...bodyFlags,
    owner: textFlag('who is to do it; @me for you, "" for nobody', "<owner>", { char: "a" }),
    priority: textFlag("0 (highest) to 4, or - for none", "<0-4|->", { char: "p" }),
    ...plannedFlags,
    ...linkFlags,
    ...removalFlags,
    ...commentFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "Make it urgent": "svc edit abc4 --priority 0",
    "Make it part of def5, and wait for ghj6": "svc edit abc4 --parent def5 --blocked-by ghj6",
    "Due on Friday, and not before tomorrow": "svc edit abc4 --deadline fri --schedule tomorrow",
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
    const remark = (text: string) => this.remark(text);
    const metadata = await plannedMetadata(flags, { canClear: true, tell: remark });
    const fieldNames = Object.entries({ ...texts, priority: flags.priority, ...metadata })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    if (fieldNames.length === 0 && links_delta === undefined)
      return await this.#editTyped(args.ref, flags.comment);
    if (flags.parent !== undefined && flags["remove-parent"] !== undefined) {
      throw invalid(
        "--parent and --remove-parent cannot be used together",
        "--parent replaces the parent there is",
      );
    }
    if (metadata !== undefined)
      await (await this.session()).requireApi("0.16.0", "use svc deadline and svc schedule");
    const params = await this.target(args.ref);
    const edited = await this.call(editIssue, {
      params,
      body: {
        ...texts,
        ...priorityChange(flags.priority),
        links_delta,
        metadata,
        actor: await this.actor(),
      },
    });
    const changes = [...fieldNames, ...(links_delta === undefined ? [] : ["links"])];
    await this.print(edited, "changes", ({ editView }) => editView(changes));
    await this.alsoComment(params, flags.comment);
  }

  /**
   * Edits title and text in the editor. If somebody else has changed one of them while the editor was open, nothing is
   * overwritten and a `conflict` is thrown.
   */
  async #editTyped(ref: string, comment: string | undefined): Promise<void> {
    let params: IssuePlace | undefined;
    let before = { title: "", body: "" };
    const read = async (place: IssuePlace) =>
      (await this.call(showIssue, { params: place })).body().issue;
    const written = await this.inEditor(
      async () => {
        params = await this.target(ref);
        const { title, body } = await read(params);
        before = { title, body };
        return { text: `${title}\n\n${body}`, help: TITLE_FIRST };
      },
      async (text) => {
        if (params === undefined) throw new Error("the issue was read before");
        const now = await read(params);
        if (now.title !== before.title || now.body !== before.body)
          throw new CommandError(
            "conflict",
            "somebody else changed the title or the text meanwhile",
          );
        const after = titleAndBody(text);
        // An editor may change blanks at the end of the text, so the original text goes through the same parser before
        // the comparison.
        const was = titleAndBody(`${before.title}\n\n${before.body}`);
        const changed = (["title", "body"] as const).filter((name) => after[name] !== was[name]);
        const fields = Object.fromEntries(changed.map((name) => [name, after[name]]));
        const edited = await this.call(editIssue, {
          params,
          headers: ifMatch(now.revision),
          body: { ...fields, actor: await this.actor() },
        });
        return { edited, changed, params };
      },
    );
    if (written === undefined)
      throw invalid(
        "nothing to change",
        "name at least one field or link, or give the text with --body-file -; --help lists them",
      );
    const { edited, changed, params: place } = written.sent;
    await this.print(edited, "changes", ({ editView }) => editView(changed));
    await this.alsoComment(place, comment);
  }
}

function priorityChange(text: string | undefined) {
  if (text === undefined) return {};
  if (text === "-") return { clear_priority: true };
  if (!/^[0-4]$/.test(text))
    throw invalid(`--priority is 0 to 4, or - for none, not ${JSON.stringify(text)}`);
  return { set_priority: Number(text) };
}
