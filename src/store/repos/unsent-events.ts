import { sql } from "kysely";
import { SENT_KINDS } from "../../domain/federation/wire.ts";
import type { Connection } from "../connection.ts";
import { readHead } from "../log/head.ts";
import { sqlStatement, unindexed } from "../rows/statement.ts";
import type { UnsentEvent, UnsentEvents } from "../types/federation.ts";
import { pageWithin } from "./event-pages.ts";

/** How many ids of the log one statement examines, so that the statement takes only a few ms. */
const WINDOW = 1000;

interface Range {
  readonly project: string;
  readonly after: number;
  readonly upTo: number;
}

type Limited = Range & { readonly limit: number };

/** Reads the events of a copy that its hub does not have yet (docs/contract/federation.md#71-a-pass). */
export function unsentEvents(connection: Connection) {
  const windowAfter = async (after: number) => {
    const last = (await readHead.one(connection, {}))?.last_event_id ?? 0;
    const end = Math.max(after, Math.min(after + WINDOW, last));
    return { upTo: end, last: end >= last };
  };
  return {
    page: async (
      { project, after }: Omit<Range, "upTo">,
      most: number,
      maxBytes: number,
    ): Promise<UnsentEvents> => {
      const window = await windowAfter(after);
      const range = { project, after, upTo: window.upTo };
      const limit = await pageWithin(
        most,
        maxBytes,
        async () => await sizes.all(connection, { ...range, limit: most }),
      );
      const events = await rows.all(connection, { ...range, limit });
      const lastId = events.at(-1)?.id;
      if (lastId === undefined || events.length < limit) return { events, ...window };
      return { events, upTo: lastId, last: window.last && lastId === window.upTo };
    },
    count: async ({ project, after }: Omit<Range, "upTo">) => {
      const window = await windowAfter(after);
      const range = { project, after, upTo: window.upTo };
      const found = await count.one(connection, range);
      return { count: Number(found?.count ?? 0), highest: found?.highest ?? 0, ...window };
    },
    first: async (range: Omit<Range, "upTo">) =>
      (await first.one(connection, range))?.created_at ?? undefined,
    events: async (range: Range) => Number((await events.one(connection, range))?.count ?? 0),
    projects: async (after: number) => {
      const { upTo, last } = await windowAfter(after);
      const found = await projects.all(connection, { after, upTo });
      return { projects: found.map(({ project_uid }) => project_uid), upTo, last };
    },
  };
}

const SENT = SENT_KINDS.map((kind) => sql.lit(kind));

/**
 * SQL: the event is of a kind that a copy sends to its hub, and the hub is not known to have it. Such an event was
 * written here: an event of another daemon comes from the hub and has an id there. So the condition also includes
 * events from before the database got another identity.
 */
const isUnsent = (dialect: Connection["dialect"]) =>
  sql`hub_event_id is null and skipped_at is null
    and ${unindexed(dialect, "type")} in (${sql.join(SENT)})`;

/** SQL: the event was written under the identity of this database that the hub knows. */
const isOwn = (dialect: Connection["dialect"]) =>
  sql`${unindexed(dialect, "origin_instance_uid")} = (select value from meta where meta.key = 'instance_uid')`;

const inRange = (p: Range, dialect: Connection["dialect"]) =>
  sql`feed_uid = ${p.project} and id > ${p.after} and id <= ${p.upTo} and ${isUnsent(dialect)}`;

const rows = sqlStatement<Limited, UnsentEvent>(
  (
    p,
    dialect,
  ) => sql`select id, uid, project_uid, origin_instance_uid, issue_uid, related_issue_uid,
    type, actor, payload, hlc_physical_ms, hlc_counter, content_hash, created_at
    from event where ${inRange(p, dialect)} and ${isOwn(dialect)}
    order by feed_uid, id limit ${p.limit}`,
);

const sizes = sqlStatement<Limited, { readonly size: number }>(
  (p, dialect) => sql`select octet_length(payload) as size
    from event where ${inRange(p, dialect)} and ${isOwn(dialect)}
    order by feed_uid, id limit ${p.limit}`,
);

const count = sqlStatement<Range, { readonly count: number; readonly highest: number | null }>(
  (p, dialect) =>
    sql`select count(*) as count, max(id) as highest from event where ${inRange(p, dialect)}`,
);

/** Reads only columns of an index. */
const events = sqlStatement<Range, { readonly count: number }>(
  (p) => sql`select count(*) as count from event
    where feed_uid = ${p.project} and id > ${p.after} and id <= ${p.upTo}`,
);

const first = sqlStatement<Omit<Range, "upTo">, { readonly created_at: string }>(
  (p, dialect) => sql`select created_at from event
    where feed_uid = ${p.project} and id > ${p.after} and ${isUnsent(dialect)}
    order by feed_uid, id limit 1`,
);

/** `unindexed` makes the database scan a range of the log and not the index by feed. */
const projects = sqlStatement<
  { readonly after: number; readonly upTo: number },
  { readonly project_uid: string }
>(
  (p, dialect) => sql`select distinct project_uid from event
    where id > ${p.after} and id <= ${p.upTo} and ${isUnsent(dialect)} and ${isOwn(dialect)}
      and ${unindexed(dialect, "project_uid")} in (
        select project_uid from federation_binding where role = 'spoke' and push_enabled = 1)`,
);
