import { slicesById } from "../../base/slices.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { LastObservation, WholeIssue } from "../../domain/drafts/snapshots.ts";
import { laterObservation } from "../../domain/federation/baseline.ts";
import type { Rows } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import {
  issuesByUid,
  labelsByIssue,
  linksFrom,
  rowsByKeys,
  uidsByProject,
  waitingFrom,
} from "../load/statements.ts";
import { folded, parsed } from "../rows/rows.ts";
import { isIn, statement } from "../rows/statement.ts";
import type { Baselines, CronTable } from "../types/baselines.ts";
import { eventStatement } from "./statements.ts";

export function baselines(connection: Connection): Baselines {
  return {
    issueUids: async (uid) => (await uidsByProject.all(connection, { uid })).map((row) => row.uid),
    wholes: async (uids) => await wholes(connection, uids),
    spent: async (project_uid) => {
      const p = { project_uid };
      return {
        purged_uids: (await purged.all(connection, p)).map(({ issue_uid }) => issue_uid),
        spent_short_ids: (await spentIds.all(connection, p)).map(({ short_id }) => short_id),
        former_short_ids: [...(await formerIds.all(connection, p))],
      };
    },
    cronUids: async (project_uid, table) =>
      (await CRON_UIDS[table].all(connection, { project_uid })).map(({ uid }) => uid),
    cronRows: async (table, uids) => {
      const places = new Map(uids.map((uid, at) => [uid, at]));
      const placeOf = ({ uid }: Rows[CronTable]): number => places.get(uid) ?? 0;
      const found = await rowsByKeys(connection, table, uids);
      return found.toSorted((left, right) => placeOf(left) - placeOf(right));
    },
    observations: async (project_uid, after) => {
      const last = new Map<string, LastObservation>();
      for (const type of ["cron.run.snapshot", "cron.run.observed"] as const) {
        const read = async (from: number) =>
          await observed.all(connection, { project_uid, type, after: from });
        for await (const slice of slicesById(SLICE, after, read))
          for (const event of slice as readonly RunEvent[])
            last.set(
              event.payload.uid,
              laterObservation(last.get(event.payload.uid), observationOf(event)),
            );
      }
      return last;
    },
  };
}

const SLICE = 1000;

async function wholes(
  connection: Connection,
  uids: readonly string[],
): Promise<readonly WholeIssue[]> {
  const p = { uids };
  const [issues, labels, links, comments, imports, roots] = [
    await issuesByUid.all(connection, p),
    Map.groupBy(await labelsByIssue.all(connection, p), ({ issue_uid }) => issue_uid),
    Map.groupBy(
      [...(await linksFrom.all(connection, p)), ...(await waitingFrom.all(connection, p))],
      ({ from_uid }) => from_uid,
    ),
    Map.groupBy(await commentsByIssue.all(connection, p), ({ issue_uid }) => issue_uid),
    Map.groupBy(await importsByIssue.all(connection, p), ({ issue_uid }) => issue_uid),
    new Map((await rootsByIssue.all(connection, p)).map((row) => [row.issue_uid, row])),
  ];
  const found = new Map(issues.map((row) => [row.uid, folded("issue", parsed("issue", row))]));
  return uids.flatMap((uid) => {
    const issue = found.get(uid);
    if (issue === undefined) return [];
    const own = <T>(rows: ReadonlyMap<string, readonly T[]>): readonly T[] => rows.get(uid) ?? [];
    return {
      issue,
      labels: own(labels),
      links: own(links),
      comments: own(comments),
      imports: own(imports),
      root: roots.get(uid),
    };
  });
}

const commentsByIssue = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("comment")
    .select(["uid", "issue_uid", "author", "body", "created_at", "teammate"])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

const importsByIssue = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("import")
    .select(["source", "external_id", "project_uid", "issue_uid", "imported_at"])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

const rootsByIssue = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("external_root")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

const cronUidsOf = (table: CronTable) =>
  statement((db, p: { project_uid: string }) =>
    db.selectFrom(table).select("uid").where("project_uid", "=", p.project_uid).orderBy("id"),
  );

const CRON_UIDS = {
  cron_workflows: cronUidsOf("cron_workflows"),
  cron_jobs: cronUidsOf("cron_jobs"),
  cron_runs: cronUidsOf("cron_runs"),
};

const purged = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("purge_log")
    .select("issue_uid")
    .where("project_uid", "=", p.project_uid)
    .orderBy("issue_uid"),
);

const spentIds = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("spent_id")
    .select("short_id")
    .where("project_uid", "=", p.project_uid)
    .orderBy("short_id"),
);

const formerIds = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("former")
    .select(["short_id", "issue_uid"])
    .where("project_uid", "=", p.project_uid)
    .orderBy("short_id"),
);

type RunEvent = StoredEvent<"cron.run.observed"> | StoredEvent<"cron.run.snapshot">;

const observed = eventStatement((db, p: { project_uid: string; type: string; after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", p.type)
    .where("feed_uid", "=", p.project_uid)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE),
);

/**
 * Returns the observation of the event. A snapshot repeats an observation whose event may be only in another daemon's
 * log.
 */
function observationOf(event: RunEvent): LastObservation {
  if (event.type === "cron.run.snapshot") {
    const { observation_event_uid, observation_hlc } = event.payload;
    return { observation_event_uid, observation_hlc };
  }
  return {
    observation_event_uid: event.uid,
    observation_hlc: {
      version: 1,
      physical_ms: event.hlc_physical_ms,
      counter: event.hlc_counter,
      origin_instance_uid: event.origin_instance_uid,
    },
  };
}
