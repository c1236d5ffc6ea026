import { memo, type ReactElement } from "react";
import type { Issue } from "../../src/screen/issues/issues.ts";
import type { Letter } from "../../src/screen/issues/relations.ts";
import { Icon } from "./icon.tsx";
import { Sign, signWord } from "./sign.tsx";
import { Label, Person, Priority } from "./words.tsx";

export interface CardProps {
  readonly issue: Issue;
  /** The index of the card among the cards of all lanes. */
  readonly at: number;
  /** The position of the card in its lane, counted from 1. */
  readonly place: number;
  readonly top: number;
  readonly letter: Letter;
  readonly name: string;
  readonly href: string;
  readonly isCursor: boolean;
  readonly isMarked: boolean;
  readonly isDragged: boolean;
  readonly mark: "pending" | "failed" | "changed" | undefined;
  readonly hasOwner: boolean;
  readonly age: string;
  readonly due: { readonly text: string; readonly when: string } | undefined;
}

/** A card of a lane. All cards have the same height, so that a lane can draw only the cards that are seen. */
export const Card = memo(function Card(props: CardProps): ReactElement {
  const { issue, at, place, top, letter, name, href, isCursor, isMarked, mark, due } = props;
  const { labels, child_counts: children } = issue;
  const most = props.hasOwner ? 1 : 2;
  return (
    <div
      id={`row-${issue.uid}`}
      className="card"
      role="row"
      aria-rowindex={place}
      aria-selected={isMarked}
      data-at={at}
      data-uid={issue.uid}
      data-cursor={isCursor}
      data-dragged={props.isDragged}
      data-mark={mark}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div className="card-cell" role="gridcell">
        <div className="card-line">
          <Sign letter={letter} />
          {issue.priority === undefined ? null : <Priority level={issue.priority} />}
          <span className="id">{name}</span>
          <span className="space" />
          {mark === "failed" ? <span className="refused">refused</span> : null}
          <span className="card-age">{props.age}</span>
          <span className="box" data-do="mark" data-on={isMarked}>
            <Icon name="check" />
          </span>
        </div>
        <a className="card-title" href={href} tabIndex={-1} draggable={false}>
          {issue.title}
        </a>
        <div className="card-line">
          {labels.slice(0, most).map((label) => (
            <span key={label} className="card-label" data-do="label" data-label={label}>
              <Label name={label} />
            </span>
          ))}
          {labels.length > most ? <span className="count">+{labels.length - most}</span> : null}
          <span className="space" />
          {children.total === 0 ? null : (
            <span className="count">
              {children.total - children.open}/{children.total}
            </span>
          )}
          {due === undefined ? null : (
            <span className="due" data-when={due.when}>
              {due.text}
            </span>
          )}
          {props.hasOwner && issue.owner !== undefined ? <Person name={issue.owner} /> : null}
        </div>
        <span className="hidden">
          {signWord(letter)}
          {isMarked ? ", marked" : ""}
        </span>
      </div>
    </div>
  );
});
