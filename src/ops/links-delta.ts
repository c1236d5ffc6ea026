import type { editIssue } from "../contract/issues.ts";
import type { Input } from "../contract/route.ts";
import {
  type CurrentLinks,
  type DecidedLinks,
  type Direction,
  decideLinks,
  type Peer,
} from "../domain/links.ts";
import type { StoredIssue } from "../store/types/rows.ts";
import type { Reader } from "../store/types/store.ts";
import { peerOf, requirePeer } from "./find.ts";

/** Changes of links as a request sends them, with refs (docs/contract/http-api.md#33-lists-create-show-edit). */
export type LinksDeltaInput = NonNullable<Input<typeof editIssue>["body"]["links_delta"]>;

export function isEmptyDelta({
  expected_project_uids: _pins,
  ...changes
}: LinksDeltaInput): boolean {
  return Object.values(changes).every((refs) => refs === undefined || refs.length === 0);
}

/** Resolves the refs and applies the rules of links. Removed peers may be deleted or archived, added peers may not. */
export async function decideLinksDelta(
  reader: Reader,
  issue: StoredIssue,
  input: LinksDeltaInput,
): Promise<DecidedLinks | "unchanged"> {
  const pins = new Map(Object.entries(input.expected_project_uids ?? {}));
  const findOne = async (ref: string | undefined, deleted: boolean): Promise<Peer | undefined> =>
    ref === undefined
      ? undefined
      : await requirePeer(reader, issue.project_uid, ref, { pin: pins.get(ref), deleted });
  const findAll = async (
    refs: readonly string[] | undefined,
    deleted: boolean,
  ): Promise<readonly Peer[]> => {
    const peers: Peer[] = [];
    for (const ref of refs ?? [])
      peers.push(
        await requirePeer(reader, issue.project_uid, ref, { pin: pins.get(ref), deleted }),
      );
    return peers;
  };
  const set_parent = await findOne(input.set_parent, false);
  const delta = {
    set_parent,
    remove_parent: await findOne(input.remove_parent, true),
    add: {
      blocks: await findAll(input.add_blocks, false),
      blocked_by: await findAll(input.add_blocked_by, false),
      related: await findAll(input.add_related, false),
    } satisfies Record<Direction, readonly Peer[]>,
    remove: {
      blocks: await findAll(input.remove_blocks, true),
      blocked_by: await findAll(input.remove_blocked_by, true),
      related: await findAll(input.remove_related, true),
    } satisfies Record<Direction, readonly Peer[]>,
  };
  const ancestors = set_parent === undefined ? [] : await reader.links.ancestors(set_parent.uid);
  return decideLinks(issue, await currentLinks(reader, issue.uid), delta, ancestors);
}

async function currentLinks(reader: Reader, uid: string): Promise<CurrentLinks> {
  const links = await reader.links.touching([uid]);
  const keys = new Set(links.map(({ type, from_uid, to_uid }) => `${type} ${from_uid} ${to_uid}`));
  const parent = links.find(({ type, from_uid }) => type === "parent" && from_uid === uid);
  const row = parent === undefined ? undefined : await reader.issues.find(parent.to_uid);
  return {
    parent: row === undefined ? undefined : peerOf(row),
    has: ({ type, from_uid, to_uid }) => keys.has(`${type} ${from_uid} ${to_uid}`),
  };
}
