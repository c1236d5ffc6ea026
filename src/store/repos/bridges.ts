import { type Kysely, sql } from "kysely";
import { type Instant, instantToMs, msToInstant } from "../../base/clock.ts";
import type { Payload } from "../../contract/events.ts";
import { STALE_MS } from "../../domain/bridges/claim.ts";
import type { Connection } from "../connection.ts";
import { parsed } from "../rows/rows.ts";
import {
  isIn,
  payloadHas,
  rowsWith,
  sqlStatement,
  statement,
  unindexed,
} from "../rows/statement.ts";
import type { Selected, Tables } from "../schema.ts";
import type { Bridges, CommentOfIssue, ExternalCommentRow, OwningRoot } from "../types/bridges.ts";
import { dueBridges } from "./due-bridges.ts";
import { eventStatement } from "./statements.ts";

export function bridges(connection: Connection): Bridges {
  return {
    root: async (issue_uid) => await root.one(connection, { issue_uid }),
    owners: async (uids) => {
      const rows = uids.length === 0 ? [] : await owners.all(connection, { uids });
      // The bridge of this daemon decides, whatever the log says.
      const sorted = rows.toSorted((a, b) => a.is_own - b.is_own);
      return new Map(
        sorted.map(({ issue_uid, connector_instance, enabled }) => [
          issue_uid,
          { connector_instance, enabled },
        ]),
      );
    },
    active: async (issue_uid) => await active.one(connection, { issue_uid }),
    byUid: async (uid) => await byUid.one(connection, { uid }),
    ofRoot: async (instance, root_key) => await ofRoot.one(connection, { instance, root_key }),
    ofIssue: async (issue_uid) => await ofIssue.all(connection, { issue_uid, limit: MOST_SHOWN }),
    otherIssueOf: async (instance, root_key, issue_uid) =>
      (await otherIssue.one(connection, { instance, root_key, issue_uid }))?.issue_uid,
    activeIn: async (project_uid) =>
      (await activeIn.one(connection, { project_uid })) !== undefined,
    allActiveIn: async (project_uid) => await allActiveIn.all(connection, { project_uid }),
    wereIn: async (project_uid) => (await wereIn.one(connection, { project_uid })) !== undefined,
    ...dueBridges(connection),
    externalComments: async (binding_uid, ids) => {
      const rows = ids.length === 0 ? [] : await external.all(connection, { binding_uid, ids });
      return new Map(rows.map((row) => [row.comment_id, row]));
    },
    localComment: async (binding_uid, comment_id) =>
      await comment.one(connection, { binding_uid, side: "local", comment_id }),
    comments: async (binding_uid) => await comments.all(connection, { binding_uid }),
    addingComment: async (issue_uid, comment_uid) => {
      const events = await adding.all(connection, { issue_uid, text: JSON.stringify(comment_uid) });
      const payloads = events.map(({ payload }) => payload as Payload<"issue.commented">);
      return payloads.find((payload) => payload.comment_uid === comment_uid);
    },
    knownComments: async (binding_uid, ids) => {
      const rows = ids.length === 0 ? [] : await known.all(connection, { binding_uid, ids });
      return new Map(
        rows.map(({ local, ...row }) => [row.comment_id, { row, local: local ?? undefined }]),
      );
    },
    commentsAfter: async ({ uid, issue_uid }, after, limit) =>
      await ofBridge.all(connection, { binding_uid: uid, issue_uid, after, limit }),
    mappings: async (instance) => await mappings.all(connection, { instance }),
    mapping: async (instance, svc_field) => await mapping.one(connection, { instance, svc_field }),
    fieldStates: async (binding_uid) => await fieldStates.all(connection, { binding_uid }),
    fieldState: async (binding_uid, mapping_uid) =>
      await fieldState.one(connection, { binding_uid, mapping_uid }),
    hasOtherAccount: async (instance, digest) =>
      (await otherAccount.one(connection, { instance, digest })) !== undefined,
    hasClaim: async (instance, now) =>
      (await claimed.one(connection, { instance, ...freshClaims(now) })) !== undefined,
    bridgedImport: async (project_uid, sources) =>
      (await bridgedImport.one(connection, { project_uid, sources }))?.issue_uid,
  };
}

/** An issue that was bound more often shows its newest bridges. */
const MOST_SHOWN = 100;

const root = rowsWith("external_root", ["issue_uid"]);

/** The conditions are literals, so that the partial indexes are used. */
const ACTIVE = sql<boolean>`active = 1`;

const bridgesWhere = (db: Kysely<Tables>) => db.selectFrom("external_root_binding").selectAll();

const active = statement((db, p: { issue_uid: string }) =>
  bridgesWhere(db).where(ACTIVE).where("issue_uid", "=", p.issue_uid),
);

/** Most databases have no bridges. There, the first condition of each part is false, and no issue is looked up. */
const owners = sqlStatement<
  { uids: readonly string[] },
  OwningRoot & { readonly issue_uid: string; readonly is_own: number }
>(
  (p, dialect) => sql`select r.issue_uid, r.connector_instance, r.enabled, 0 as is_own
    from external_root r
    join issue i on i.uid = r.issue_uid
    join federation_binding f on f.project_uid = i.project_uid
    where exists (select 1 from external_root)
      and ${isIn(dialect, sql.ref("r.issue_uid"), p.uids)} and f.role = 'spoke'
    union all select b.issue_uid, b.connector_instance, b.enabled, 1
    from external_root_binding b
    where exists (select 1 from external_root_binding where active = 1)
      and b.active = 1 and ${isIn(dialect, sql.ref("b.issue_uid"), p.uids)}`,
);

const byUid = rowsWith("external_root_binding", ["uid"]);

const ofRoot = statement((db, p: { instance: string; root_key: string }) =>
  bridgesWhere(db)
    .where(ACTIVE)
    .where("connector_instance", "=", p.instance)
    .where("external_root_key", "=", p.root_key),
);

const ofIssue = statement((db, p: { issue_uid: string; limit: number }) =>
  bridgesWhere(db).where("issue_uid", "=", p.issue_uid).orderBy("id", "desc").limit(p.limit),
);

const otherIssue = statement((db, p: { instance: string; root_key: string; issue_uid: string }) =>
  db
    .selectFrom("external_root_binding")
    .select("issue_uid")
    .where("connector_instance", "=", p.instance)
    .where("external_root_key", "=", p.root_key)
    .where("issue_uid", "<>", p.issue_uid)
    .limit(1),
);

const activeIn = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("external_root_binding as b")
    .innerJoin("issue as i", "i.uid", "b.issue_uid")
    .select("b.id")
    .where(sql<boolean>`b.active = 1`)
    .where("i.project_uid", "=", p.project_uid)
    .limit(1),
);

const allActiveIn = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("external_root_binding as b")
    .innerJoin("issue as i", "i.uid", "b.issue_uid")
    .selectAll("b")
    .where(sql<boolean>`b.active = 1`)
    .where("i.project_uid", "=", p.project_uid)
    .orderBy("b.id"),
);

/** The condition is the one of the partial index `event_bridge`. */
const wereIn = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("event")
    .select("id")
    .where(sql<boolean>`type >= 'issue.external_' and type < 'issue.external~'`)
    .where("feed_uid", "=", p.project_uid)
    .limit(1),
);

const external = statement((db, p: { binding_uid: string; ids: readonly string[] }, dialect) =>
  db
    .selectFrom("external_comment")
    .selectAll()
    .where("binding_uid", "=", p.binding_uid)
    .where("side", "=", "external")
    .where(({ ref }) => isIn(dialect, ref("comment_id"), p.ids)),
);

const comment = rowsWith("external_comment", ["binding_uid", "side", "comment_id"]);

const comments = statement((db, p: { binding_uid: string }) =>
  db
    .selectFrom("external_comment")
    .selectAll()
    .where("binding_uid", "=", p.binding_uid)
    .orderBy("side")
    .orderBy("comment_id"),
);

const adding = eventStatement((db, p: { issue_uid: string; text: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("issue_uid", "=", p.issue_uid)
    .where(sql<boolean>`${unindexed(dialect, "type")} = 'issue.commented'`)
    .where(payloadHas(dialect, p.text)),
);

const known = sqlStatement<
  { binding_uid: string; ids: readonly string[] },
  ExternalCommentRow & { readonly local: string | null }
>(
  (p, dialect) => sql`select e.*, c.body as local from external_comment e
    left join comment c on e.state = 'imported' and c.uid = e.other_id
    where e.binding_uid = ${p.binding_uid} and e.side = 'external'
      and ${isIn(dialect, sql.ref("e.comment_id"), p.ids)}`,
);

/** SQLite has the local id in the index of the issue's comments, so that a page reads only its own rows. */
const ofBridge = sqlStatement<
  { binding_uid: string; issue_uid: string; after: number; limit: number },
  CommentOfIssue
>(
  (p) => sql`select c.id, c.uid, c.created_at, case when exists (
      select 1 from external_comment e
      where e.binding_uid = ${p.binding_uid} and e.side = 'local' and e.comment_id = c.uid)
    then 1 else 0 end as known
    from comment c where c.issue_uid = ${p.issue_uid} and c.id > ${p.after}
    order by c.id limit ${p.limit}`,
);

const mappingOf = (row: Selected<"external_field_mapping">) =>
  parsed("external_field_mapping", row);

const mappings = statement((db, p: { instance: string }) =>
  db
    .selectFrom("external_field_mapping")
    .selectAll()
    .where(ACTIVE)
    .where("connector_instance", "=", p.instance)
    .orderBy("svc_field"),
).map(mappingOf);

const mapping = statement(
  (db, p: { instance: string; svc_field: "scheduled_on" | "deadline_on" }) =>
    db
      .selectFrom("external_field_mapping")
      .selectAll()
      .where(ACTIVE)
      .where("connector_instance", "=", p.instance)
      .where("svc_field", "=", p.svc_field),
).map(mappingOf);

const fieldStates = statement((db, p: { binding_uid: string }) =>
  db
    .selectFrom("external_field_state as s")
    .innerJoin("external_field_mapping as m", "m.uid", "s.mapping_uid")
    .selectAll("s")
    .select("m.svc_field")
    .where("s.binding_uid", "=", p.binding_uid)
    .where(sql<boolean>`m.active = 1`)
    .orderBy("m.svc_field"),
).map((row) => ({ ...parsed("external_field_state", row), svc_field: row.svc_field }));

const fieldState = rowsWith("external_field_state", ["binding_uid", "mapping_uid"]).map((row) =>
  parsed("external_field_state", row),
);

const claimed = statement((db, p: { instance: string; after: string; before: string }) =>
  db
    .selectFrom("external_root_binding")
    .select("id")
    .where(ACTIVE)
    .where("connector_instance", "=", p.instance)
    .where("claim_started_at", ">", p.after)
    .where("claim_started_at", "<", p.before)
    .limit(1),
);

/** Between which times a claim began that is not stale. */
function freshClaims(now: Instant): { readonly after: string; readonly before: string } {
  const nowMs = instantToMs(now);
  return { after: msToInstant(nowMs - STALE_MS), before: msToInstant(nowMs + STALE_MS) };
}

const otherAccount = statement((db, p: { instance: string; digest: string }) =>
  db
    .selectFrom("external_root_binding")
    .select("uid")
    .where("connector_instance", "=", p.instance)
    .where("external_account_digest", "!=", p.digest)
    .limit(1),
);

const bridgedImport = statement(
  (db, p: { project_uid: string; sources: readonly string[] }, dialect) =>
    db
      .selectFrom("import as i")
      .innerJoin("external_root as r", "r.issue_uid", "i.issue_uid")
      .select("r.issue_uid")
      .where("i.project_uid", "=", p.project_uid)
      .where(({ ref }) => isIn(dialect, ref("i.source"), p.sources))
      .limit(1),
);
