import { statement } from "../rows/statement.ts";
import type { LogHead } from "../types/events.ts";

export const readHead = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("log_head")
    .select(["last_event_id", "hlc_physical_ms", "hlc_counter", "chain", "epoch"]),
);

export const writeHead = statement((db, p: LogHead) =>
  db.updateTable("log_head").set({
    last_event_id: p.last_event_id,
    hlc_physical_ms: p.hlc_physical_ms,
    hlc_counter: p.hlc_counter,
    chain: p.chain,
    epoch: p.epoch,
  }),
);
