import {
  type KeyboardEventHandler,
  type MouseEventHandler,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

export interface WindowListProps<Row> {
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  readonly cursor: number;
  readonly rowHeight: number;
  /** The id of a row's element, by which `aria-activedescendant` names the cursor's row. */
  idOf(row: Row): string;
  draw(row: Row, at: number, top: number): ReactNode;
  readonly label: string;
  /** Whether the cursor is in this list; only given if several lists are side by side. */
  readonly isCurrent?: boolean;
  readonly onClick?: MouseEventHandler;
  readonly onAuxClick?: MouseEventHandler;
  readonly onContextMenu?: MouseEventHandler;
  readonly onKeyDown?: KeyboardEventHandler;
  onFocus?(): void;
  readonly focused: boolean;
}

/** Rows are also drawn this far above and below the visible part, so that a quick scroll shows no gap. */
const SPARE_PX = 288;
/**
 * If less than this height of drawn rows is left beyond the visible part, more rows are drawn at once. Otherwise they
 * are drawn after the browser has shown the current ones.
 */
const LEAST_SPARE_PX = 144;
/** Until the list has been measured, rows are drawn for this height. */
const FIRST_PX = 1440;

/** How far the list is scrolled, and the height of its visible part, in pixels. */
interface View {
  top: number;
  height: number;
}

/**
 * A list that has only its visible rows and a few more in the document. The cursor's row stays in view. When rows above
 * appear or disappear, the row that a person looks at stays where it is on the screen.
 */
export function WindowList<Row>(props: WindowListProps<Row>): ReactElement {
  const { rows, keyOf, cursor, rowHeight, idOf, draw, label, focused } = props;
  const list = useRef<HTMLDivElement>(null);
  // The values are kept in a ref. Reading them from the element after a change would make the browser compute the
  // layout at once.
  const view = useRef<View>({ top: 0, height: 0 });
  const [window, setWindow] = useState({ first: 0, count: Math.ceil(FIRST_PX / rowHeight) });
  const spare = Math.ceil(SPARE_PX / rowHeight);
  const follow = (): void => {
    const { top, height } = view.current;
    // `first` moves in steps of `spare` rows, so that a scroll by one row seldom draws the list again.
    const first = Math.max(0, Math.floor(top / rowHeight / spare) * spare - spare);
    const count = Math.ceil(height / rowHeight) + 3 * spare;
    setWindow((known) =>
      known.first === first && known.count === count ? known : { first, count },
    );
  };
  const followIfShort = (): void => {
    const { top, height } = view.current;
    const [from, to] = [window.first * rowHeight, (window.first + window.count) * rowHeight];
    const isShortAbove = from > 0 && top - from < LEAST_SPARE_PX;
    const isShortBelow = to < rows.length * rowHeight && to - (top + height) < LEAST_SPARE_PX;
    if (isShortAbove || isShortBelow) follow();
  };
  const measure = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    view.current = { top: scrollTop, height: clientHeight };
    followIfShort();
  };
  useSize(list, measure);
  useRowInView(list, view, props, followIfShort);
  // An effect runs after the browser has drawn, so that no key waits for rows that are not visible.
  useEffect(follow);
  const shown = rows.slice(window.first, window.first + window.count);
  const active = rows[cursor];
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
      onAuxClick={props.onAuxClick}
      onContextMenu={props.onContextMenu}
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
        {shown.map((row, at) => {
          const index = window.first + at;
          return <RowSlot key={keyOf(row)}>{draw(row, index, index * rowHeight)}</RowSlot>;
        })}
      </div>
    </div>
  );
}

function RowSlot({ children }: { readonly children: ReactNode }): ReactNode {
  return children;
}

/**
 * Scrolls to the cursor when it has moved. When rows above have come or gone, scrolls so that the row that a person
 * looks at stays where it is on the screen.
 */
function useRowInView<Row>(
  list: RefObject<HTMLDivElement | null>,
  view: RefObject<View>,
  { rows, keyOf, cursor, rowHeight }: WindowListProps<Row>,
  follow: () => void,
): void {
  const before = useRef<{ readonly rows: readonly Row[]; readonly key: string | undefined }>({
    rows: [],
    key: undefined,
  });
  const row = rows[cursor];
  const key = row === undefined ? undefined : keyOf(row);
  useLayoutEffect(() => {
    const { rows: old, key: oldKey } = before.current;
    before.current = { rows, key };
    const { top: known, height } = view.current;
    const most = Math.max(0, rows.length * rowHeight - height);
    const isMoved = key !== oldKey;
    let top = known;
    if (old !== rows && old.length > 0 && !isMoved)
      top += movedBy(old, rows, view.current, rowHeight, keyOf, key);
    if (isMoved && cursor >= 0) {
      const at = cursor * rowHeight;
      // One row beyond the cursor stays visible, so that a person sees the next row before the cursor reaches it.
      if (at < top + rowHeight) top = at - rowHeight;
      else if (at + 2 * rowHeight > top + height) top = at + 2 * rowHeight - height;
    }
    top = Math.max(0, Math.min(top, most));
    if (top !== known && list.current !== null) list.current.scrollTop = top;
    view.current.top = top;
    follow();
  });
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
