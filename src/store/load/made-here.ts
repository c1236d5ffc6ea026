import { sql } from "kysely";
import { leadsOut } from "../../domain/evolve/link-changes.ts";
import { LINKING_KINDS, linkKey, linksMadeBy } from "../../domain/federation/link-borders.ts";
import type { LinkEnds, Touches } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { eventOf } from "../rows/rows.ts";
import { isIn, statement } from "../rows/statement.ts";
import { instanceOf } from "./hubs-of-copies.ts";
import type { Loaded } from "./loaded.ts";

/**
 * Finds out which links were set by events of this daemon. Considers the links that an event may show or hide and that
 * lead out of the projects of a hub. The events must be in the log. Reads nothing on a daemon without copies.
 */
export async function loadMadeHere(
  connection: Connection,
  loaded: Loaded,
  touches: Touches,
): Promise<void> {
  if (loaded.hubs === undefined || loaded.hubs.size === 0) return;
  const out = linksToJudge(loaded, touches).filter((ends) => mayLeadOut(loaded, ends));
  if (out.length === 0) return;
  const uids = [...new Set(out.map(({ from_uid }) => from_uid))];
  const instance = await instanceOf(connection);
  const made = linksMadeBy(instance, await linkingEvents.all(connection, { uids, instance }));
  for (const key of out.map(linkKey)) {
    if (made.has(key)) loaded.madeHere.add(key);
    else loaded.madeHere.delete(key);
  }
}

/**
 * Returns the links that the event names, the links that wait at its issues, and the parent links, shown or waiting,
 * above the ends of these links.
 */
function linksToJudge(loaded: Loaded, touches: Touches): readonly LinkEnds[] {
  const { links = [], waitingOf = [], ancestorsOf = [] } = touches;
  const found = new Map<string, LinkEnds>();
  const add = (ends: LinkEnds): void => void found.set(linkKey(ends), ends);
  for (const [from_uid, to_uid, type] of links) add({ from_uid, to_uid, type });
  for (const uid of waitingOf) for (const row of loaded.waitingLinksOf(uid)) add(row);
  if (touches.waitingParents === true) for (const row of loaded.allWaitingParents) add(row);
  const children = ancestorsOf.flatMap(([child, parents]) => [child, ...parents]);
  const ends = [...found.values()].flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]);
  const seen = new Set<string>();
  for (const start of [...children, ...ends])
    for (let at: string | undefined = start; at !== undefined && !seen.has(at); ) {
      seen.add(at);
      const candidate: LinkEnds | undefined = loaded.parentLink(at) ?? loaded.waitingParent(at);
      if (candidate !== undefined) add(candidate);
      at = candidate?.to_uid;
    }
  return [...found.values()];
}

/** Whether the link may lead out of the projects of a hub. A missing issue may still be created in the same page. */
function mayLeadOut(loaded: Loaded, { from_uid, to_uid }: LinkEnds): boolean {
  const from = loaded.issue(from_uid)?.project_uid;
  return from === undefined || leadsOut(loaded, from, loaded.issue(to_uid)?.project_uid);
}

const linkingEvents = statement((db, p: { uids: readonly string[]; instance: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .where("origin_instance_uid", "=", p.instance)
    .where(
      "type",
      "in",
      LINKING_KINDS.map((kind) => sql.lit(kind)),
    )
    .where("skipped_at", "is", null),
).map(eventOf);
