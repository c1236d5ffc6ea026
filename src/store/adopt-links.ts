import { sql } from "kysely";
import { type Instant, msToInstant } from "../base/clock.ts";
import type { StoredEvent } from "../contract/events.ts";
import type { Act } from "../domain/drafts/draft.ts";
import { linksChanged } from "../domain/drafts/links.ts";
import { removedEnds, storedEnds } from "../domain/evolve/links.ts";
import type { LinkEnds } from "../domain/state.ts";
import type { Rows } from "../domain/tables/tables.ts";
import { type Appending, append } from "./append.ts";
import { load } from "./load/load.ts";
import { eventStatement } from "./repos/statements.ts";
import { isIn, sqlStatement, unindexed } from "./rows/statement.ts";
import type { AdoptedProject } from "./types/adoption.ts";

/*
 * These functions write events about links before an adoption deletes the events of a project's issues. An event of one
 * issue may be the only event that sets or removes a link which starts at another issue.
 */

/** The time in the events about removed links. It is older than any other time, so these events change no row. */
const LONG_AGO: Instant = msToInstant(0);

/**
 * For each link that an event of another issue has removed and that was not set again, writes an event of the issue
 * from which the link started (`AdoptionWrites.keepRemovals`).
 */
export async function keepRemovals(
  to: Appending,
  { project, actor }: AdoptedProject,
  from: number,
  limit: number,
  nowMs: number,
): Promise<number | undefined> {
  const { connection, loaded } = to;
  const found = await removals.all(connection, { project_uid: project.uid, from, limit });
  const ends = found.flatMap((event) =>
    removedBy(event).filter(({ from_uid }) => from_uid !== event.issue_uid),
  );
  await load(connection, loaded, {
    issues: ends.map(({ from_uid }) => from_uid),
    links: ends.map(({ from_uid, to_uid, type }) => [from_uid, to_uid, type] as const),
    waitingOf: ends.map(({ from_uid }) => from_uid),
  });
  for (const { from_uid, to_uid, type } of ends) {
    const owner = loaded.issue(from_uid);
    const isThere =
      loaded.link(from_uid, to_uid, type) ?? loaded.waitingLink(from_uid, to_uid, type);
    if (owner === undefined || isThere !== undefined) continue;
    const removed =
      type === "parent" ? { parent_removed_uid: to_uid } : { [`${type}_removed_uids`]: [to_uid] };
    await append(to, linksChanged(owner, removed, { actor, now: LONG_AGO }), nowMs);
  }
  return found.length < limit ? undefined : found.at(-1)?.id;
}

function removedBy(event: StoredEvent): readonly LinkEnds[] {
  if (event.type === "issue.unlinked") return [storedEnds(event.payload)];
  return event.type === "issue.links_changed" ? removedEnds(event) : [];
}

const removals = eventStatement(
  (db, p: { project_uid: string; from: number; limit: number }, dialect) =>
    db
      .selectFrom("event")
      .selectAll()
      .where(
        sql<boolean>`${unindexed(dialect, "type")} in ('issue.links_changed', 'issue.unlinked')`,
      )
      .where("feed_uid", "=", p.project_uid)
      .where("id", ">", p.from)
      .where((is) =>
        is.or([
          is("type", "=", sql.lit("issue.unlinked")),
          is("payload", "like", "%_removed_uid%"),
        ]),
      )
      .orderBy("feed_uid")
      .orderBy("id")
      .limit(p.limit),
);

type LinkFromOther = Rows["link"] & { readonly project_uid: string };

/**
 * Issues of other projects may have links to these issues. Writes an event for each such link, which sets the link
 * again as the other issue's own. Until now, perhaps only an event of this project has set it
 * (`domain/federation/link-owners.ts`).
 */
export async function writeLinksFromOthers(
  to: Appending,
  { project, actor }: AdoptedProject,
  uids: readonly string[],
  nowMs: number,
): Promise<void> {
  const links = await linksFromOthers.all(to.connection, { project_uid: project.uid, uids });
  const act = { actor, now: msToInstant(nowMs) };
  for (const link of links) await append(to, linkOf(link, act), nowMs);
}

const linksFromOthers = sqlStatement<
  { readonly project_uid: string; readonly uids: readonly string[] },
  LinkFromOther
>(
  (p, dialect) => sql`select l.from_uid, l.to_uid, l.type, l.author, l.created_at, other.project_uid
    from link as l join issue as other on other.uid = l.from_uid
    where ${isIn(dialect, sql.ref("l.to_uid"), p.uids)} and other.project_uid <> ${p.project_uid}
    order by l.from_uid, l.to_uid, l.type`,
);

function linkOf(
  { from_uid, to_uid, type, author, created_at, project_uid }: LinkFromOther,
  act: Act,
) {
  const added =
    type === "parent" ? { parent_set_uid: to_uid } : { [`${type}_added_uids`]: [to_uid] };
  return linksChanged({ uid: from_uid, project_uid }, { author, created_at, ...added }, act);
}
