import type { LinkType } from "../domain/state.ts";
import { LEASE_COLUMNS } from "./rows.ts";
import { isIn, statement } from "./statement.ts";

/** The statements by which rows are read before an event is folded into them. */

export const projectsByUid = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("project")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);

export const issuesByUid = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);

export const commentsByUid = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("comment")
    .select(["uid", "issue_uid", "author", "body", "created_at", "teammate"])
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);

export const labelByKey = statement((db, p: { issue_uid: string; label: string }) =>
  db
    .selectFrom("label")
    .selectAll()
    .where("issue_uid", "=", p.issue_uid)
    .where("label", "=", p.label),
);

export const labelsByIssue = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("label")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

export const linksFrom = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type", "author", "created_at"])
    .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids)),
);

export const childrenOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid"])
    .where("type", "=", "parent")
    .where(({ ref }) => isIn(dialect, ref("to_uid"), p.uids)),
);

export const parentLinks = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type", "author", "created_at"])
    .where("type", "=", "parent")
    .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids)),
);

export const linkByKey = statement((db, p: { from_uid: string; to_uid: string; type: LinkType }) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type", "author", "created_at"])
    .where("from_uid", "=", p.from_uid)
    .where("type", "=", p.type)
    .where("to_uid", "=", p.to_uid),
);

export const aliasByIdentity = statement((db, p: { identity: string }) =>
  db
    .selectFrom("alias")
    .select(["alias_identity", "alias_kind", "project_uid", "created_at"])
    .where("alias_identity", "=", p.identity),
);

export const aliasesByProject = statement((db, p: { uid: string }) =>
  db
    .selectFrom("alias")
    .select(["alias_identity", "alias_kind", "project_uid", "created_at"])
    .where("project_uid", "=", p.uid)
    .orderBy("id"),
);

export const leasesOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("lease")
    .select(LEASE_COLUMNS)
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

export const recurrenceByUid = statement((db, p: { uid: string }) =>
  db.selectFrom("recurrence").selectAll().where("uid", "=", p.uid),
);

export const recurrencesByProject = statement((db, p: { uid: string }) =>
  db.selectFrom("recurrence").selectAll().where("project_uid", "=", p.uid).orderBy("id"),
);

export const cronJobByUid = statement((db, p: { uid: string }) =>
  db.selectFrom("cron_jobs").selectAll().where("uid", "=", p.uid),
);

export const cronWorkflowByUid = statement((db, p: { uid: string }) =>
  db.selectFrom("cron_workflows").selectAll().where("uid", "=", p.uid),
);

export const cronRunByUid = statement((db, p: { uid: string }) =>
  db.selectFrom("cron_runs").selectAll().where("uid", "=", p.uid),
);

export const cronRunsByProject = statement((db, p: { uid: string }) =>
  db.selectFrom("cron_runs").selectAll().where("project_uid", "=", p.uid).orderBy("id"),
);

export const cronJobsByProject = statement((db, p: { uid: string }) =>
  db.selectFrom("cron_jobs").selectAll().where("project_uid", "=", p.uid).orderBy("id"),
);

export const cronWorkflowsByProject = statement((db, p: { uid: string }) =>
  db.selectFrom("cron_workflows").selectAll().where("project_uid", "=", p.uid).orderBy("id"),
);

export const importsByProject = statement((db, p: { uid: string }) =>
  db.selectFrom("import").selectAll().where("project_uid", "=", p.uid),
);

export const uidsByProject = statement((db, p: { uid: string }) =>
  db.selectFrom("issue").select("uid").where("project_uid", "=", p.uid).orderBy("id"),
);

export const issuesByName = statement((db, p: { uid: string; name: string }) =>
  db
    .selectFrom("issue")
    .select("uid")
    .where("project_uid", "=", p.uid)
    .where(({ or, eb }) => or([eb("author", "=", p.name), eb("owner", "=", p.name)]))
    .orderBy("id"),
);

export const commentsByName = statement((db, p: { uid: string; name: string }) =>
  db
    .selectFrom("comment as c")
    .innerJoin("issue as i", "i.uid", "c.issue_uid")
    .select(["c.uid", "c.issue_uid", "c.author", "c.body", "c.created_at", "c.teammate"])
    .where("i.project_uid", "=", p.uid)
    .where("c.author", "=", p.name)
    .orderBy("c.id"),
);

export const linksByName = statement((db, p: { uid: string; name: string }) =>
  db
    .selectFrom("link as l")
    .innerJoin("issue as i", "i.uid", "l.from_uid")
    .select(["l.from_uid", "l.to_uid", "l.type", "l.author", "l.created_at"])
    .where("i.project_uid", "=", p.uid)
    .where("l.author", "=", p.name)
    .orderBy("l.id"),
);
