import { type Kysely, sql } from "kysely";
import { type JsonObject, parseJson } from "../../base/json.ts";
import type { EventKind } from "../../contract/event-kinds.ts";
import { ADOPTION_UNFINISHED } from "../../domain/federation/gate.ts";
import type { Connection } from "../connection.ts";
import { bordersOf, hubsOfCopies } from "../load/hubs-of-copies.ts";
import { purgedAmong } from "../load/statements.ts";
import { readHead } from "../log/head.ts";
import { eventOf, parsed } from "../rows/rows.ts";
import { isIn, sqlStatement, statement, unindexed } from "../rows/statement.ts";
import type { Selected, Tables } from "../schema.ts";
import type { BindingCounts, Federation, FederationCounts } from "../types/federation.ts";
import { hashesOf } from "./event-hashes.ts";
import { PAYLOAD_SIZE, pageWithin } from "./event-pages.ts";
import { hubHashes } from "./hub-hashes.ts";
import { namedLater, rowHashes } from "./row-hashes.ts";
import { spokeGrants } from "./spoke-grants.ts";
import { spokeLeases } from "./spoke-leases.ts";
import { unsentEvents } from "./unsent-events.ts";

export function federation(connection: Connection): Federation {
  return {
    ...spokeLeases(connection),
    ...spokeGrants(connection),
    bindings: async () => (await bindings.one(connection, {})) ?? { hub: 0, spoke: 0, disabled: 0 },
    federatedAmong: async (uids) =>
      new Set((await federated.all(connection, { uids })).map(({ project_uid }) => project_uid)),
    copies: async () =>
      new Set((await copies.all(connection, {})).map(({ project_uid }) => project_uid)),
    hubs: async () => await hubsOfCopies(connection),
    borders: async () => await bordersOf(connection),
    byToken: async (hash) => await byToken.one(connection, { hash }),
    enrollments: async () => await all.all(connection, {}),
    lastEnrollmentId: async () => (await last.one(connection, {}))?.id ?? 0,
    madeWith: async (uid) => (await madeWith.all(connection, { uid })).map(({ id }) => id),
    counts: async (project, now) => (await counts.one(connection, { project, now })) ?? NONE,
    eventsOf: async (project, after, most, maxBytes) => {
      const limit = await pageWithin(
        most,
        maxBytes,
        async () => await eventSizes.all(connection, { project, after, limit: most }),
      );
      const events = await eventsOf.all(connection, { project, after, limit });
      const last = (await readHead.one(connection, {}))?.last_event_id ?? 0;
      const upTo = events.length === limit ? (events.at(-1)?.id ?? last) : Math.max(last, after);
      return { events, upTo, last: events.length < limit };
    },
    quarantines: async (project, which, limit) =>
      await (which === "active" ? activeQuarantines : allQuarantines).all(connection, {
        project,
        limit,
      }),
    outlines: async (uids) => await outlines.all(connection, { uids }),
    hashesOf: async (uids) => await hashesOf(connection, uids),
    hubHashes: async (range) => await hubHashes(connection, range),
    rowHashes: async (range) => await rowHashes(connection, range),
    namedLater: async (later) => await namedLater(connection, later),
    purgedAmong: async (uids) =>
      new Set((await purgedAmong.all(connection, { uids })).map(({ issue_uid }) => issue_uid)),
    grantedTo: async (spoke) =>
      new Set((await granted.all(connection, { spoke })).map(({ project_uid }) => project_uid)),
    lastClockFrom: async (origin, project) => await lastClock.one(connection, { origin, project }),
    hasUnsent: async (project, kinds) =>
      (await unsent.one(connection, { project, kinds })) !== undefined,
    unsent: async (range, limit, maxBytes) =>
      await unsentEvents(connection).page(range, limit, maxBytes),
    countUnsent: async (range) => await unsentEvents(connection).count(range),
    handedOverTo: async (uid) => (await handedOver.one(connection, { uid }))?.project_uid,
    countEvents: async (range) => await unsentEvents(connection).events(range),
    firstUnsentAt: async (range) => await unsentEvents(connection).first(range),
    projectsWithUnsent: async (after) => await unsentEvents(connection).projects(after),
    activeQuarantine: async (project) => await activeQuarantine.one(connection, { project }),
    lastQuarantineId: async (project) =>
      (await lastQuarantine.one(connection, { project }))?.id ?? 0,
    hasCron: async (project) => (await cronRows.one(connection, { project })) !== undefined,
    hasProgress: async (project) => (await progress.one(connection, { project })) !== undefined,
    jobsWithIssues: async (project) =>
      (await jobsWithIssues.all(connection, { project })).map(
        ({ definition }) => parseJson(definition) as JsonObject,
      ),
  };
}

const NONE: FederationCounts = { enrollments: 0, leases: 0, pending_leases: 0, quarantines: 0 };

const bindings = sqlStatement<Record<never, never>, BindingCounts>(
  () => sql`select
    count(case when role = 'hub' and enabled = 1 then 1 end) as hub,
    count(case when role = 'spoke' and enabled = 1 then 1 end) as spoke,
    count(case when enabled = 0 then 1 end) as disabled
    from federation_binding`,
).map(({ hub, spoke, disabled }) => ({
  hub: Number(hub),
  spoke: Number(spoke),
  disabled: Number(disabled),
}));

const federated = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("federation_binding")
    .select("project_uid")
    .where(({ ref }) => isIn(dialect, ref("project_uid"), p.uids))
    .union((more) =>
      more
        .selectFrom("event")
        .select("project_uid")
        .where("type", "=", sql.lit("project.federation_enabled"))
        .where(({ ref }) => isIn(dialect, ref("project_uid"), p.uids)),
    ),
);

const copies = statement((db, _p: Record<never, never>) =>
  db.selectFrom("federation_binding").select("project_uid").where("role", "=", "spoke"),
);

const handedOver = statement((db, p: { uid: string }) =>
  db
    .selectFrom("federation_binding")
    .select("project_uid")
    .where("hub_project_uid", "=", p.uid)
    .where("project_uid", "<>", p.uid)
    .where("disabled_reason", "=", sql.lit(ADOPTION_UNFINISHED)),
);

const enrollmentOf = (row: Selected<"federation_enrollment">) =>
  parsed("federation_enrollment", row);

const byToken = statement((db, p: { hash: string }) =>
  db.selectFrom("federation_enrollment").selectAll().where("token_hash", "=", p.hash),
).map(enrollmentOf);

const all = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("federation_enrollment as e")
    .selectAll("e")
    .select((from) =>
      from
        .selectFrom("federation_replica as r")
        .select(({ fn }) => fn.max("r.seen_at").as("seen_at"))
        .whereRef("r.enrollment_id", "=", "e.id")
        .as("last_used_at"),
    )
    .orderBy("e.id"),
).map(({ last_used_at, ...row }) => ({ ...enrollmentOf(row), last_used_at }));

const last = statement((db, _p: Record<never, never>) =>
  db.selectFrom("federation_enrollment").select("id").orderBy("id", "desc").limit(1),
);

const granted = statement((db, p: { spoke: string }) =>
  db
    .selectFrom("federation_enrollment")
    .select("project_uid")
    .distinct()
    .where("spoke_instance_uid", "=", p.spoke)
    .where("revoked_at", "is", null),
);

const madeWith = statement((db, p: { uid: string }) =>
  db
    .selectFrom("federation_enrollment")
    .select("id")
    .where("made_with_token_uid", "=", p.uid)
    .where("revoked_at", "is", null)
    .orderBy("id"),
);

/** Without `unindexed`, SQLite would look for a lease of every issue of the project. */
const counts = sqlStatement<{ project: string; now: string }, FederationCounts>(
  (p, dialect) => sql`select
    (select count(*) from federation_enrollment
      where revoked_at is null and (project_uid = ${p.project} or project_uid is null)) as enrollments,
    (select count(*) from lease join issue on issue.uid = lease.issue_uid
      where ${unindexed(dialect, "issue.project_uid")} = ${p.project} and lease.released_at is null
        and (lease.expires_at is null or lease.expires_at > ${p.now})) as leases,
    (select count(*) from pending_lease
      where project_uid = ${p.project} and rejected_at is null and resolved_at is null) as pending_leases,
    (select count(*) from federation_quarantine
      where project_uid = ${p.project} and skipped_at is null) as quarantines`,
).map((row) => ({
  enrollments: Number(row.enrollments),
  leases: Number(row.leases),
  pending_leases: Number(row.pending_leases),
  quarantines: Number(row.quarantines),
}));

interface QuarantinesOf {
  readonly project: string;
  readonly limit: number;
}

const quarantinesOf = (db: Kysely<Tables>, p: QuarantinesOf) =>
  db
    .selectFrom("federation_quarantine")
    .selectAll()
    .where("project_uid", "=", p.project)
    .orderBy("id", "desc")
    .limit(sql<number>`${p.limit}`);

const quarantineOf = (row: Selected<"federation_quarantine">) =>
  parsed("federation_quarantine", row);

const allQuarantines = statement((db, p: QuarantinesOf) => quarantinesOf(db, p)).map(quarantineOf);

const activeQuarantines = statement((db, p: QuarantinesOf) =>
  quarantinesOf(db, p).where("skipped_at", "is", null),
).map(quarantineOf);

const outlines = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .select(["id", "uid", "type", "issue_uid", "created_at", "skipped_at"])
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids))
    .orderBy("id"),
).map(({ issue_uid, skipped_at, ...event }) => ({
  ...event,
  type: event.type as EventKind,
  ...(issue_uid === null ? {} : { issue_uid }),
  ...(skipped_at === null ? {} : { skipped_at }),
}));

interface EventsOf {
  readonly project: string;
  readonly after: number;
  readonly limit: number;
}

/** The order also names the project, so that PostgreSQL uses the index of feeds and does not scan the log by id. */
const ofProject = (db: Kysely<Tables>, p: EventsOf) =>
  db
    .selectFrom("event")
    .where("feed_uid", "=", p.project)
    .where("id", ">", p.after)
    .orderBy("feed_uid")
    .orderBy("id")
    .limit(p.limit);

const eventsOf = statement((db, p: EventsOf) => ofProject(db, p).selectAll()).map(eventOf);

const eventSizes = statement((db, p: EventsOf) => ofProject(db, p).select(PAYLOAD_SIZE));

const unsent = statement((db, p: { project: string; kinds: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .select("id")
    .where("feed_uid", "=", p.project)
    .where("hub_event_id", "is", null)
    .where("skipped_at", "is", null)
    .where(({ ref }) => isIn(dialect, ref("type"), p.kinds))
    .limit(1),
);

const lastClock = statement((db, p: { origin: string; project: string }) =>
  db
    .selectFrom("event")
    .select(["hlc_physical_ms", "hlc_counter"])
    .where("feed_uid", "=", p.project)
    .where("origin_instance_uid", "=", p.origin)
    .orderBy("id", "desc")
    .limit(1),
);

const activeQuarantine = statement((db, p: { project: string }) =>
  db
    .selectFrom("federation_quarantine")
    .selectAll()
    .where("project_uid", "=", p.project)
    .where("direction", "=", sql.lit("push"))
    .where("skipped_at", "is", null),
).map((row) => parsed("federation_quarantine", row));

const lastQuarantine = statement((db, p: { project: string }) =>
  db
    .selectFrom("federation_quarantine")
    .select("id")
    .where("project_uid", "=", p.project)
    .orderBy("id", "desc")
    .limit(1),
);

const cronRows = sqlStatement<{ project: string }, { found: number }>(
  (p) => sql`select 1 as found from cron_jobs where project_uid = ${p.project}
    union all select 1 from cron_workflows where project_uid = ${p.project}
    union all select 1 from cron_runs where project_uid = ${p.project} limit 1`,
);

const progress = statement((db, p: { project: string }) =>
  db
    .selectFrom("issue")
    .select("id")
    .where("project_uid", "=", p.project)
    .where((one) =>
      one.or([
        one("metadata", "like", '%"cron.progress.%'),
        one("metadata", "like", '%"cron.occurrence"%'),
      ]),
    )
    .limit(1),
);

/** The pattern excludes most jobs that are not native; the caller checks the documents. */
const jobsWithIssues = statement((db, p: { project: string }) =>
  db
    .selectFrom("cron_jobs")
    .select("definition")
    .where("project_uid", "=", p.project)
    .where("definition", "like", '%"parent_uid"%'),
);
