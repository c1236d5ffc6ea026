import type { InferredFlags } from "@oclif/core/interfaces";
import type { Links } from "../../shared/links.ts";
import { listFlag, textFlag } from "./flags.ts";

export const linkFlags = {
  parent: textFlag("make it part of this issue", "<ref>"),
  blocks: listFlag(
    "make this issue wait until the new or edited one is closed; may be repeated",
    "<ref>",
  ),
  "blocked-by": listFlag(
    "make the new or edited issue wait until this one is closed; may be repeated",
    "<ref>",
  ),
  related: listFlag("link it to this issue as related; may be repeated", "<ref>"),
};

export const removalFlags = {
  "remove-parent": textFlag("remove its parent, which must be this issue", "<ref>"),
  "remove-blocks": listFlag("this issue no longer waits for it; may be repeated", "<ref>"),
  "remove-blocked-by": listFlag("it no longer waits for this issue; may be repeated", "<ref>"),
  "remove-related": listFlag("remove the related link to this issue; may be repeated", "<ref>"),
};

export function linksOf({
  parent,
  blocks,
  related,
  ...flags
}: InferredFlags<typeof linkFlags>): Links {
  return { parent, blocks, blocked_by: flags["blocked-by"], related };
}

export function removedLinksOf(flags: InferredFlags<typeof removalFlags>): Links {
  return {
    parent: flags["remove-parent"],
    blocks: flags["remove-blocks"],
    blocked_by: flags["remove-blocked-by"],
    related: flags["remove-related"],
  };
}
