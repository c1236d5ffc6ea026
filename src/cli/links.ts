import type { Links } from "../shared/links.ts";
import { listFlag, textFlag } from "./flags.ts";

/** Links to other issues, in the flags of create and edit. */
export const linkFlags = {
  parent: textFlag("make it part of this issue", "<ref>"),
  blocks: listFlag(
    "this issue cannot be worked on before the new one is closed; may be repeated",
    "<ref>",
  ),
  "blocked-by": listFlag(
    "it cannot be worked on before this issue is closed; may be repeated",
    "<ref>",
  ),
  related: listFlag("have something to do with each other; may be repeated", "<ref>"),
};

export const removalFlags = {
  "remove-parent": textFlag("take it out of this issue, which must be its parent", "<ref>"),
  "remove-blocks": listFlag("this issue need not wait for it any more; may be repeated", "<ref>"),
  "remove-blocked-by": listFlag(
    "it need not wait for this issue any more; may be repeated",
    "<ref>",
  ),
  "remove-related": listFlag("have nothing to do with each other; may be repeated", "<ref>"),
};

interface LinkFlags {
  readonly parent?: string | undefined;
  readonly blocks?: string[] | undefined;
  readonly "blocked-by"?: string[] | undefined;
  readonly related?: string[] | undefined;
}

export function linksOf({ parent, blocks, related, ...flags }: LinkFlags): Links {
  return { parent, blocks, blocked_by: flags["blocked-by"], related };
}

interface RemovalFlags {
  readonly "remove-parent"?: string | undefined;
  readonly "remove-blocks"?: string[] | undefined;
  readonly "remove-blocked-by"?: string[] | undefined;
  readonly "remove-related"?: string[] | undefined;
}

export function removedLinksOf(flags: RemovalFlags): Links {
  return {
    parent: flags["remove-parent"],
    blocks: flags["remove-blocks"],
    blocked_by: flags["remove-blocked-by"],
    related: flags["remove-related"],
  };
}
