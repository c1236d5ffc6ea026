import { type MouseEvent, type ReactElement, useMemo, useRef, useState } from "react";
import { boardRows, cursorIndex } from "../../src/screen/board/board.ts";
import { columnsOf } from "../../src/screen/board/column-names.ts";
import { columnsWanted } from "../../src/screen/board/columns.ts";
import { dueOf } from "../../src/screen/board/due.ts";
import { emptyOf } from "../../src/screen/board/empty.ts";
import type { Row as BoardRow } from "../../src/screen/board/order.ts";
import { partWith, toggled } from "../../src/screen/board/query.ts";
import { letterOf } from "../../src/screen/board/relations.ts";
import { placeOf } from "../../src/screen/place/place.ts";
import type { State } from "../../src/screen/state.ts";
import { timeText } from "../../src/screen/times.ts";
import { paneOf } from "../../src/screen/window/panes.ts";
import { failureOf } from "../../src/screen/writes/failed.ts";
import { isPending } from "../../src/screen/writes/optimism.ts";
import { type PainterProps, pointed } from "../painter.ts";
import { ContextMenu, type MenuSpot } from "../parts/context-menu.tsx";
import { EmptyView } from "../parts/empty.tsx";
import { Row } from "../parts/row.tsx";
import { useWidth } from "../parts/use-width.ts";
import { WindowList } from "../parts/window-list.tsx";
import { issueUrls } from "../place.ts";
import { columnsIn, isBeside, rowHeight } from "../room.ts";

const idOf = ({ issue }: BoardRow): string => `row-${issue.uid}`;
const uidOf = ({ issue }: BoardRow): string => issue.uid;

/** The board as a list, nested or flat. */
export function Board({ state, send }: PainterProps): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const rows = boardRows(state);
  const cursor = cursorIndex(state);
  const empty = emptyOf(state);
  const hrefOf = issueUrls(placeOf(state));
  const wanted = columnsWanted(state).join(" ");
  // The same object for the same columns, so that rows are not drawn again.
  const shown = useMemo(() => columnsIn(width, columnsOf(wanted).columns), [width, wanted]);
  const isAll = state.projects.scope.project === undefined;
  const [menu, setMenu] = useState<MenuSpot | undefined>(undefined);
  const draw = (row: BoardRow, at: number, top: number): ReactElement => {
    const { issue } = row;
    return (
      <Row
        key={issue.uid}
        row={row}
        at={at}
        top={top}
        letter={row.context ? "~" : letterOf(state, issue)}
        name={isAll ? issue.qualified_id : issue.short_id}
        href={hrefOf(issue.uid)}
        isCursor={at === cursor}
        isMarked={state.board.marks.has(issue.uid)}
        mark={markOf(state, issue.uid)}
        shown={shown}
        age={timeText(state, issue.updated_at)}
        made={timeText(state, issue.created_at)}
        due={dueOf(state, issue)}
      />
    );
  };
  const opens = (event: MouseEvent): void => onRowClick(event, { state, send });
  return (
    <div ref={frame} className="board" data-marks={state.board.marks.size > 0}>
      {empty === undefined ? (
        <WindowList
          label="issues"
          rows={rows}
          keyOf={uidOf}
          idOf={idOf}
          cursor={cursor}
          rowHeight={rowHeight(state.window.columns)}
          draw={draw}
          onClick={opens}
          onFocus={() => {
            if (paneOf(state) !== "list") send(pointed({ is: "list" }));
          }}
          onContextMenu={(event) => {
            const at = rowAt(event);
            if (at === undefined) return;
            event.preventDefault();
            if (at !== cursor) send(pointed({ is: "row", at }));
            setMenu({ x: event.clientX, y: event.clientY });
          }}
          focused={paneOf(state) === "list" && state.detail.open.length === 0}
        />
      ) : (
        <EmptyView state={state} send={send} empty={empty} />
      )}
      {menu === undefined ? null : (
        <ContextMenu state={state} send={send} spot={menu} close={() => setMenu(undefined)} />
      )}
    </div>
  );
}

function markOf(state: State, uid: string): "pending" | "failed" | "changed" | undefined {
  if (failureOf(state, uid) !== undefined) return "failed";
  if (isPending(state, uid)) return "pending";
  return state.board.changed.has(uid) ? "changed" : undefined;
}

function rowAt({ target }: MouseEvent): number | undefined {
  const row = target instanceof Element ? target.closest("[data-at]") : null;
  return row === null ? undefined : Number(row.getAttribute("data-at"));
}

/** A click on a row selects or opens it; on a part of it, it does what the part stands for. */
function onRowClick(event: MouseEvent, { state, send }: PainterProps): void {
  const at = rowAt(event);
  if (at === undefined || !(event.target instanceof Element)) return;
  // A click with a modifier on the link is the browser's: a new tab or window.
  const isLink = event.target.closest("a") !== null;
  if (isLink && (event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.shiftKey) return send(pointed({ is: "mark", at, range: true }));
  const part = event.target.closest("[data-do]");
  const does = part?.getAttribute("data-do");
  if (does === "mark") return send(pointed({ is: "mark", at, range: false }));
  if (does === "fold") return send(pointed({ is: "fold", at }));
  if (does === "label") {
    const label = part?.getAttribute("data-label") ?? "";
    return send(
      pointed({ is: "query", query: toggled(state.board.query, partWith("label", label)) }),
    );
  }
  openRow(at, { state, send });
}

/** Where the issue under the cursor is shown beside the list, a click moves the cursor; elsewhere it opens the issue. */
function openRow(at: number, { state, send }: PainterProps): void {
  const { columns: width } = state.window;
  const uid = boardRows(state)[at]?.issue.uid;
  if (at !== cursorIndex(state) || state.detail.open.length > 0) send(pointed({ is: "row", at }));
  if (!isBeside(width, state.preferences.layout, false) && uid !== undefined)
    send(pointed({ is: "issue", uid }));
}
