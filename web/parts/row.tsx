import { memo, type ReactElement } from "react";
import type { Row as BoardRow } from "../../src/screen/board/order.ts";
import { UNICODE } from "../../src/screen/glyphs.ts";
import type { Letter } from "../../src/screen/issues/relations.ts";
import { syncedMark } from "../../src/screen/issues/synced.ts";
import { MEANT } from "../../src/screen/signs.ts";
import type { ColumnsShown } from "../room.ts";
import { Icon } from "./icon.tsx";
import { Sign } from "./sign.tsx";
import { Label, Person, Priority } from "./words.tsx";

export interface RowProps {
  readonly row: BoardRow;
  readonly at: number;
  /** The number of the row's line in the list. Headings are lines too. */
  readonly line: number;
  readonly level: number;
  readonly top: number;
  readonly letter: Letter | "~";
  readonly name: string;
  readonly href: string;
  readonly isCursor: boolean;
  readonly isMarked: boolean;
  readonly mark: "pending" | "failed" | "changed" | undefined;
  readonly shown: ColumnsShown;
  readonly age: string;
  readonly made: string;
  readonly due: { readonly text: string; readonly when: string } | undefined;
}

const MAX_LABELS = 3;

/**
 * Draws an issue as a row of the list. The attribute `data-do` of an element in the row tells the board what a click on
 * that element does.
 */
export const Row = memo(function Row(props: RowProps): ReactElement {
  const { row, at, line, level, top, letter, name, href, isCursor, isMarked, mark, shown } = props;
  const { issue, depth, fold } = row;
  const has = (column: ColumnsShown["columns"][number]): boolean => shown.columns.includes(column);
  const synced = syncedMark(issue);
  const done = issue.child_counts.total - issue.child_counts.open;
  return (
    <div
      id={`row-${issue.uid}`}
      className="row"
      role="row"
      aria-rowindex={line + 1}
      aria-level={level}
      aria-selected={isMarked}
      aria-expanded={fold === "leaf" ? undefined : fold === "open"}
      data-at={at}
      data-cursor={isCursor}
      data-context={row.context}
      data-mark={mark}
      style={{ transform: `translateY(${top}px)`, "--depth": depth }}
    >
      <span className="cell lead" role="gridcell" aria-label={isMarked ? "marked" : undefined}>
        <span className="box" data-do="mark" data-on={isMarked}>
          <Icon name="check" />
        </span>
        <span className="indent" />
        {fold === "leaf" ? (
          <span className="fold" />
        ) : (
          <span className="fold" data-do="fold" data-open={fold === "open"}>
            <Icon name="chevron" />
          </span>
        )}
        <Sign letter={letter} />
      </span>
      {has("priority") ? (
        <span className="cell" role="gridcell">
          <Priority level={issue.priority} />
        </span>
      ) : null}
      <span className="cell title" role="gridcell">
        <a href={href} tabIndex={-1} draggable={false}>
          {issue.title}
        </a>
        {issue.child_counts.total > 0 ? (
          <span className="counts" title={`${done} of ${issue.child_counts.total} children closed`}>
            {done}/{issue.child_counts.total}
          </span>
        ) : null}
        {synced === undefined ? null : <span className="counts">{synced}</span>}
        {row.meant === true ? (
          <span className="counts" role="img" aria-label={MEANT.label} title={MEANT.label}>
            {UNICODE.meant}
          </span>
        ) : null}
        {mark === "failed" ? <span className="refused">refused</span> : null}
      </span>
      {has("labels") ? (
        <span className="cell labels" role="gridcell">
          {issue.labels.slice(0, MAX_LABELS).map((label) => (
            <span key={label} data-do="label" data-label={label}>
              <Label name={label} />
            </span>
          ))}
          {issue.labels.length > MAX_LABELS ? (
            <span className="more">+{issue.labels.length - MAX_LABELS}</span>
          ) : null}
        </span>
      ) : null}
      {has("due") ? (
        <span className="cell due" role="gridcell" data-when={props.due?.when}>
          {props.due?.text}
        </span>
      ) : null}
      {has("author") ? (
        <span className="cell owner" role="gridcell" data-initials={shown.initials}>
          <Person name={issue.author} />
        </span>
      ) : null}
      {has("owner") ? (
        <span className="cell owner" role="gridcell" data-initials={shown.initials}>
          {issue.owner === undefined ? null : <Person name={issue.owner} />}
        </span>
      ) : null}
      {has("created") ? (
        <span className="cell age" role="gridcell">
          {props.made}
        </span>
      ) : null}
      {has("age") ? (
        <span className="cell age" role="gridcell">
          {props.age}
        </span>
      ) : null}
      {shown.id ? (
        <span className="cell id" role="gridcell">
          {name}
        </span>
      ) : null}
    </div>
  );
});
