import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { usage } from "../src/cli/failure/failure.ts";
import {
  bodyFlags,
  booleanFlag,
  examples,
  integerFlag,
  listFlag,
  optionalArg,
  textFlag,
} from "../src/cli/flags/flags.ts";
import { linkFlags, linksOf } from "../src/cli/flags/links.ts";
import { plannedFlags, plannedMetadata } from "../src/cli/flags/planned.ts";
import { readBody } from "../src/cli/input/body.ts";
import { createIssue } from "../src/contract/issues.ts";
import { initialLinks } from "../src/shared/links.ts";
import { readMetadata } from "../src/shared/metadata.ts";
import { TITLE_FIRST, titleAndBody } from "../src/shared/typed-text.ts";

export default class Create extends SvcCommand {
  static override aliases = ["new"];
  static override summary = "create an issue";
  static override description =
    `An issue is refused if one of the project, open or closed, has nearly the same title and body; the similar ones are named. Of the words in either title the share that is in both counts 0.6, and of the words in either body (the first 500 characters) 0.4; a sum of 0.7 or more is refused. So without a body nothing is refused, not even the same title. Capitals, endings such as -s and -ing, and words such as "the" make no difference. Deleted issues and other projects are not compared. --force-new skips the check.

With --idempotency-key the same request can be sent again for seven days: the repeat returns the issue that the first one created and checks nothing. Another request with that key is refused.`;
  static override args = {
    title: optionalArg(
      "what it is about, in quotes; put -- before a title that starts with a dash. Without it, your editor (VISUAL, EDITOR) opens at a terminal",
    ),
  };
  static override flags = {
    ...bodyFlags,
    label: listFlag("add this label; may be repeated", "<label>", { char: "l" }),
    priority: integerFlag("0 (highest) to 4", "<0-4>", { char: "p" }),
    owner: textFlag("who is to do it; @me for you", "<owner>", { char: "a" }),
    ...linkFlags,
    ...plannedFlags,
    meta: listFlag("metadata; may be repeated", "<key=value>"),
    "idempotency-key": textFlag("create at most one issue under this key", "<key>"),
    "force-new": booleanFlag("create it even if an issue has nearly the same title and body"),
  };
  static override examples = examples({
    "The quick note": 'svc create "Crash on an empty file"',
    "With everything":
      'svc create "Write the release notes" --body-file notes.md --label docs --priority 2 --parent abc4 --blocked-by def5',
    "For Friday": 'svc create "Send the invoices" --deadline fri',
    "From a script that may be run twice":
      'svc create "Nightly run failed" --idempotency-key nightly-2026-05-04 --json',
    "A title that looks like a flag": "svc create -- --help",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Create);
    const body = readBody(flags, this.context);
    const remark = (text: string) => this.remark(text);
    const dates = await plannedMetadata(flags, { canClear: false, tell: remark });
    const metadata = readMetadata(flags.meta);
    const create = async (texts: { readonly title: string; readonly body: string | undefined }) => {
      const key = flags["idempotency-key"];
      return await this.call(createIssue, {
        params: { project_id: await this.projectId() },
        headers: key === undefined ? {} : { "idempotency-key": key },
        body: {
          ...texts,
          owner: flags.owner,
          priority: flags.priority,
          labels: flags.label,
          metadata: dates === undefined ? metadata : { ...metadata, ...dates },
          links: initialLinks(linksOf(flags)),
          force_new: flags["force-new"] || undefined,
          actor: await this.actor(),
        },
      });
    };
    const { title } = args;
    const created =
      title === undefined ? await this.#createTyped(body, create) : await create({ title, body });
    await this.print(created, "changes", ({ createView }) => createView);
  }

  async #createTyped<T>(
    body: string | undefined,
    create: (texts: { readonly title: string; readonly body: string }) => Promise<T>,
  ): Promise<T> {
    const written = await this.inEditor(
      async () => {
        await this.projectId();
        return { text: body === undefined ? "" : `\n\n${body}`, help: TITLE_FIRST };
      },
      async (text) => await create(titleAndBody(text)),
    );
    if (written !== undefined) return written.sent;
    throw usage("missing <title>", "give it in quotes; --body-file - takes the text from a pipe");
  }
}
