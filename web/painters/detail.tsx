import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useMemo } from "react";
import type { Instant } from "../../src/base/clock.ts";
import { chosenIssues } from "../../src/screen/chosen.ts";
import { whyNot } from "../../src/screen/commands.ts";
import { deletedText } from "../../src/screen/detail/away.ts";
import { detailUid } from "../../src/screen/detail/detail.ts";
import { type IssueView, issueViewOf } from "../../src/screen/detail/shown.ts";
import { isRecentlyChanged } from "../../src/screen/events.ts";
import { withIssue } from "../../src/screen/input/on-issue.ts";
import type { State } from "../../src/screen/state.ts";
import { failureOf } from "../../src/screen/writes/failed.ts";
import { type PainterProps, pointMessage, type Send } from "../painter.ts";
import { CommandButton } from "../parts/button.tsx";
import { DetailFacts } from "../parts/detail/facts.tsx";
import { DetailChildren, DetailLinks } from "../parts/detail/linked.tsx";
import { MarkdownText } from "../parts/detail/markdown.tsx";
import { DetailTimeline } from "../parts/detail/timeline.tsx";
import { Icon } from "../parts/icon.tsx";
import { MissingIssue } from "../parts/missing-issue.tsx";
import { MoreCommands } from "../parts/more-commands.tsx";
import { LINE_HEIGHT, shapeOf } from "../room.ts";

interface DetailProps extends PainterProps {
  readonly pane: RefObject<HTMLElement | null>;
}

export function Detail({ state, send, pane }: DetailProps): ReactElement {
  const uid = detailUid(state);
  // While issues are marked, the keys may act on the marked issues. The commands of this pane still act on the issue
  // that it shows.
  const [first, second] = chosenIssues(state);
  const actsElsewhere =
    uid !== undefined && first !== undefined && (second !== undefined || first.uid !== uid);
  const sendOn = useMemo(() => onIssueOf(send, uid), [send, uid]);
  const shown =
    uid === undefined ? undefined : issueViewOf(state, uid, state.detail.known.get(uid));
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
        if (state.window.focus !== "detail") send(pointMessage({ is: "detail" }));
      }}
    >
      {shown === undefined ? (
        <MissingIssue state={state} send={send} uid={uid} />
      ) : (
        // Without a `key`, React draws another issue into the same elements, which takes half as long as making new
        // ones.
        <Whole
          state={actsElsewhere ? withIssue(state, uid) : state}
          send={actsElsewhere ? sendOn : send}
          more={<MoreCommands {...{ state, send }} on={actsElsewhere ? uid : undefined} />}
          shown={shown}
          isOpen={state.detail.open.length > 0}
        />
      )}
    </section>
  );
}

/** Returns a `send` whose commands act on the issue of this pane, unless they name another issue. */
function onIssueOf(send: Send, on: string | undefined): Send {
  return (message) => {
    const place = message.type === "chosen" ? message.place : undefined;
    const isOn = place?.is === "command" || place?.is === "copy";
    send(isOn && place.on === undefined ? pointMessage({ ...place, on }) : message);
  };
}

/** Opens the form of the issue in view, with the focus in its text. */
const EDIT_TEXT = pointMessage({ is: "command", command: "edit", field: "body" });

interface WholeProps extends PainterProps {
  readonly shown: IssueView;
  /** Whether the issue covers the list, instead of standing beside it. */
  readonly isOpen: boolean;
  /** The button with the other commands. */
  readonly more: ReactNode;
}

function Whole({ state, send, shown, isOpen, more }: WholeProps): ReactElement {
  const { issue, project } = shown;
  const edit = (): void => send(pointMessage({ is: "command", command: "edit" }));
  return (
    <article>
      <Bar {...{ state, send, shown, isOpen, more }} />
      <h1
        className="issue-title"
        // A tap with a finger selects no text, so it may edit. With a mouse, a single click begins a selection.
        onClick={({ nativeEvent }) => {
          if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "touch") edit();
        }}
        onDoubleClick={edit}
      >
        {issue.title}
      </h1>
      {issue.deleted_at == null ? null : (
        <Deleted state={state} send={send} shown={shown} at={issue.deleted_at} />
      )}
      <Refused state={state} send={send} uid={shown.uid} />
      {isRecentlyChanged(state) && state.detail.touched !== undefined ? (
        <p className="said changed">{state.detail.touched.text}</p>
      ) : null}
      <DetailFacts state={state} send={send} shown={shown} />
      <div className="description">
        {issue.body.trim() === "" ? (
          <NoText state={state} send={send} />
        ) : (
          <>
            {whyNot(state, "edit") === undefined ? (
              <button
                type="button"
                className="button plain edit-text"
                aria-label="Edit the text"
                title="Edit the text"
                onClick={() => send(EDIT_TEXT)}
              >
                <Icon name="edit" />
              </button>
            ) : null}
            <MarkdownText
              key={shown.uid}
              state={state}
              send={send}
              text={issue.body}
              project={project}
              ticks
            />
          </>
        )}
      </div>
      <DetailChildren state={state} send={send} shown={shown} />
      <DetailLinks state={state} send={send} shown={shown} />
      <DetailTimeline state={state} send={send} shown={shown} />
    </article>
  );
}

function Bar({ state, send, shown, isOpen, more }: WholeProps): ReactElement {
  const shape = shapeOf(state.window.columns);
  const isNarrow = shape === "column";
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
        onClick={() => send(pointMessage({ is: "command", command: "copy" }))}
      >
        {shape === "side" ? issue.qualified_id : `#${issue.short_id}`}
      </button>
      {isNarrow ? null : (
        <button
          type="button"
          className="button plain"
          title="Copy the link"
          aria-label="Copy the link"
          onClick={() => send(pointMessage({ is: "copy", part: "link" }))}
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
        command={
          state.detail.open.length > 0 || state.window.focus === "detail"
            ? "comment"
            : "list-comment"
        }
        label="Comment"
        icon="comment"
        words={!isNarrow}
      />
      {more}
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
    // For the keyboard, the button below does the same.
    <p
      className="none no-text"
      role="presentation"
      onClick={({ target }) => {
        const isOnButton = target instanceof Element && target.closest("button") !== null;
        if (!isOnButton) send(EDIT_TEXT);
      }}
    >
      No description.{" "}
      <CommandButton
        state={state}
        send={send}
        command="edit"
        field="body"
        label="Write one"
        look="plain"
      />
    </p>
  );
}

interface DeletedProps extends PainterProps {
  readonly shown: IssueView;
  readonly at: Instant;
}

function Deleted({ state, send, shown, at }: DeletedProps): ReactElement {
  return (
    <div className="said warn">
      <p>{deletedText(state, shown, at)}</p>
      {state.connection.readOnly === undefined ? (
        <button
          type="button"
          className="button bordered"
          onClick={() => send(pointMessage({ is: "restore" }))}
        >
          Restore
        </button>
      ) : null}
    </div>
  );
}

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
