import { type Instant, instantToMs, msToInstant } from "../../base/clock.ts";
import type { Effect } from "../effect.ts";
import type { LiveEvent } from "../message.ts";
import { minuteOf } from "../minute.ts";
import { rowToKeep } from "../scroll.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import type { Step } from "../step.ts";
import { EMPTY_FLEET, type FleetRow, type FleetState } from "./state.ts";

export function openFleet(state: State): Step {
  const { fleet } = state;
  const { scope } = state;
  const project_id = scope.project?.id;
  const isSame = fleet.project_id === project_id;
  const known = isSame ? fleet : { ...fleet, ...EMPTY_FLEET, project_id };
  const next = { ...toScreen(state, "fleet"), fleet: known };
  return { state: next, effects: [loadFleet(next)] };
}

/**
 * The effect that reads the holders. With `wait`, calls within that many milliseconds after the first call cause a
 * single read.
 */
export function loadFleet({ scope }: State, wait = 0): Effect {
  return { effect: "load-fleet", project_id: scope.project?.id, wait };
}

type FleetQuery = Pick<FleetState, "rows" | "text" | "silentOnly" | "silentAfterMs"> & {
  readonly now: Instant;
};

function queryOf({ fleet, now }: Pick<State, "fleet" | "now">): FleetQuery {
  const { rows, text, silentOnly, silentAfterMs } = fleet;
  return { rows, text, silentOnly, silentAfterMs, now: minuteOf(now) };
}

/** The rows that match the filter. The holder who has been silent longest comes first. */
export function fleetRows(state: Pick<State, "fleet" | "now" | "memo">): readonly FleetRow[] {
  return state.memo.last(rowsThrough, queryOf(state));
}

function rowsThrough(asked: FleetQuery): readonly FleetRow[] {
  const { rows = [], text, silentOnly } = asked;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const quiet = silentOnly ? silentOf(asked) : rows;
  if (words.length === 0) return quiet;
  return quiet.filter(({ holder, at, title }) => {
    const all = `${holder} ${at.name} ${title}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

export function fleetCounts(state: Pick<State, "fleet" | "now" | "memo">): FleetCounts {
  return state.memo.last(countsIn, queryOf(state));
}

interface FleetCounts {
  readonly holders: number;
  readonly issues: number;
  readonly silent: number;
}

function countsIn(asked: FleetQuery): FleetCounts {
  const { rows = [] } = asked;
  return {
    holders: new Set(rows.map(({ holder }) => holder)).size,
    issues: new Set(rows.map(({ at }) => at.uid)).size,
    silent: new Set(silentOf(asked).map(({ holder }) => holder)).size,
  };
}

export function fleetRow(state: State): FleetRow | undefined {
  return fleetRows(state)[state.fleet.cursor];
}

export function whyNoHolder(state: State): string | undefined {
  return fleetRow(state) === undefined ? "nobody is selected" : undefined;
}

function lastSeenAt({ last: event, since }: FleetRow): Instant | undefined {
  return event?.at ?? since;
}

export function isSilent(
  { fleet, now }: Pick<State, "now"> & { readonly fleet: Pick<FleetState, "silentAfterMs"> },
  row: FleetRow,
): boolean {
  const { silentAfterMs } = fleet;
  return (lastSeenAt(row) ?? "") <= silentSince({ silentAfterMs, now });
}

/**
 * The rows of silent holders. `isSilent` is not called, because it would compute the same time limit for each row.
 */
function silentOf(asked: FleetQuery): readonly FleetRow[] {
  const limit = silentSince(asked);
  return (asked.rows ?? []).filter((row) => (lastSeenAt(row) ?? "") <= limit);
}

/**
 * Returns a time limit: a holder whose last event is at this time or earlier is silent. Instants can be compared as
 * texts.
 */
function silentSince({ silentAfterMs, now }: Pick<FleetQuery, "silentAfterMs" | "now">): Instant {
  return msToInstant(instantToMs(minuteOf(now)) - silentAfterMs);
}

/** Applies the change and keeps the cursor on its holder and issue. */
export function withFleet(state: State, change: Partial<FleetState>): State {
  const before = fleetRow(state);
  const next = withSlice(state, "fleet", { ...change });
  const isSame = ({ at, holder }: FleetRow): boolean =>
    at.uid === before?.at.uid && holder === before.holder;
  const cursor = rowToKeep(fleetRows(next), next.fleet.cursor, isSame);
  return withSlice(next, "fleet", { cursor });
}

/**
 * The rows, sorted so that the holder who has been silent longest comes first and the rows of one holder stay together.
 * A holder without events counts as silent since they got the first of their issues.
 */
export function bySilence(rows: readonly FleetRow[]): readonly FleetRow[] {
  const lastSeen = new Map<string, string>();
  for (const row of rows) {
    const at = lastSeenAt(row) ?? "";
    const known = lastSeen.get(row.holder);
    if (known === undefined || at < known) lastSeen.set(row.holder, at);
  }
  const placed = rows.map((row) => {
    const { holder, at } = row;
    return {
      row,
      place: [lastSeen.get(holder), holder, lastSeenAt(row) ?? "", at.name].join("\0"),
    };
  });
  placed.sort((a, b) => (a.place < b.place ? -1 : 1));
  return placed.map(({ row }) => row);
}

/** Stores the time of each actor's last event. A holder with a new event is not silent any more. */
export function withLastSeen(state: State, events: readonly LiveEvent[]): State {
  const lastSeen = new Map(state.fleet.lastSeen);
  for (const { actor, at } of events) lastSeen.set(actor, at);
  return endSilences(withSlice(state, "fleet", { lastSeen }), events);
}

function endSilences(state: State, events: readonly LiveEvent[]): State {
  const { rows } = state.fleet;
  if (state.screen !== "fleet" || rows === undefined) return state;
  const byActor = new Map(
    events.map(({ actor, kind, at, uid }) => [actor, { kind, at, uid }] as const),
  );
  if (!rows.some(({ holder }) => byActor.has(holder))) return state;
  const updated = rows.map((row) => {
    const event = byActor.get(row.holder);
    return event === undefined ? row : { ...row, last: event };
  });
  return withFleet(state, { rows: bySilence(updated) });
}

/** Events that can change the holder of an issue. */
const HOLDING: ReadonlySet<string> = new Set([
  "issue.created",
  "issue.updated",
  "issue.assigned",
  "issue.unassigned",
  "issue.closed",
  "issue.reopened",
  "issue.soft_deleted",
  "issue.restored",
  "issue.moved",
]);

export function touchesFleet({ screen }: State, events: readonly LiveEvent[]): boolean {
  const isHolding = ({ kind }: LiveEvent): boolean =>
    kind.startsWith("claim.") || kind.startsWith("project.") || HOLDING.has(kind);
  return screen === "fleet" && events.some(isHolding);
}
