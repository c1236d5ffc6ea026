import type { MouseEvent, ReactElement, ReactNode } from "react";
import { paneOf } from "../../src/screen/detail/panes.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import type { Command } from "../../src/screen/keys.ts";
import { cursorOf } from "../../src/screen/lines.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { EmptyView } from "./empty.tsx";
import { isForBrowser } from "./issue-link.tsx";
import { WindowList } from "./window-list.tsx";

interface LinesProps<Row> extends PainterProps {
  readonly label: string;
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  readonly rowHeight: number;
  draw(row: Row, at: number): ReactNode;
  readonly lookOf?: (row: Row, at: number) => Readonly<Record<`data-${string}`, string | boolean>>;
  /** Set if a click on a link in a row only moves the cursor, as a click beside the link does. */
  readonly linksSelect?: true;
  /** The command that a click on a part of a row runs, by the part's `data-do`. */
  readonly commands?: Readonly<Record<string, Command>>;
}

/**
 * Draws the rows of a screen other than the board. A click moves the cursor; a click on the row under the cursor, or a
 * double click, does what enter does.
 */
export function Lines<Row>(props: LinesProps<Row>): ReactElement {
  const { state, send, label, rows, keyOf, rowHeight, draw, lookOf, commands } = props;
  const { linksSelect } = props;
  const empty = emptyOf(state);
  if (empty !== undefined) return <EmptyView state={state} send={send} empty={empty} />;
  const cursor = cursorOf(state);
  // Keys may have spaces, but a reference to an element's id ends at its first space.
  const idOf = (row: Row): string => `line-${keyOf(row).replaceAll(/\s/g, "-")}`;
  return (
    <WindowList
      label={label}
      rows={rows}
      keyOf={keyOf}
      idOf={idOf}
      cursor={cursor}
      rowHeight={rowHeight}
      focused={paneOf(state) === "list" && state.detail.open.length === 0}
      onClick={(event) => {
        const at = rowAt(event);
        if (at === undefined) return;
        const command = commands?.[partOf(event) ?? ""];
        if (command !== undefined) {
          if (at !== cursor) send(pointMessage({ is: "row", at }));
          return send(pointMessage({ is: "command", command }));
        }
        send(pointMessage({ is: "row", at }));
        // The first message moves the cursor to the row. The second message opens the row, as enter does. So one click
        // on a link is enough.
        if (at !== cursor && linksSelect === undefined && isOnLink(event))
          send(pointMessage({ is: "row", at }));
      }}
      draw={(row, at, top) => (
        <div
          key={keyOf(row)}
          id={idOf(row)}
          className="row list-line"
          role="row"
          aria-rowindex={at + 1}
          aria-selected={at === cursor}
          data-at={at}
          data-cursor={at === cursor}
          {...lookOf?.(row, at)}
          style={{ transform: `translateY(${top}px)`, height: `${rowHeight}px` }}
        >
          {draw(row, at)}
        </div>
      )}
    />
  );
}

/**
 * Returns the index of the row that was clicked. Returns `undefined` for a click on a link with ctrl or another
 * modifier key, which is left to the browser.
 */
export function rowAt(event: MouseEvent): number | undefined {
  if (isOnLink(event)) {
    if (isForBrowser(event)) return undefined;
    event.preventDefault();
  }
  const { target } = event;
  const row = target instanceof Element ? target.closest("[data-at]") : null;
  return row === null ? undefined : Number(row.getAttribute("data-at"));
}

function partOf({ target }: MouseEvent): string | undefined {
  const part = target instanceof Element ? target.closest("[data-do]") : null;
  return part?.getAttribute("data-do") ?? undefined;
}

function isOnLink({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest("a") !== null;
}

interface IssueTitleProps {
  readonly className: string;
  readonly href: string | undefined;
  readonly title: string;
}

export function IssueTitle({ className, href, title }: IssueTitleProps): ReactElement {
  if (href === undefined) return <span className={className}>{title}</span>;
  return (
    <a className={className} href={href} tabIndex={-1} draggable={false}>
      {title}
    </a>
  );
}

interface CellProps {
  readonly name: string;
  readonly children?: ReactNode;
}

export function Cell({ name, children }: CellProps): ReactElement {
  return (
    <span className={`cell ${name}`} role="gridcell">
      {children}
    </span>
  );
}
