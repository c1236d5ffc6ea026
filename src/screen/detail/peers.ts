import type { Letter } from "../issues/relations.ts";

/** Another issue, as a link, a parent or a list names it. */
export interface Peer {
  readonly uid: string;
  readonly qualified_id: string;
}

interface Link {
  readonly type: string;
  readonly from: Peer;
  readonly to: Peer;
}

/** The issues at the other ends of the `blocks` links of an issue. */
export interface LinkEnds {
  readonly blockers: readonly Peer[];
  readonly blocking: readonly Peer[];
}

export function linkEnds(links: readonly Link[], uid: string): LinkEnds {
  const blocks = links.filter(({ type }) => type === "blocks");
  return {
    blockers: blocks.filter(({ to }) => to.uid === uid).map(({ from }) => from),
    blocking: blocks.filter(({ from }) => from.uid === uid).map(({ to }) => to),
  };
}

/** The letter for the state of an issue that is not in the list. */
export function letterFor(status: "open" | "closed", isBlocked: boolean): Letter {
  if (status === "closed") return "x";
  return isBlocked ? "b" : "o";
}

/** The project that a qualified id names. */
export function projectOf({ qualified_id }: Pick<Peer, "qualified_id">): string {
  return qualified_id.split("#", 1)[0] ?? "";
}

/** The name of another issue in the detail of this issue: `#abc4` in the same project, otherwise the qualified id. */
export function peerName(
  { project }: { readonly project: string },
  { qualified_id }: Peer,
): string {
  return qualified_id.startsWith(`${project}#`) ? qualified_id.slice(project.length) : qualified_id;
}
