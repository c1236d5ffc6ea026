import {
  type MouseEventHandler,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useReducer,
  useRef,
} from "react";

export interface WindowListProps<Row> {
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  readonly cursor: number;
  readonly rowHeight: number;
  /** The id of a row's element, by which `aria-activedescendant` names the cursor's row. */
  idOf(row: Row): string;
  draw(row: Row, at: number, top: number): ReactNode;
  /**
   * Returns the index of the row that stays at the top of the list while the row with the index `first` is the first
   * one drawn.
   */
  pinned?(first: number): number | undefined;
  readonly label: string;
  /** Whether the cursor is in this list; only given if several lists are side by side. */
  readonly isCurrent?: boolean;
  readonly onClick?: MouseEventHandler;
  onFocus?(): void;
  readonly focused: boolean;
}

/** Rows are also drawn this far above and below the visible part, so that a quick scroll shows no gap. */
const SPARE_PX = 288;
/** If a scroll leaves fewer pixels than this drawn above or below the visible part, the list is drawn again. */
const LEAST_SPARE_PX = 144;
/** Until the height of the list is known, rows are drawn for this many pixels. */
const FIRST_PX = 1440;

/**
 * How far the list is scrolled, and the height of its visible part, in pixels. Until it is measured, the height is 0.
 */
interface View {
  readonly top: number;
  readonly height: number;
}

interface DrawnRange {
  readonly first: number;
  readonly end: number;
}

interface LastRows<Row> {
  readonly rows: readonly Row[];
  readonly cursor: string | undefined;
}

/**
 * A list that has only its visible rows and a few more in the document. The cursor's row stays in view. When rows above
 * appear or disappear, the row that a person looks at stays where it is on the screen.
 *
 * The scroll position is computed before the list is drawn, so a key that scrolls by one row draws the list only once.
 * Drawing it a second time would delay the next key.
 */
export function WindowList<Row>(props: WindowListProps<Row>): ReactElement {
  const { rows, keyOf, cursor, rowHeight, idOf, draw, pinned, label, focused } = props;
  const list = useRef<HTMLDivElement>(null);
  // The scroll position and the height are kept in a ref. Reading them from the element after a change would make the
  // browser compute the layout at once.
  const view = useRef<View>({ top: 0, height: 0 });
  const last = useRef<LastRows<Row>>({ rows: [], cursor: undefined });
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const top = topOf(props, last.current, view.current);
  const drawn = rowsAround({ top, height: view.current.height }, rowHeight, rows.length);
  const active = rows[cursor];
  const above = pinned?.(drawn.first);
  useLayoutEffect(() => {
    const { top: known, height } = view.current;
    if (height === 0) return;
    last.current = { rows, cursor: active === undefined ? undefined : keyOf(active) };
    if (top !== known && list.current !== null) list.current.scrollTop = top;
    view.current = { top, height };
  });
  const measure = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    const isSized = clientHeight !== view.current.height;
    view.current = { top: scrollTop, height: clientHeight };
    if (isSized || isShort(view.current, drawn, rowHeight, rows.length)) drawAgain();
  };
  useSize(list, measure);
  return (
    // The list needs no key handler, because the page handles the keys that move the cursor.
    <div
      ref={list}
      className="window-list"
      role="treegrid"
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={rows.length}
      aria-activedescendant={active === undefined ? undefined : idOf(active)}
      data-focused={focused}
      data-current={props.isCurrent}
      tabIndex={0}
      onScroll={measure}
      onClick={props.onClick}
      onFocus={props.onFocus}
      onMouseDown={(event) => {
        // A click on a link in a row must not take the focus out of the list.
        if (event.button !== 0) return;
        event.preventDefault();
        list.current?.focus({ preventScroll: true });
      }}
    >
      <div
        className="all-rows"
        role="presentation"
        style={{ height: `${rows.length * rowHeight}px` }}
      >
        {indicesOf(drawn, above).map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <RowSlot key={keyOf(row)}>{draw(row, index, index * rowHeight)}</RowSlot>
          );
        })}
      </div>
    </div>
  );
}

function RowSlot({ children }: { readonly children: ReactNode }): ReactNode {
  return children;
}

/** The indices of the rows in the document. The row that stays at the top is among them. */
function indicesOf({ first, end }: DrawnRange, above: number | undefined): readonly number[] {
  const shown = Array.from({ length: end - first }, (_, at) => first + at);
  return above === undefined || above >= first ? shown : [above, ...shown];
}

function rowsAround({ top, height }: View, rowHeight: number, count: number): DrawnRange {
  if (height === 0) return { first: 0, end: Math.min(count, Math.ceil(FIRST_PX / rowHeight)) };
  const first = Math.floor((top - SPARE_PX) / rowHeight);
  const end = Math.ceil((top + height + SPARE_PX) / rowHeight);
  return { first: Math.max(0, first), end: Math.min(count, end) };
}

function isShort(
  { top, height }: View,
  drawn: DrawnRange,
  rowHeight: number,
  count: number,
): boolean {
  const [from, to] = [drawn.first * rowHeight, drawn.end * rowHeight];
  const isShortAbove = drawn.first > 0 && top - from < LEAST_SPARE_PX;
  const isShortBelow = drawn.end < count && to - (top + height) < LEAST_SPARE_PX;
  return isShortAbove || isShortBelow;
}

/**
 * The next scroll position of the list in pixels. If the cursor has moved, its row is in view there. If only rows above
 * have appeared or disappeared, the row that a person looks at stays where it is on the screen.
 */
function topOf<Row>(
  { rows, keyOf, cursor, rowHeight }: WindowListProps<Row>,
  last: LastRows<Row>,
  view: View,
): number {
  const { height } = view;
  if (height === 0) return view.top;
  const row = rows[cursor];
  const key = row === undefined ? undefined : keyOf(row);
  const isMoved = key !== last.cursor;
  let { top } = view;
  if (last.rows !== rows && last.rows.length > 0 && !isMoved)
    top += movedBy(last.rows, rows, view, rowHeight, keyOf, key);
  if (isMoved && cursor >= 0) {
    const at = cursor * rowHeight;
    // One row beyond the cursor stays visible, so that a person sees the next row before the cursor reaches it.
    if (at < top + rowHeight) top = at - rowHeight;
    else if (at + 2 * rowHeight > top + height) top = at + 2 * rowHeight - height;
  }
  return Math.max(0, Math.min(top, rows.length * rowHeight - height));
}

/**
 * How far, in pixels, the row that a person looks at has moved: the cursor's row if it was in view, else the first row
 * in view that still exists.
 */
function movedBy<Row>(
  old: readonly Row[],
  rows: readonly Row[],
  { top, height }: View,
  rowHeight: number,
  keyOf: (row: Row) => string,
  cursor: string | undefined,
): number {
  const first = Math.floor(top / rowHeight);
  const seen = old.slice(first, first + Math.ceil(height / rowHeight));
  const places = new Map(seen.map((row, at) => [keyOf(row), first + at]));
  const order = cursor !== undefined && places.has(cursor) ? [cursor] : [...places.keys()];
  for (const anchor of order) {
    const at = rows.findIndex((row) => keyOf(row) === anchor);
    if (at !== -1) return (at - (places.get(anchor) ?? at)) * rowHeight;
  }
  return 0;
}

function useSize(list: RefObject<HTMLElement | null>, measure: () => void): void {
  const latest = useRef(measure);
  latest.current = measure;
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    latest.current();
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
}
