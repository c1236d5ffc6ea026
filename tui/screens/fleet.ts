import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import { counted } from "../../src/base/counted.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { holdingText, lastSeenText, leaseOf, nameOf } from "../../src/screen/fleet/facts.ts";
import { fleetCounts, fleetRow, fleetRows, isSilent } from "../../src/screen/fleet/fleet.ts";
import type { FleetRow } from "../../src/screen/fleet/state.ts";
import type { State } from "../../src/screen/state.ts";
import { ago, timeText } from "../../src/screen/times.ts";
import { describeKind } from "../../src/shared/event-text.ts";
import type { Pane } from "../layout.ts";
import { fleetHeight, hasPreview } from "../room.ts";
import type { Paint, Role } from "../style.ts";
import { fit } from "../text.ts";
import { timeCells } from "../times.ts";
import { MARK_CELLS } from "./columns.ts";
import { drawEmpty, drawError } from "./empty.ts";
import { type Cell, cellsRow, padded, plainRow, roomBeside, rowsAround } from "./rows.ts";

/** Draws who holds which issue, how long each lease lasts, and when its holder was last active. */
export function drawFleet(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { error } = state.fleet;
  const names = cellsRow(paint, width, rowOf(state, width, HEADER), "dim");
  const head = [names, ...drawError(error, paint, width)];
  const rows = fleetRows(state);
  const empty = emptyOf(state);
  if (empty !== undefined) {
    const lines = error === undefined ? drawEmpty(empty, paint, width) : [];
    return padded([...head, ...lines], width, height);
  }
  const room = fleetHeight(state);
  const lines = rowsAround(rows, state.fleet.cursor, room, (row, isCursor) =>
    holderLine(state, paint, width, row, isCursor),
  );
  const above = padded([...head, ...lines], width, head.length + room);
  const below = hasPreview(state) ? fleetPreview(state, paint, width) : [];
  return padded([...above, ...below], width, height);
}

export function fleetStatus(state: State, paint: Paint, width: number): string {
  const { rows, text, silentOnly, truncated, silentAfterMs } = state.fleet;
  if (rows === undefined) return plainRow(paint, width, "");
  const { holders, issues, silent } = fleetCounts(state);
  const parts = [
    ` ${counted(holders, "holder")} of ${counted(issues, "issue")}${truncated ? ", and more" : ""}`,
    `${silent} silent for ${age(0, silentAfterMs)} or longer`,
    ...(silentOnly ? ["only those"] : []),
    ...(text === "" ? [] : [`/ ${text}`]),
  ];
  return plainRow(paint, width, parts.join("   "), "dim");
}

const HEADER = {
  mark: "",
  who: "WHO",
  silent: "SILENT",
  lease: "LEASE",
  since: "SINCE",
  did: "DID LAST",
  issue: "ISSUE",
  title: "TITLE",
};

interface Texts extends Readonly<typeof HEADER> {
  readonly role?: Role | undefined;
  readonly leaseRole?: Role | undefined;
}

function rowOf(state: State, width: number, texts: Texts): readonly Cell[] {
  const who = width < 60 ? 10 : width < 100 ? 12 : 20;
  const did = width < 70 ? 0 : width < 100 ? 14 : 20;
  const since = width < 60 ? 0 : Math.max(5, timeCells(state));
  const issue = state.scope.project === undefined ? Math.min(18, Math.floor(width / 4)) : 6;
  const title = roomBeside(width, [MARK_CELLS, who, 6, 7, since, did, issue]);
  return [
    { text: texts.mark, width: MARK_CELLS, role: texts.role },
    { text: texts.who, width: who, role: texts.role ?? "ref", isName: true },
    { text: texts.silent, width: 6, right: true, role: texts.role },
    { text: texts.lease, width: 7, right: true, role: texts.leaseRole },
    { text: texts.since, width: since, right: true },
    { text: texts.did, width: did, role: "dim" },
    { text: texts.issue, width: issue, role: "ref" },
    { text: texts.title, width: Math.max(0, title) },
  ];
}

function holderLine(
  state: State,
  paint: Paint,
  width: number,
  row: FleetRow,
  isCursor: boolean,
): string {
  const nowMs = instantToMs(state.now);
  const silent = isSilent(state, row);
  const { at, holder, last, since, status, title } = row;
  const lease = leaseOf(row, nowMs);
  const texts: Texts = {
    mark: `${isCursor ? paint.glyphs.cursor : " "}${silent ? paint.glyphs.silent : " "}`,
    who: holder,
    silent: last === undefined ? "never" : ago(last.at, state.now),
    lease,
    since: since === undefined ? "" : timeText(state, since),
    did: didLast(state, row),
    issue: state.scope.project === undefined ? at.name : at.ref,
    title: status === "closed" ? `(closed) ${title}` : title,
    role: silent ? "warn" : undefined,
    leaseRole: lease === "expired" ? "error" : undefined,
  };
  return cellsRow(paint, width, rowOf(state, width, texts), isCursor ? "cursor" : undefined);
}

/** Returns the last action of the holder, with the name of the issue unless it is the issue of this row. */
function didLast(state: State, { at, last }: FleetRow): string {
  if (last === undefined) return "";
  const did = describeKind(last.kind);
  if (last.uid === undefined || last.uid === at.uid) return did;
  const name = nameOf(state, last.uid);
  const project = state.scope.project?.name;
  const ref = name.startsWith(`${project}#`) ? name.slice(name.indexOf("#") + 1) : name;
  return ref === "" ? did : `${ref} ${did}`;
}

export function fleetPreview(state: State, paint: Paint, width: number): readonly string[] {
  const row = fleetRow(state);
  if (row === undefined) return [];
  const silent = isSilent(state, row) ? "warn" : undefined;
  return [
    fit("", width),
    plainRow(paint, width, `${row.at.name}  ${row.title}`, "bold"),
    plainRow(paint, width, holdingText(state, row)),
    plainRow(paint, width, lastSeenText(state, row), silent),
  ];
}
