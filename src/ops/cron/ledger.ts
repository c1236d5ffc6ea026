import { instantToMs, parseInstant } from "../../base/clock.ts";
import type * as contract from "../../contract/cron-ledger.ts";
import { invalidField } from "../../contract/errors.ts";
import { LEDGER_DEFAULT_LIMIT } from "../../contract/limits.ts";
import { type LedgerEntry, pendingEntries, settledEntries } from "../../domain/cron/ledger.ts";
import { toSecond } from "../../domain/cron/progress.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadOp } from "../deps.ts";
import { headOf, readParentOfJob, stoppedBy } from "./coming.ts";
import { JOB, requireDefinition } from "./definitions.ts";
import { historyOf, settledOf } from "./history.ts";

/** Lists each due time with what happened to it, computed from the checkpoints, definitions and pauses in the log. */
export const showCronJobLedger: ReadOp<
  typeof contract.showCronJobLedger,
  "store" | "clock"
> = async ({ store, clock }, _who, { params, query }) => {
  const limit = query.limit ?? LEDGER_DEFAULT_LIMIT;
  const before = beforeOf(query.before);
  const nowMs = clock.nowMs();
  return await store.read(async (reader) => {
    const found = await requireDefinition(reader, JOB, params);
    const bound = await readParentOfJob(reader, found);
    const { uid, project_uid, created_at } = found.row;
    if (bound === undefined) throw invalidField("cron_uid", "is no recurring job of svc");
    const { parent_uid, progress } = bound;
    const history = await historyOf(reader, { uid, parent_uid, project_uid });
    const entries: LedgerEntry[] =
      progress === undefined
        ? []
        : [...pendingEntries(progress, history, nowMs, before, limit + 1)];
    let through = progress?.through;
    for await (const settled of settledOf(reader, uid, parent_uid)) {
      through ??= settled.to.through;
      if (entries.length > limit) break;
      entries.push(...settledEntries(settled, history, before, limit + 1 - entries.length));
    }
    const shown = entries.slice(0, limit);
    const last = shown.at(-1);
    return {
      job: headOf(found, stoppedBy(found, bound)),
      through: through ?? toSecond(instantToMs(created_at)),
      entries: await withChildren(reader, shown),
      ...(entries.length > limit && last !== undefined ? { next_before: last.at } : {}),
    };
  });
};

function beforeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) throw invalidField("before", "is no RFC 3339 instant");
  return `${instant.slice(0, 19)}Z`;
}

async function withChildren(reader: Reader, entries: readonly LedgerEntry[]) {
  const issues = await reader.issues.many(entries.flatMap(({ child_uid }) => child_uid ?? []));
  return entries.map((entry) => {
    const child = entry.child_uid === undefined ? undefined : issues.get(entry.child_uid);
    return { ...entry, ...(child === undefined ? {} : { child_short_id: child.short_id }) };
  });
}
