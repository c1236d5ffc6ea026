import { type ExpressionBuilder, sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, rowsWith, statement } from "../rows/statement.ts";
import type { Tables } from "../schema.ts";
import type { Leases } from "../types/work.ts";

export function leases(connection: Connection): Leases {
  return {
    of: async (issue_uid) => await ofIssue.one(connection, { issue_uid }),
    unreleased: async (uids) => {
      if (uids.length === 0) return new Map();
      const rows = await unreleased.all(connection, { uids });
      return new Map(rows.map((row) => [row.issue_uid, row]));
    },
    expired: async (now, limit) => await expired.all(connection, { now, limit }),
    ahead: async (now, limit) => await ahead.all(connection, { now, limit }),
    nextExpiry: async () => (await soonest.one(connection, {}))?.expires_at ?? undefined,
  };
}

const ofIssue = rowsWith("lease", ["issue_uid"]);

const unreleased = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("lease")
    .selectAll()
    .where("released_at", "is", null)
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

/**
 * The condition that the lease can be changed here. Leases of disabled or read-only copies cannot be changed here, such
 * as leases from before the project became a copy.
 */
function isChangeable({ not, exists, selectFrom }: ExpressionBuilder<Tables, "lease">) {
  return not(
    exists(
      selectFrom("issue as i")
        .innerJoin("federation_binding as b", "b.project_uid", "i.project_uid")
        .select("i.uid")
        .whereRef("i.uid", "=", "lease.issue_uid")
        .where("b.role", "=", "spoke")
        .where(({ or, eb }) => or([eb("b.enabled", "=", 0), eb("b.push_enabled", "=", 0)])),
    ),
  );
}

const expired = statement((db, p: { now: string; limit: number }) =>
  db
    .selectFrom("lease")
    .selectAll()
    .where("released_at", "is", null)
    .where("expires_at", "is not", null)
    .where("expires_at", "<=", p.now)
    .where(isChangeable)
    .orderBy("expires_at")
    .limit(sql<number>`${p.limit}`),
);

const ahead = statement((db, p: { now: string; limit: number }) =>
  db
    .selectFrom("lease")
    .selectAll()
    .where("released_at", "is", null)
    .where("expires_at", ">", p.now)
    .where("updated_at", ">", p.now)
    .where(isChangeable)
    .orderBy("expires_at")
    .limit(sql<number>`${p.limit}`),
);

const soonest = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("lease")
    .select("expires_at")
    .where("released_at", "is", null)
    .where("expires_at", "is not", null)
    .where(isChangeable)
    .orderBy("expires_at")
    .limit(1),
);
