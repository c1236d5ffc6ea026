import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, sqlStatement } from "../rows/statement.ts";
import type { BridgeCounts, Bridges, DueBridge, DueTimes } from "../types/bridges.ts";

type Due = Pick<Bridges, "due" | "dueOfIssues" | "enabledOf" | "counts">;

/** What the engine of bridges reads to decide which of them it runs. */
export function dueBridges(connection: Connection): Due {
  return {
    due: async (wanted) => {
      const rows = await due.all(connection, wanted);
      const left = wanted.limit - rows.length;
      if (left === 0) return rows;
      return [...rows, ...(await setBefore.all(connection, { ...wanted, limit: left }))];
    },
    dueOfIssues: async (uids, times) =>
      uids.length === 0 ? [] : await dueOfIssues.all(connection, { ...times, uids }),
    enabledOf: async (uids) => (uids.length === 0 ? [] : await enabledOf.all(connection, { uids })),
    counts: async () => (await counts.one(connection, {})) ?? { enabled: 0, failing: 0 },
  };
}

const DUE_COLUMNS = sql`b.id, b.uid, b.issue_uid, b.connector_instance`;

/** Active and enabled bridges, with the condition of the partial index `bridge_due`. */
const ENABLED = sql`b.active = 1 and b.enabled = 1`;

/** A bridge without a time of its next attempt is due at once, so it sorts first. */
const NEXT = sql`coalesce(b.next_attempt_at, '')`;

const isPast = (p: DueTimes) => sql`${NEXT} <= ${p.asOf}`;
/** Whether the time was set before the clock was set back. */
const isTooFar = (p: DueTimes) => sql`${NEXT} > ${p.latest}`;

/** What else must hold of a due bridge. */
const isFree = (p: DueTimes) => sql`${ENABLED}
  and (b.claim_started_at is null
    or b.claim_started_at < ${p.freshFrom} or b.claim_started_at > ${p.freshTo})
  and i.deleted_at is null and p.deleted_at is null
  and not exists (select 1 from federation_binding f where f.project_uid = p.uid
    and f.role = 'spoke' and (f.enabled = 0 or f.push_enabled = 0))`;

const WITH_ISSUE = sql`external_root_binding b
  join issue i on i.uid = b.issue_uid join project p on p.uid = i.project_uid`;

type Wanted = DueTimes & { readonly without: readonly string[]; readonly limit: number };

/** Each of the two ranges has a statement, because SQLite would not search the index for both in one. */
const dueWhere = (isDue: typeof isPast) =>
  sqlStatement<Wanted, DueBridge>(
    (p, dialect) => sql`select ${DUE_COLUMNS} from ${WITH_ISSUE}
      where ${isFree(p)} and ${isDue(p)}
        and not ${isIn(dialect, sql.ref("b.connector_instance"), p.without)}
      order by ${NEXT}, b.id limit ${p.limit}`,
  );
const due = dueWhere(isPast);
const setBefore = dueWhere(isTooFar);

const dueOfIssues = sqlStatement<DueTimes & { readonly uids: readonly string[] }, DueBridge>(
  (p, dialect) => sql`select ${DUE_COLUMNS} from ${WITH_ISSUE}
    where ${isFree(p)} and (${isPast(p)} or ${isTooFar(p)})
      and ${isIn(dialect, sql.ref("b.issue_uid"), p.uids)}`,
);

const enabledOf = sqlStatement<{ readonly uids: readonly string[] }, DueBridge>(
  (p, dialect) => sql`select ${DUE_COLUMNS} from external_root_binding b
    where ${ENABLED} and ${isIn(dialect, sql.ref("b.issue_uid"), p.uids)}`,
);

const counts = sqlStatement<Record<never, never>, BridgeCounts>(
  () => sql`select count(*) as enabled,
    count(case when b.consecutive_failures > 0 then 1 end) as failing
    from external_root_binding b where ${ENABLED}`,
).map(({ enabled, failing }) => ({
  ...{ enabled: Number(enabled), failing: Number(failing) },
}));
