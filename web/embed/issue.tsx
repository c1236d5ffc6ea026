import { type ReactElement, useState } from "react";
import { deletedSentence } from "../../src/screen/detail/deleted.ts";
import type { Times } from "../../src/screen/times.ts";
import type { IssueActs } from "../parts/issue/acts.ts";
import { ChildIssues } from "../parts/issue/children.tsx";
import { Facts } from "../parts/issue/facts.tsx";
import { Links } from "../parts/issue/peers.tsx";
import { CommentList, History, Timeline } from "../parts/issue/timeline.tsx";
import { Boundary } from "./boundary.tsx";
import { Text } from "./text.tsx";
import { type Given, valuesOf } from "./values.ts";

interface IssueProps {
  readonly given: Given;
  readonly how: Times;
  readonly acts: IssueActs;
}

/** The detail of an issue, drawn by the parts of the page from the given answers. */
export function Issue({ given, how, acts }: IssueProps): ReactElement {
  const values = valuesOf(given, how);
  const { shown, standing, due, titleOf, letterOf, links, children, events } = values;
  const { issue, project, uid } = shown;
  const drawText = (text: string): ReactElement => (
    <Text text={text} project={project} open={acts.open} />
  );
  return (
    <article aria-label={`issue ${issue.qualified_id}`}>
      <p className="id">{issue.qualified_id}</p>
      <h1 className="issue-title">{issue.title}</h1>
      {issue.deleted_at == null ? null : (
        <p className="said warn">{deletedSentence(how, events, issue.deleted_at)}</p>
      )}
      <Facts {...{ shown, standing, due, titleOf, acts }} runs={undefined} />
      <div className="description">
        {issue.body.trim() === "" ? <p className="none">No description.</p> : drawText(issue.body)}
      </div>
      <ChildIssues key={uid} project={project} issues={children} acts={acts} />
      <Links {...{ uid, project, links, titleOf, letterOf, acts }} />
      <Story key={uid} {...{ values, how, acts, drawText }} />
    </article>
  );
}

const UNREADABLE_HISTORY = (
  <p className="said warn">
    The history is not shown: what was given is not the answer of the API.
  </p>
);

interface StoryProps extends Pick<IssueProps, "how" | "acts"> {
  readonly values: ReturnType<typeof valuesOf>;
  drawText(text: string): ReactElement;
}

function Story({ values, how, acts, drawText }: StoryProps): ReactElement {
  const { comments, commentCount, events } = values;
  const [isAsked, toHistory] = useState(false);
  const left = commentCount - comments.length;
  return (
    <Timeline
      isHistory={isAsked && events !== undefined}
      toHistory={toHistory}
      comments={commentCount}
      events={events?.length ?? "none"}
    >
      {isAsked && events !== undefined ? (
        <Boundary given={events} fallback={UNREADABLE_HISTORY}>
          <History events={events} how={how} acts={acts} />
        </Boundary>
      ) : (
        <>
          {left === 0 ? null : (
            <p className="none">
              {left} {left === 1 ? "comment is" : "comments are"} not shown here.
            </p>
          )}
          <CommentList {...{ comments, how, drawText, acts }} />
          {commentCount === 0 ? <p className="none">Nobody has commented yet.</p> : null}
        </>
      )}
    </Timeline>
  );
}
