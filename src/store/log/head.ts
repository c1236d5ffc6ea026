import { sql } from "kysely";
import { statement } from "../rows/statement.ts";
import type { LogHead } from "../types/events.ts";

const COLUMNS = ["last_event_id", "hlc_physical_ms", "hlc_counter", "chain", "epoch"] as const;

export const readHead = statement((db, _p: Record<never, never>) =>
  db.selectFrom("log_head").select(COLUMNS),
);

/**
 * Selects the head of the log, whether the database has a copy of a project of another daemon (`writer/copies.ts`),
 * whether any issue has an external root, here or on another daemon (`writer/external-roots.ts`), whether any link waits (`load/loaded.ts`), and whether projects have clocks of their own (`project-clocks.ts`).
 */
export const readHeadForWrite = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("log_head")
    .select(COLUMNS)
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("federation_binding").select("project_uid").where("role", "=", "spoke")).as(
        "has_copies",
      ),
    )
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("external_root")
          .select("issue_uid")
          // The condition is the one of the partial index `bridge_of_issue`.
          .unionAll(
            selectFrom("external_root_binding").select("issue_uid").where(sql<boolean>`active = 1`),
          ),
      ).as("has_roots"),
    )
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("waiting_link").select("from_uid")).as("has_waiting_links"),
    )
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("project_clock").select("project_uid")).as("has_clocks"),
    ),
).map(({ has_copies, has_roots, has_waiting_links, has_clocks, ...head }) => ({
  ...head,
  has_copies: Boolean(has_copies),
  has_roots: Boolean(has_roots),
  has_waiting_links: Boolean(has_waiting_links),
  has_clocks: Boolean(has_clocks),
}));

export const writeHead = statement((db, p: LogHead) =>
  db.updateTable("log_head").set({
    last_event_id: p.last_event_id,
    hlc_physical_ms: p.hlc_physical_ms,
    hlc_counter: p.hlc_counter,
    chain: p.chain,
    epoch: p.epoch,
  }),
);
