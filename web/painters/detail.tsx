import { type ReactElement, type RefObject, useLayoutEffect } from "react";
import { deletedSaid } from "../../src/screen/detail/away.ts";
import { detailUid } from "../../src/screen/detail/detail.ts";
import { type Shown, shownOf } from "../../src/screen/detail/shown.ts";
import { isTouched } from "../../src/screen/events.ts";
import type { State } from "../../src/screen/state.ts";
import { failureOf } from "../../src/screen/writes/failed.ts";
import { type PainterProps, pointed } from "../painter.ts";
import { CommandButton } from "../parts/button.tsx";
import { Children } from "../parts/children.tsx";
import { Facts } from "../parts/facts.tsx";
import { Icon } from "../parts/icon.tsx";
import { MarkdownText } from "../parts/markdown.tsx";
import { MoreCommands } from "../parts/more-commands.tsx";
import { Links } from "../parts/peers.tsx";
import { Timeline } from "../parts/timeline.tsx";
import { Unread } from "../parts/unread.tsx";
import { LINE_HEIGHT, shapeOf } from "../room.ts";

interface DetailProps extends PainterProps {
  readonly pane: RefObject<HTMLElement | null>;
}

/** Draws one issue: its title, facts, text and links, its comments and its events. */
export function Detail({ state, send, pane }: DetailProps): ReactElement {
  const uid = detailUid(state);
  const shown = uid === undefined ? undefined : shownOf(state, uid, state.detail.known.get(uid));
  useScroll(pane, state, uid);
  if (uid === undefined) return <section ref={pane} className="detail" aria-label="issue" />;
  return (
    <section
      ref={pane}
      className="detail"
      aria-label={shown === undefined ? "issue" : `issue ${shown.issue.qualified_id}`}
      tabIndex={-1}
      data-uid={uid}
      data-focused={state.window.focus === "detail"}
      onFocus={() => {
        if (state.window.focus !== "detail") send(pointed({ is: "detail" }));
      }}
    >
      {shown === undefined ? (
        <Unread state={state} send={send} uid={uid} />
      ) : (
        // Without a `key`, React draws another issue into the same elements, which takes half as long as making new
        // ones.
        <Whole state={state} send={send} shown={shown} />
      )}
    </section>
  );
}

function Whole({ state, send, shown }: PainterProps & { readonly shown: Shown }): ReactElement {
  const { issue, project } = shown;
  return (
    <article>
      <Bar state={state} send={send} shown={shown} />
      <h1
        className="issue-title"
        onDoubleClick={() => send(pointed({ is: "command", command: "edit" }))}
      >
        {issue.title}
      </h1>
      {issue.deleted_at == null ? null : (
        <p className="said warn">{deletedSaid(state, shown, issue.deleted_at)}</p>
      )}
      <Refused state={state} send={send} uid={shown.uid} />
      {isTouched(state) && state.detail.touched !== undefined ? (
        <p className="said changed">{state.detail.touched.text}</p>
      ) : null}
      <Facts state={state} send={send} shown={shown} />
      <div className="description">
        {issue.body.trim() === "" ? (
          <NoText state={state} send={send} />
        ) : (
          <MarkdownText
            key={shown.uid}
            state={state}
            send={send}
            text={issue.body}
            project={project}
            ticks
          />
        )}
      </div>
      <Children state={state} send={send} shown={shown} />
      <Links state={state} send={send} shown={shown} />
      <Timeline state={state} send={send} shown={shown} />
    </article>
  );
}

/** The line above an issue: a button that leads back, the issue's name, and buttons for its main commands. */
function Bar({ state, send, shown }: PainterProps & { readonly shown: Shown }): ReactElement {
  const isOpen = state.detail.open.length > 0;
  const isNarrow = shapeOf(state.window.columns) === "column";
  const { issue } = shown;
  return (
    <header className="detail-bar">
      {isOpen ? (
        <CommandButton
          state={state}
          send={send}
          command="back"
          label="Back"
          icon="back"
          words={false}
        />
      ) : null}
      <button
        type="button"
        className="button name"
        title="Copy the id"
        onClick={() => send(pointed({ is: "command", command: "copy" }))}
      >
        {isNarrow ? `#${issue.short_id}` : issue.qualified_id}
      </button>
      {isNarrow ? null : (
        <button
          type="button"
          className="button plain"
          title="Copy the link"
          aria-label="Copy the link"
          onClick={() => send(pointed({ is: "copy", part: "link" }))}
        >
          <Icon name="link" />
        </button>
      )}
      <span className="space" />
      <CommandButton
        state={state}
        send={send}
        command="edit"
        label="Edit"
        icon="edit"
        words={!isNarrow}
      />
      <CommandButton
        state={state}
        send={send}
        command={isOpen || state.window.focus === "detail" ? "comment" : "list-comment"}
        label="Comment"
        icon="comment"
        words={!isNarrow}
      />
      <MoreCommands state={state} send={send} />
      {issue.status === "open" ? (
        <CommandButton
          state={state}
          send={send}
          command="close"
          label="Close"
          icon="check"
          // If the list is shown too, only the button "New issue" above the list looks strong.
          look={isNarrow ? "strong" : "bordered"}
        />
      ) : (
        <CommandButton
          state={state}
          send={send}
          command="reopen"
          label="Reopen"
          icon="undo"
          look="bordered"
        />
      )}
    </header>
  );
}

function NoText({ state, send }: PainterProps): ReactElement {
  return (
    <p className="none">
      No description.{" "}
      <CommandButton state={state} send={send} command="edit" label="Write one" look="plain" />
    </p>
  );
}

/** Shows a change of this issue that the daemon refused, with a button to try it again. */
function Refused({
  state,
  send,
  uid,
}: PainterProps & { readonly uid: string }): ReactElement | null {
  const failed = failureOf(state, uid);
  if (failed === undefined) return null;
  return (
    <div className="said error" role="alert">
      <Icon name="close" />
      <p>{failed.text}</p>
      <CommandButton state={state} send={send} command="edit" label="Try again" look="bordered" />
      <CommandButton state={state} send={send} command="back" label="Dismiss" look="plain" />
    </div>
  );
}

/** Scrolls the issue as far as the state says, and marks the linked issue that enter would open. */
function useScroll(
  pane: RefObject<HTMLElement | null>,
  state: State,
  uid: string | undefined,
): void {
  const { scroll, chosenRef } = state.detail;
  const isChosen = state.window.focus === "detail";
  useLayoutEffect(() => {
    if (pane.current !== null) pane.current.scrollTop = scroll * LINE_HEIGHT;
  }, [pane, scroll, uid]);
  useLayoutEffect(() => {
    const refs = pane.current?.querySelectorAll("[data-ref]") ?? [];
    for (const [at, ref] of [...refs].entries())
      ref.toggleAttribute("data-chosen", isChosen && at === chosenRef);
  });
}
