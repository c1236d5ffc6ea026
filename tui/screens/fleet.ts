import { instantToMs } from "../../src/base/clock.ts";
import { age } from "../age.ts";
import type { Pane } from "../layout.ts";
import type { FleetRow, State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { type Cell, cellsRow, padded, plainRow } from "./rows.ts";

/** Who has not been heard of for so long is marked. */
const SILENT_MS = 15 * 60_000;

/** Who holds which issue, since when, and when they were last heard of. */
export function drawFleet(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { fleet, fleetCursor: cursor } = state;
  if (fleet.length === 0)
    return padded([plainRow(paint, width, "nobody holds an open issue", "dim")], width, height);
  const head = cellsRow(
    paint,
    width,
    rowOf(width, ["", "WHO", "SILENT", "LEASE", "SINCE", "ISSUE", "TITLE"]),
    "dim",
  );
  const top = Math.max(0, Math.min(cursor - Math.floor(height / 2), fleet.length - (height - 1)));
  const lines = fleet.slice(top, top + height - 1).map((row, at) => {
    const isCursor = top + at === cursor;
    const silent = silenceOf(state, row);
    const isSilent = silent !== undefined && silent >= SILENT_MS;
    const whole = isCursor ? "cursor" : isSilent ? "warn" : undefined;
    return cellsRow(
      paint,
      width,
      rowOf(width, textsOf(state, paint, row, isCursor, isSilent)),
      whole,
    );
  });
  return padded([head, ...lines], width, height);
}

type Texts = readonly [string, string, string, string, string, string, string];

function rowOf(width: number, [mark, who, silent, lease, since, issue, title]: Texts): Cell[] {
  return [
    { text: mark, width: 1 },
    { text: who, width: 14, role: "ref" },
    { text: silent, width: 7, right: true },
    { text: lease, width: 8, right: true },
    { text: since, width: 6, right: true },
    { text: issue, width: 16 },
    { text: title, width: Math.max(4, width - 58) },
  ];
}

function textsOf(
  state: State,
  paint: Paint,
  row: FleetRow,
  isCursor: boolean,
  isSilent: boolean,
): Texts {
  const nowMs = instantToMs(state.now);
  const issue = state.issues.get(row.uid);
  const silent = silenceOf(state, row);
  const expires = row.lease?.expires_at;
  const lease =
    row.lease === undefined
      ? "-"
      : expires === undefined
        ? "held"
        : age(nowMs, instantToMs(expires));
  return [
    isCursor ? paint.glyphs.cursor : isSilent ? "!" : "",
    row.holder,
    silent === undefined ? "-" : age(nowMs - silent, nowMs),
    lease,
    age(instantToMs(row.since), nowMs),
    issue?.qualified_id ?? "",
    issue?.title ?? "",
  ];
}

/** How long ago the holder last changed anything, as far as this session or the issue knows. */
export function silenceOf(state: State, { holder, since }: FleetRow): number | undefined {
  const seen = state.lastSeen.get(holder) ?? since;
  return instantToMs(state.now) - instantToMs(seen);
}
