import type { ReactElement } from "react";
import { commentsOf, ownComments } from "../../../src/screen/detail/comments.ts";
import { pointMessage } from "../../painter.ts";
import { CommandButton } from "../button.tsx";
import { CommentList, History, Timeline } from "../issue/timeline.tsx";
import type { DetailPartProps } from "./facts.tsx";
import { MarkdownText } from "./markdown.tsx";

/** The comments and the history of the issue in view. */
export function DetailTimeline({ state, send, shown }: DetailPartProps): ReactElement {
  const { detail } = shown;
  const isHistory = state.detail.section === "Events";
  return (
    <Timeline
      isHistory={isHistory}
      toHistory={(is) => send(pointMessage({ is: "section", section: is ? "Events" : "Comments" }))}
      comments={detail?.show?.comments.length}
      events={detail?.events?.length}
    >
      {isHistory ? <DetailHistory shown={shown} /> : <Comments {...{ state, send, shown }} />}
    </Timeline>
  );
}

function Comments({ state, send, shown }: DetailPartProps): ReactElement {
  const { detail, how, project } = shown;
  const comments = commentsOf(detail);
  const isFree = state.connection.readOnly === undefined && state.issues.has(shown.uid);
  const own = new Set(isFree ? ownComments(state, shown.uid).map(({ uid }) => uid) : []);
  return (
    <>
      <CommentList
        comments={comments}
        how={how}
        drawText={(text) => <MarkdownText {...{ state, send, text, project }} />}
        editOf={(uid) =>
          own.has(uid) ? () => send(pointMessage({ is: "comment", uid })) : undefined
        }
        acts={{}}
      />
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

function DetailHistory({ shown }: Pick<DetailPartProps, "shown">): ReactElement {
  const { detail, how } = shown;
  if (detail?.eventsError !== undefined) return <p className="said error">{detail.eventsError}</p>;
  return <History events={detail?.events ?? []} how={how} acts={{}} />;
}
