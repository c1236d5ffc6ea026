import type { ReactElement, ReactNode } from "react";
import { commentsOf, ownComments } from "../../src/screen/detail/comments.ts";
import type { IssueView } from "../../src/screen/detail/shown.ts";
import type { IssueEvent, Section } from "../../src/screen/detail/state.ts";
import { lostText, type Times, timePhrase, wallTime } from "../../src/screen/times.ts";
import { describeEvent } from "../../src/shared/event-text.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { CommandButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { MarkdownText } from "./markdown.tsx";
import { Person } from "./words.tsx";

interface TimelineProps extends PainterProps {
  readonly shown: IssueView;
}

export function Timeline({ state, send, shown }: TimelineProps): ReactElement {
  const { detail } = shown;
  const isHistory = state.detail.section === "Events";
  const tab = (section: Section, label: string, count: number | undefined): ReactElement => (
    <button
      type="button"
      role="tab"
      aria-selected={isHistory === (section === "Events")}
      onClick={() => send(pointMessage({ is: "section", section }))}
    >
      {label} {count === undefined ? null : <span className="count">{count}</span>}
    </button>
  );
  return (
    <section className="part timeline" data-section>
      <div className="tabs" role="tablist" aria-label="what was said and done">
        {tab("Comments", "Comments", detail?.show?.comments.length)}
        {tab("Events", "History", detail?.events?.length)}
      </div>
      {isHistory ? (
        <History {...{ state, send, shown }} />
      ) : (
        <Comments {...{ state, send, shown }} />
      )}
    </section>
  );
}

function Comments({ state, send, shown }: TimelineProps): ReactElement {
  const { detail, how, project } = shown;
  const comments = commentsOf(detail);
  const isFree = state.connection.readOnly === undefined && state.issues.has(shown.uid);
  const own = new Set(isFree ? ownComments(state, shown.uid).map(({ uid }) => uid) : []);
  return (
    <>
      <ol className="comments">
        {comments.map(({ uid, author, created_at, edited_at, body }) => (
          <li key={uid} className="comment">
            <p className="by">
              <Person name={author} /> <When how={how} instant={created_at} />
              {edited_at === undefined ? null : (
                <When how={how} instant={edited_at} lead="edited " />
              )}
              {own.has(uid) ? (
                <button
                  type="button"
                  className="button plain edit-text"
                  aria-label="Edit this comment"
                  title="Edit this comment"
                  onClick={() => send(pointMessage({ is: "comment", uid }))}
                >
                  <Icon name="edit" />
                </button>
              ) : null}
            </p>
            <MarkdownText state={state} send={send} text={body} project={project} />
          </li>
        ))}
      </ol>
      {detail?.error === undefined ? null : <p className="said error">{detail.error}</p>}
      {comments.length === 0 && detail?.show !== undefined ? (
        <p className="none">Nobody has commented yet.</p>
      ) : null}
      <CommandButton
        state={state}
        send={send}
        command={
          state.detail.open.length > 0 || state.window.focus === "detail"
            ? "comment"
            : "list-comment"
        }
        label="Write a comment"
        icon="comment"
        look="bordered"
      />
    </>
  );
}

function History({ shown }: TimelineProps): ReactElement {
  const { detail, how } = shown;
  if (detail?.eventsError !== undefined) return <p className="said error">{detail.eventsError}</p>;
  return (
    <ol className="history">
      {(detail?.events ?? []).toReversed().map((event) => (
        <li key={event.event_uid}>
          <span className="actor">{event.actor}</span> {toldOf(event)}{" "}
          {event.overwritten_by === undefined ? null : (
            <span className="lost">{lostText(how, event.overwritten_by)}</span>
          )}{" "}
          <When how={how} instant={event.created_at} />
        </li>
      ))}
    </ol>
  );
}

function toldOf(event: IssueEvent): ReactNode {
  return <span className="told">{describeEvent(event)}</span>;
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
