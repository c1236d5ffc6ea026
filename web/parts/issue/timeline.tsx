import type { ReactElement, ReactNode } from "react";
import { lostText, type Times, timePhrase, wallTime } from "../../../src/screen/times.ts";
import { describeEvent } from "../../../src/shared/event-text.ts";
import type { CommentFields, EventFields } from "../../embed/answers.ts";
import { Icon } from "../icon.tsx";
import { Person } from "../words.tsx";
import type { IssueActs } from "./acts.ts";

interface TimelineProps {
  /** Whether the history is shown instead of the comments. */
  readonly isHistory: boolean;
  toHistory(isHistory: boolean): void;
  /** The number of comments; `undefined` if they are not known. */
  readonly comments: number | undefined;
  /** The number of events; `undefined` if they are not known, and `none` if they are not shown at all. */
  readonly events: number | undefined | "none";
  readonly children: ReactNode;
}

/** The comments and the history of an issue, one of them at a time: what is shown are the children. */
export function Timeline(props: TimelineProps): ReactElement {
  const { isHistory, toHistory, comments, events, children } = props;
  const tab = (label: string, isOfHistory: boolean, count: number | undefined): ReactElement => (
    <button
      type="button"
      role="tab"
      aria-selected={isHistory === isOfHistory}
      onClick={() => toHistory(isOfHistory)}
    >
      {label} {count === undefined ? null : <span className="count">{count}</span>}
    </button>
  );
  return (
    <section className="part timeline" data-section>
      <div className="tabs" role="tablist" aria-label="what was said and done">
        {tab("Comments", false, comments)}
        {events === "none" ? null : tab("History", true, events)}
      </div>
      {children}
    </section>
  );
}

interface CommentsProps {
  readonly comments: readonly (CommentFields & { readonly edited_at: string | undefined })[];
  readonly how: Times;
  /** Draws a Markdown text. */
  drawText(text: string): ReactElement;
  /** Returns the function that opens a comment for editing; `undefined` if it may not change. */
  readonly editOf?: (uid: string) => (() => void) | undefined;
  readonly acts: Pick<IssueActs, "showPerson">;
}

export function CommentList(props: CommentsProps): ReactElement {
  const { comments, how, drawText, editOf, acts } = props;
  return (
    <ol className="comments">
      {comments.map(({ uid, author, created_at, edited_at, body }) => (
        <li key={uid} className="comment">
          <p className="by">
            <Person name={author} show={acts.showPerson} /> <When how={how} instant={created_at} />
            {edited_at === undefined ? null : <When how={how} instant={edited_at} lead="edited " />}
            <EditComment edit={editOf?.(uid)} />
          </p>
          {drawText(body)}
        </li>
      ))}
    </ol>
  );
}

function EditComment({ edit }: { readonly edit: (() => void) | undefined }): ReactElement | null {
  if (edit === undefined) return null;
  return (
    <button
      type="button"
      className="button plain edit-text"
      aria-label="Edit this comment"
      title="Edit this comment"
      onClick={edit}
    >
      <Icon name="edit" />
    </button>
  );
}

interface HistoryProps {
  /** The oldest first. */
  readonly events: readonly EventFields[];
  readonly how: Times;
  readonly acts: Pick<IssueActs, "showPerson">;
}

/** Lists the events of an issue, the newest first. */
export function History({ events, how, acts }: HistoryProps): ReactElement {
  return (
    <ol className="history">
      {events.toReversed().map((event) => (
        <li key={event.event_uid}>
          <Actor name={event.actor} show={acts.showPerson} />{" "}
          <span className="told">{describeEvent(event)}</span>{" "}
          {event.overwritten_by === undefined ? null : (
            <span className="lost">{lostText(how, event.overwritten_by)}</span>
          )}{" "}
          <When how={how} instant={event.created_at} />
        </li>
      ))}
    </ol>
  );
}

interface ActorProps {
  readonly name: string;
  readonly show: IssueActs["showPerson"];
}

function Actor({ name, show }: ActorProps): ReactElement {
  if (show === undefined) return <span className="actor">{name}</span>;
  return (
    <button type="button" className="actor" onClick={() => show(name)}>
      {name}
    </button>
  );
}

interface WhenProps {
  readonly how: Times;
  readonly instant: string;
  readonly lead?: string;
}

function When({ how, instant, lead = "" }: WhenProps): ReactElement {
  const { zone } = how.preferences;
  return (
    <time dateTime={instant} title={`${wallTime(instant, zone).slice(0, 16)} ${zone}`}>
      {lead}
      {timePhrase(how, instant)}
    </time>
  );
}
