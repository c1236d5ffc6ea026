import * as Args from "@oclif/core/args";
import { LinkCommand, linkCommandFlags } from "../src/cli/bases/link-command.ts";
import { booleanFlag, examples, refArg } from "../src/cli/flags/flags.ts";
import type { Links } from "../src/shared/links.ts";

const KINDS = ["blocks", "blocked-by", "related", "child-of"] as const;

export default class Link extends LinkCommand {
  static override summary = "link an issue to another";
  static override description =
    "Reads as a sentence: abc4 blocks def5. Linking what is linked already, or removing a link that does not exist, changes nothing. svc edit changes several links in one call, svc graph shows them.";
  static override args = {
    ref: refArg(),
    kind: Args.string({
      description: `what it is to the other: ${KINDS.join(", ")}`,
      options: [...KINDS],
      required: true,
      ignoreStdin: true,
    }),
    other: refArg(),
  };
  static override flags = {
    remove: booleanFlag("remove this link"),
    ...linkCommandFlags,
  };
  static override examples = examples({
    "def5 waits until abc4 is closed": "svc link abc4 blocks def5",
    "abc4 waits until def5 is closed": "svc link abc4 blocked-by def5",
    "Part of a larger issue": "svc link abc4 child-of def5",
    "They have to do with each other": "svc link abc4 related def5",
    "No longer": "svc link abc4 related def5 --remove",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Link);
    const links = linksOfKind(args.kind, args.other);
    await this.change(args.ref, flags.remove ? { remove: links } : { add: links }, flags);
  }
}

function linksOfKind(kind: string, other: string): Links {
  if (kind === "child-of") return { parent: other };
  if (kind === "blocks") return { blocks: [other] };
  return kind === "related" ? { related: [other] } : { blocked_by: [other] };
}
