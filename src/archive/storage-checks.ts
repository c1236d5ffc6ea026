import { latest } from "../store/migrate.ts";
import { MIGRATIONS } from "../store/migrations/index.ts";
import { withUpgraded } from "../store/open.ts";
import { type Difference, examineDatabase, type Seen, type StorageReport } from "./doctor.ts";
import type { Target } from "./target.ts";

/** What a check found, in the words that people read. */
export interface StorageFinding {
  readonly status: "ok" | "warning" | "failed";
  readonly summary: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly fix?: string;
}

type Check<C> = (id: string, work: () => Promise<StorageFinding> | StorageFinding) => Promise<C>;

/** The checks of a database that is there. When it cannot be opened, that is the only one. */
export async function storageChecks<C>(
  target: Target,
  check: Check<C>,
  seen?: Seen,
): Promise<readonly C[]> {
  let report: StorageReport | undefined;
  let older: number | undefined;
  const opened = await check("storage.open", async () => {
    report = await withUpgraded(target, async (readable, from) => {
      older = from;
      return await examineDatabase({ ...target, ...readable }, seen);
    });
    return {
      status: "ok",
      summary: `${count(report.events, "event")}, ${count(report.rows, "row")}`,
    };
  });
  if (report === undefined) return [opened];
  const { integrity, changedEvents, fold, derived, events } = report;
  const schema = older === undefined ? [] : [await check("storage.schema", notUpgraded(older))];
  return [
    opened,
    ...schema,
    await check("storage.integrity", () =>
      sound(integrity, "the database finds no fault in itself"),
    ),
    await check("storage.log", () =>
      sound(changedEvents, `all ${count(events, "event")} match their hashes`),
    ),
    await check("storage.fold", () => same(fold, "the tables are what the log says")),
    await check("storage.readiness", () => {
      if (fold !== undefined)
        return { status: "failed", summary: "not comparable while tables and log differ" };
      return same(derived, "what lists filter by is what the rules say");
    }),
  ];
}

/** The other checks looked at a copy that was upgraded; the database itself waits for a daemon. */
function notUpgraded(from: number): () => StorageFinding {
  const to = latest(MIGRATIONS);
  return () => ({
    status: "warning",
    summary: `the tables are of storage schema ${from} and not upgraded yet; an upgraded copy was looked at`,
    details: { schema: from, required: to },
    fix: `the next daemon upgrades them to ${to} and keeps the database as it was beside it: svc daemon start`,
  });
}

const FIX =
  "keep a copy of the database, then restore the last good export: svc import --force --input <file>";

function sound(faults: readonly string[], good: string): StorageFinding {
  const [first] = faults;
  if (first === undefined) return { status: "ok", summary: good };
  const more = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  return { status: "failed", summary: `${first}${more}`, details: { faults }, fix: FIX };
}

function same(difference: Difference | undefined, good: string): StorageFinding {
  if (difference === undefined) return { status: "ok", summary: good };
  const summary = describeDifference(difference);
  return { status: "failed", summary, details: { ...difference }, fix: FIX };
}

export function describeDifference(difference: Difference): string {
  const { table, key, column, folded, stored } = difference;
  const place = `${table} ${Object.values(key).join(" ")}${column === undefined ? "" : `, ${column}`}`;
  return `${place}: should be ${shown(folded)}, is ${shown(stored)}`;
}

const MAX_SHOWN = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? "" : "s"}`;
}
