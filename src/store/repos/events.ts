import type { StoredEvent } from "../../contract/events.ts";
import type { Connection } from "../connection.ts";
import { eventOf } from "../rows.ts";
import { isIn, statement } from "../statement.ts";
import type { Events } from "../types.ts";

export function events(connection: Connection): Events {
  return {
    after: async (after, limit, project_uid) => {
      const rows =
        project_uid === undefined
          ? await allAfter.all(connection, { after, limit })
          : await projectAfter.all(connection, { after, limit, project_uid });
      return rows.map(eventOf);
    },
    find: async (uid) => {
      const row = await byUid.one(connection, { uid });
      return row === undefined ? undefined : eventOf(row);
    },
    latestOf: async (uids, type) => {
      const rows = await latest.all(connection, { uids, type });
      return rows.map((row) => eventOf(row) as StoredEvent<typeof type>);
    },
    lastId: async () => (await last.one(connection, {}))?.last_event_id ?? 0,
    resetAfter: async (project_uid) => {
      const row =
        project_uid === undefined
          ? await resetAll.one(connection, {})
          : await resetProject.one(connection, { project_uid });
      return row?.after_event_id ?? 0;
    },
    resetsAfter: async (after) => await resets.all(connection, { after }),
  };
}

const allAfter = statement((db, p: { after: number; limit: number }) =>
  db.selectFrom("event").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

const projectAfter = statement((db, p: { after: number; limit: number; project_uid: string }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("feed_uid", "=", p.project_uid)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

const byUid = statement((db, p: { uid: string }) =>
  db.selectFrom("event").selectAll().where("uid", "=", p.uid),
);

const latest = statement((db, p: { uids: readonly string[]; type: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("id", "in", (of) =>
      of
        .selectFrom("event")
        .select(({ fn }) => fn.max("id").as("id"))
        .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
        .where("type", "=", p.type)
        .groupBy("issue_uid"),
    )
    .orderBy("id"),
);

const last = statement((db, _p: Record<never, never>) =>
  db.selectFrom("log_head").select("last_event_id"),
);

const resetAll = statement((db, _p: Record<never, never>) =>
  db.selectFrom("purge_reset").select(({ fn }) => fn.max("after_event_id").as("after_event_id")),
);

const resets = statement((db, p: { after: number }) =>
  db.selectFrom("purge_reset").selectAll().where("after_event_id", ">", p.after),
);

const resetProject = statement((db, p: { project_uid: string }) =>
  db.selectFrom("purge_reset").select("after_event_id").where("project_uid", "=", p.project_uid),
);
