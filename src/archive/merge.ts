import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { canonicalJson } from "../base/json.ts";
import { invalid, type SvcError } from "../contract/errors.ts";
import { isHidden } from "../contract/event-kinds.ts";
import type { StoredEvent } from "../contract/events.ts";
import { projectRenamed } from "../domain/drafts/projects.ts";
import type { Table } from "../domain/tables/table.ts";
import { TABLES } from "../domain/tables/tables.ts";
import { SYSTEM_PROJECT_UID } from "../domain/tokens.ts";
import type { RestoreRow } from "../store/admin-store.ts";
import { contentHash } from "../store/log/content-hash.ts";

export interface MergeInto {
  /** Names of all existing projects, archived ones included. */
  readonly names: ReadonlySet<string>;
  readonly instanceUid: string;
  readonly actor: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Yields the rows of a file that is merged into a database with data. The file must contain exactly one project
 * (docs/contract/command-line.md#63-restoring). If the project's name is taken, the next free number is appended to it.
 * An event records the new name, because the tables must be the fold of the log. Rows about the daemon from which the
 * file was exported, such as its API tokens, and those that tie the project to other daemons, are left out.
 */
export async function* mergeRows(
  rows: AsyncIterable<RestoreRow>,
  into: MergeInto,
): AsyncGenerator<RestoreRow> {
  let project: { readonly uid: string; readonly from: string; readonly to: string } | undefined;
  const clockSeen = { physical: 0, counter: -1 };
  for await (const row of rows) {
    if (row.table === "project") {
      if (project !== undefined) throw notOne("more than one project");
      const { uid, name } = row.row;
      project = { uid, from: name, to: freeName(name, into.names) };
      yield { table: "project", row: { ...row.row, name: project.to } };
      continue;
    }
    if (isOfDaemon(row) || isLeftOut(row)) continue;
    if (row.table === "event") raiseClock(clockSeen, row.row);
    yield inactiveMapping(row);
  }
  if (project === undefined) throw notOne("no project");
  if (project.from !== project.to) {
    yield { table: "event", row: renameEvent({ ...project, clockSeen }, into) };
  }
}

/** A mapped field of the file is not used here: the connector of that name may be another one. */
function inactiveMapping(given: RestoreRow): RestoreRow {
  if (given.table !== "external_field_mapping") return given;
  return { table: given.table, row: { ...given.row, active: 0 } };
}

function isOfDaemon({ table, row }: RestoreRow): boolean {
  if (table === "event") return isHidden(row.type);
  if (table === "idempotency") return row.scope_uid === SYSTEM_PROJECT_UID;
  return "daemon" in TABLES[table].belongs;
}

function isLeftOut({ table }: RestoreRow): boolean {
  const { lifecycle }: Table = TABLES[table];
  return lifecycle?.mergedFile === "leave out";
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

interface Renaming {
  readonly uid: string;
  readonly from: string;
  readonly to: string;
  readonly clockSeen: { readonly physical: number; readonly counter: number };
}

/**
 * Returns the event that records the new name. Events are folded in the order of their clocks, so this one gets a later
 * clock than every event in the file (docs/contract/events.md#62-effects).
 */
function renameEvent({ uid, from, to, clockSeen }: Renaming, into: MergeInto): StoredEvent {
  const now = into.clock.nowMs();
  const ahead = now > clockSeen.physical;
  const act = { actor: into.actor, now: into.clock.now() };
  const event = {
    ...projectRenamed({ uid, name: from }, to, act),
    uid: into.ids.ulid(),
    origin_instance_uid: into.instanceUid,
    hlc_physical_ms: ahead ? now : clockSeen.physical,
    hlc_counter: ahead ? 0 : clockSeen.counter + 1,
    created_at: act.now,
  };
  // Any id and chain will do here: the store gives new ones to all events that are merged.
  const content_hash = contentHash(event, canonicalJson({ from, to }));
  return { ...event, id: 1, chain: "", content_hash };
}

function raiseClock(seen: { physical: number; counter: number }, event: StoredEvent): void {
  const { hlc_physical_ms: physical, hlc_counter: counter } = event;
  const later = physical > seen.physical || (physical === seen.physical && counter > seen.counter);
  if (later) Object.assign(seen, { physical, counter });
}

function notOne(what: string): SvcError {
  return invalid(
    `the file holds ${what}; only a file of exactly one project can be merged; nothing was written`,
    "export the one project with `svc export --project <name>`",
  );
}
