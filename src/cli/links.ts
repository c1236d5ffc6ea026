import { readRef } from "../shared/ref.ts";
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

interface LinkFlags {
  readonly parent?: string | undefined;
  readonly blocks?: string[] | undefined;
  readonly "blocked-by"?: string[] | undefined;
  readonly related?: string[] | undefined;
}

interface InitialLink {
  type: "parent" | "blocks" | "related";
  to_ref: string;
  incoming?: true;
}

export function initialLinks(flags: LinkFlags): InitialLink[] | undefined {
  const links: InitialLink[] = [
    ...refs(flags.parent === undefined ? [] : [flags.parent]).map((to_ref) => ({
      type: "parent" as const,
      to_ref,
    })),
    ...refs(flags.blocks).map((to_ref) => ({ type: "blocks" as const, to_ref })),
    ...refs(flags["blocked-by"]).map((to_ref) => ({
      type: "blocks" as const,
      to_ref,
      incoming: true as const,
    })),
    ...refs(flags.related).map((to_ref) => ({ type: "related" as const, to_ref })),
  ];
  return links.length === 0 ? undefined : links;
}

export const removalFlags = {
  "remove-parent": textFlag("take it out of this issue, which must be its parent", "<ref>"),
  "remove-blocks": listFlag("this issue need not wait for it any more; may be repeated", "<ref>"),
  "remove-blocked-by": listFlag(
    "it need not wait for this issue any more; may be repeated",
    "<ref>",
  ),
  "remove-related": listFlag("have nothing to do with each other; may be repeated", "<ref>"),
};

interface RemovalFlags {
  readonly "remove-parent"?: string | undefined;
  readonly "remove-blocks"?: string[] | undefined;
  readonly "remove-blocked-by"?: string[] | undefined;
  readonly "remove-related"?: string[] | undefined;
}

export function linksDelta(flags: LinkFlags & RemovalFlags) {
  const delta = {
    set_parent: flags.parent,
    remove_parent: flags["remove-parent"],
    add_blocks: flags.blocks,
    remove_blocks: flags["remove-blocks"],
    add_blocked_by: flags["blocked-by"],
    remove_blocked_by: flags["remove-blocked-by"],
    add_related: flags.related,
    remove_related: flags["remove-related"],
  };
  const given = Object.values(delta).filter((value) => value !== undefined);
  refs(given.flat());
  return given.length === 0 ? undefined : delta;
}

function refs(texts: readonly string[] = []): readonly string[] {
  for (const text of texts) readRef(text);
  return texts;
}
