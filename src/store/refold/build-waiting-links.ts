import { sql } from "kysely";
import { LinkChanges } from "../../domain/evolve/link-changes.ts";
import { touchesOfLinks } from "../../domain/evolve/links.ts";
import type { LinkRow } from "../../domain/state.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { applyChanges } from "../fold/apply-event.ts";
import { load } from "../load/load.ts";
import { Loaded } from "../load/loaded.ts";
import { circleLinks } from "./parent-circles.ts";
import { refoldLinks } from "./refold.ts";

const ISSUES_PER_REFOLD = 200;

/**
 * Computes which links wait, after a restore has written rows without folding events. A link to a missing
 * issue begins to wait, and so does one link of each circle of parents. A link that waited for an issue which the
 * restore has added appears. The table `event_mention` must be complete.
 */
export async function buildWaitingLinks(connection: Connection, timezone: string): Promise<void> {
  // A change of links changes no full-text row, so none is collected.
  const texts = { add: () => undefined, addNew: () => undefined };
  const context = { connection, loaded: new Loaded(), timezone, texts };
  await connection.execute(
    `delete from waiting_link where exists (select 1 from link where link.from_uid = waiting_link.from_uid
      and link.to_uid = waiting_link.to_uid and link.type = waiting_link.type)`,
    [],
  );
  const uids = await namingMissing(connection);
  for (let at = 0; at < uids.length; at += ISSUES_PER_REFOLD)
    await refoldLinks(context, uids.slice(at, at + ISSUES_PER_REFOLD));
  const unsure = [
    ...(await waitingBetweenPresent(connection)),
    ...circleLinks(await parentLinks(connection)),
  ];
  if (unsure.length === 0) return;
  await load(connection, context.loaded, touchesOfLinks(undefined, unsure));
  const links = new LinkChanges(context.loaded);
  links.judge(unsure);
  await applyChanges(context, links.changes());
}

/** Returns the missing issues that events name as ends of links, and the issues of these events. */
async function namingMissing(connection: Connection): Promise<readonly string[]> {
  const isMissing = (
    uid: string,
  ) => sql`not exists (select 1 from issue where issue.uid = ${sql.ref(uid)})
    and not exists (select 1 from purged_issue as gone where gone.issue_uid = ${sql.ref(uid)})`;
  const found = await rowsOf<{ issue_uid: string; missing_uid: string }>(
    connection,
    sql`select e.issue_uid, m.issue_uid as missing_uid from event_mention as m join event as e on e.id = m.event_id
        where ${isMissing("m.issue_uid")}
      union select e.issue_uid, e.related_issue_uid from event as e
        where e.type in ('issue.linked', 'issue.unlinked') and e.related_issue_uid is not null
          and ${isMissing("e.related_issue_uid")}`,
  );
  return [...new Set(found.flatMap(({ issue_uid, missing_uid }) => [issue_uid, missing_uid]))];
}

/**
 * Returns the waiting links whose two issues both exist. They will appear, unless they would close a circle of parents.
 */
async function waitingBetweenPresent(connection: Connection): Promise<readonly LinkRow[]> {
  return await rowsOf<LinkRow>(
    connection,
    sql`select w.* from waiting_link as w join issue as f on f.uid = w.from_uid join issue as t on t.uid = w.to_uid`,
  );
}

async function parentLinks(connection: Connection): Promise<readonly LinkRow[]> {
  return await rowsOf<LinkRow>(
    connection,
    sql`select from_uid, to_uid, type, author, created_at from link where type = 'parent'`,
  );
}
