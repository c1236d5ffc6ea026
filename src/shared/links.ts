import { readRef } from "./ref.ts";

export interface Links {
  readonly parent?: string | undefined;
  readonly blocks?: readonly string[] | undefined;
  readonly blocked_by?: readonly string[] | undefined;
  readonly related?: readonly string[] | undefined;
}

interface InitialLink {
  type: "parent" | "blocks" | "related";
  to_ref: string;
  incoming?: true;
}

/** The links of a create request; `undefined` if there are none. */
export function initialLinks(given: Links): InitialLink[] | undefined {
  const { parent, blocks = [], blocked_by = [], related = [] } = given;
  const links: InitialLink[] = [
    ...(parent === undefined ? [] : [{ type: "parent" as const, to_ref: parent }]),
    ...blocks.map((to_ref) => ({ type: "blocks" as const, to_ref })),
    ...blocked_by.map((to_ref) => ({ type: "blocks" as const, to_ref, incoming: true as const })),
    ...related.map((to_ref) => ({ type: "related" as const, to_ref })),
  ];
  for (const { to_ref } of links) readRef(to_ref);
  return links.length === 0 ? undefined : links;
}

/** The changes of links in an edit request; `undefined` if there are none. */
export function linksDelta(add: Links, remove: Links) {
  const delta = {
    set_parent: add.parent,
    remove_parent: remove.parent,
    add_blocks: mutableCopy(add.blocks),
    remove_blocks: mutableCopy(remove.blocks),
    add_blocked_by: mutableCopy(add.blocked_by),
    remove_blocked_by: mutableCopy(remove.blocked_by),
    add_related: mutableCopy(add.related),
    remove_related: mutableCopy(remove.related),
  };
  const refs = Object.values(delta).filter((value) => value !== undefined);
  for (const ref of refs.flat()) readRef(ref);
  return refs.length === 0 ? undefined : delta;
}

function mutableCopy(refs: readonly string[] | undefined): string[] | undefined {
  return refs === undefined ? undefined : [...refs];
}
