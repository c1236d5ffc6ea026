import { type MouseEvent, type ReactElement, useRef, useState } from "react";
import { boardRows, cursorIndex } from "../../src/screen/board/board.ts";
import { isLanes } from "../../src/screen/board/lanes.ts";
import { paneOf } from "../../src/screen/detail/panes.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { partWith, togglePart } from "../../src/screen/issues/query.ts";
import { loadingNote } from "../../src/screen/loading/note.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { ContextMenu, type MenuSpot } from "../parts/context-menu.tsx";
import { EmptyView } from "../parts/empty.tsx";
import { Lanes } from "../parts/lanes.tsx";
import { List } from "../parts/list.tsx";
import { useLongPress } from "../parts/long-press.ts";
import { isBeside } from "../room.ts";

interface Menu {
  readonly spot: MenuSpot;
  /** The issue that the menu acts on. `undefined`: the menu acts on the same issues as the keyboard commands. */
  readonly on: string | undefined;
}

export function Board({ state, send }: PainterProps): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<Menu | undefined>(undefined);
  const latest = useRef(state);
  latest.current = state;
  const openMenu = (target: EventTarget | null, spot: MenuSpot): boolean => {
    const at = rowAt(target);
    if (at === undefined) return false;
    const { marks, detail } = latest.current;
    const isCursor = at === cursorIndex(latest.current);
    if (!isCursor) send(pointMessage({ is: "row", at }));
    // If another row is chosen, an open issue closes. If the chosen row has the cursor already, an open issue stays
    // open, and the keys act on that issue and not on the row.
    const isOpenStill = isCursor && detail.open.length > 0;
    const uid = boardRows(latest.current)[at]?.issue.uid ?? "";
    const isKeys = !isOpenStill && (marks.size === 0 || marks.has(uid));
    // The menu of a marked row is about all marked issues. The menu of any other row is about that row's issue.
    setMenu({ spot, on: isKeys ? undefined : uid });
    return true;
  };
  const touch = useLongPress(openMenu);
  const empty = emptyOf(state);
  const note = state.board.search === undefined ? loadingNote(state) : undefined;
  const focused = paneOf(state) === "list" && state.detail.open.length === 0;
  const isFree = state.dialog === undefined && menu === undefined;
  return (
    // No key handler is needed here: the page handles the keys, and the rows are links that the keyboard reaches.
    <div
      ref={frame}
      className="board"
      role="presentation"
      data-marks={state.marks.size > 0}
      onClick={(event) => onRowClick(event, { state, send })}
      onContextMenu={(event) => {
        if (openMenu(event.target, { x: event.clientX, y: event.clientY })) event.preventDefault();
      }}
      {...touch}
    >
      {empty !== undefined ? (
        <EmptyView state={state} send={send} empty={empty} />
      ) : isLanes(state) ? (
        <Lanes key={state.board.view} state={state} send={send} focused={focused} isFree={isFree} />
      ) : (
        <List state={state} send={send} frame={frame} focused={focused} />
      )}
      {note === undefined ? null : <p className="loading-note">{note}</p>}
      {menu === undefined ? null : (
        <ContextMenu {...menu} state={state} send={send} close={() => setMenu(undefined)} />
      )}
    </div>
  );
}

function rowAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest("[data-at]") : null;
  return row === null ? undefined : Number(row.getAttribute("data-at"));
}

/**
 * Selects or opens the row or card that was clicked. A click on an element with `data-do` does what that attribute
 * says.
 */
function onRowClick(event: MouseEvent, { state, send }: PainterProps): void {
  const at = rowAt(event.target);
  if (at === undefined || !(event.target instanceof Element)) return;
  // A click on a link with ctrl or meta is left to the browser, which opens a new tab.
  const isLink = event.target.closest("a") !== null;
  if (isLink && (event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.shiftKey) return send(pointMessage({ is: "mark", at, range: true }));
  const part = event.target.closest("[data-do]");
  const does = part?.getAttribute("data-do");
  if (does === "mark") return send(pointMessage({ is: "mark", at, range: false }));
  if (does === "fold") return send(pointMessage({ is: "fold", at }));
  if (does === "label") {
    const label = part?.getAttribute("data-label") ?? "";
    return send(
      pointMessage({ is: "query", query: togglePart(state.board.query, partWith("label", label)) }),
    );
  }
  openRow(at, { state, send });
}

/**
 * Moves the cursor to a row. Opens the issue too, unless the issue under the cursor is already shown beside the rows.
 */
function openRow(at: number, { state, send }: PainterProps): void {
  const { columns: width } = state.window;
  const uid = boardRows(state)[at]?.issue.uid;
  if (at !== cursorIndex(state) || state.detail.open.length > 0)
    send(pointMessage({ is: "row", at }));
  if (!isBeside(width, state.preferences.layout, isLanes(state)) && uid !== undefined)
    send(pointMessage({ is: "issue", uid }));
}
