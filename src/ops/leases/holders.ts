import { NeedsWorker } from "../../base/budget.ts";
import type {
  listHoldersGlobal as allContract,
  listHolders as contract,
} from "../../contract/holders.ts";
import { HOLDERS_DEFAULT_LIMIT, HOLDERS_MAX_LIMIT } from "../../contract/limits.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Reader } from "../../store/types/store.ts";
import type { HeldIssue } from "../../store/types/work.ts";
import { withinBudget } from "../budget.ts";
import type { ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { leaseOut } from "../out/leases.ts";

type HoldersAnswer = Output<typeof contract>;
type HolderRow = HoldersAnswer["holders"][number];
type LastEvent = NonNullable<HolderRow["last_event"]>;

export const listHolders: ReadOp<typeof contract, "store" | "smallWorkOnly"> = async (
  { store, smallWorkOnly },
  _who,
  { params, query },
) => {
  const now = await store.leaseNow();
  return await store.read(async (reader) => {
    const { uid } = await requireProject(reader, params.project_id);
    return { ...(await holdersOf(reader, uid, query, smallWorkOnly)), now };
  });
};

export const listHoldersGlobal: ReadOp<typeof allContract, "store" | "smallWorkOnly"> = async (
  { store, smallWorkOnly },
  _who,
  { query },
) => {
  const now = await store.leaseNow();
  return await store.read(async (reader) => {
    return { ...(await holdersOf(reader, undefined, query, smallWorkOnly)), now };
  });
};

/**
 * If there are more leases and owners than this, a worker handles the request, because an event is looked up for each.
 */
const SMALL_WORK = 300;

/** Returns one row per holder and issue. If a holder both owns and leases an issue, the row describes the lease. */
async function holdersOf(
  reader: Reader,
  project_uid: string | undefined,
  query: Input<typeof contract>["query"],
  smallWorkOnly: boolean | undefined,
) {
  const limit = Math.min(query.limit ?? HOLDERS_DEFAULT_LIMIT, HOLDERS_MAX_LIMIT);
  const most = smallWorkOnly === true ? SMALL_WORK : Number.POSITIVE_INFINITY;
  // Read all leases, however few rows are asked for: the rows are sorted by how long their holder was silent, and the
  // holder that was silent longest may have the newest lease.
  const leased = await reader.holders.leased(project_uid, HOLDERS_MAX_LIMIT + 1);
  const owners = await reader.holders.owners(project_uid);
  if (leased.length + owners.length > most) throw new NeedsWorker();
  const names = [...new Set([...leased.map(({ holder }) => holder), ...owners])];
  const last = new Map(
    (await reader.holders.lastEvents(names)).map(({ actor, issue_uid, ...event }) => [
      actor,
      { ...event, ...(issue_uid === null ? {} : { issue_uid }) },
    ]),
  );
  const order = bySilence(last);
  const underLease = new Set(leased.map(({ holder, uid }) => `${uid} ${holder}`));
  const owned = await ownedBy(reader, owners.toSorted(order), project_uid, limit + 1, most);
  const rows = [
    ...leased.map((row) => ({
      ...heldOut(row, row.holder, row.acquired_at),
      lease: leaseOut(row, row),
    })),
    ...owned.filter(({ issue_uid, holder }) => !underLease.has(`${issue_uid} ${holder}`)),
  ].sort((a, b) => order(a.holder, b.holder) || compare(a.since ?? "", b.since ?? ""));
  const holders = rows.slice(0, limit).map((row): HolderRow => {
    const last_event = last.get(row.holder);
    return last_event === undefined ? row : { ...row, last_event };
  });
  return withinBudget(query, { holders, truncated: rows.length > limit }, "holders");
}

async function ownedBy(
  reader: Reader,
  owners: readonly string[],
  project_uid: string | undefined,
  limit: number,
  most: number,
): Promise<readonly HolderRow[]> {
  const issues = await reader.holders.owned(owners, project_uid, Math.min(limit, most + 1));
  if (issues.length > most) throw new NeedsWorker();
  const rows = await reader.holders.ownedSince(issues.map(({ uid }) => uid));
  const since = new Map(rows.map((row) => [row.issue_uid, row.since]));
  return issues.map((issue) => heldOut(issue, issue.owner ?? "", since.get(issue.uid)));
}

/**
 * Returns an issue with its holder, as the answer shows them. `since` is undefined if the event that set the owner is
 * missing, as it may be in a partly restored log.
 */
function heldOut(issue: HeldIssue, holder: string, since: string | undefined) {
  const {
    uid: issue_uid,
    short_id,
    title,
    status,
    owner,
    project_id,
    project_name: project,
  } = issue;
  return {
    holder,
    project_id,
    project,
    issue_uid,
    ref: `${project}#${short_id}`,
    title,
    status,
    ...(owner === null ? {} : { owner }),
    ...(since === undefined ? {} : { since }),
  };
}

/** Sorts holders: first those without an event, then by the last event of each, the oldest first. */
function bySilence(last: ReadonlyMap<string, LastEvent>): (a: string, b: string) => number {
  const lastId = (name: string): number => last.get(name)?.id ?? 0;
  return (a, b) => lastId(a) - lastId(b) || compare(a, b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}
