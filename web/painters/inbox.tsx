import type { ReactElement } from "react";
import { counted } from "../../src/base/counted.ts";
import { letterOf } from "../../src/screen/board/relations.ts";
import {
  addressesOf,
  isMarked,
  issueOfRequest,
  requestUnderCursor,
} from "../../src/screen/inbox/inbox.ts";
import type { InboxItem } from "../../src/screen/inbox/state.ts";
import type { State } from "../../src/screen/state.ts";
import { timeSaid, timeText } from "../../src/screen/times.ts";
import type { PainterProps } from "../painter.ts";
import { CommandButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Cell, Lines } from "../parts/lines.tsx";
import { Below, ReadError, Tools } from "../parts/screen.tsx";
import { Sign } from "../parts/sign.tsx";
import { Person } from "../parts/words.tsx";

/** The height of a request in pixels: one line says who asks about what, another has the message. */
const ROW_HEIGHT = 60;
const UNREADABLE = "This request cannot be read.";

const keyOf = ({ ref, to }: InboxItem): string => `${ref} ${to}`;

/** Draws the attention requests to the person, oldest first, and below them the one under the cursor in full. */
export function Inbox({ state, send }: PainterProps): ReactElement {
  const { requests, all, error } = state.inbox;
  const item = requestUnderCursor(state);
  return (
    <div className="screen">
      <Tools
        acts={
          <>
            <CommandButton
              {...{ state, send }}
              command="inbox-all"
              label={all ? "One address" : "All my addresses"}
            />
            <CommandButton {...{ state, send }} command="inbox-address" label="Another address …" />
          </>
        }
      >
        for {addressesOf(state).join(", ")}
        {requests === undefined ? "" : ` · ${counted(requests.length, "request")}, oldest first`}
      </Tools>
      <ReadError error={error} />
      <Lines
        state={state}
        send={send}
        label="requests"
        rows={requests ?? []}
        keyOf={keyOf}
        rowHeight={ROW_HEIGHT}
        draw={(row) => <Request state={state} item={row} />}
        lookOf={(row) => ({ "data-marked": isMarked(state, row) })}
      />
      {item === undefined ? null : <Whole state={state} send={send} item={item} />}
    </div>
  );
}

interface RequestProps {
  readonly state: State;
  readonly item: InboxItem;
}

function Request({ state, item }: RequestProps): ReactElement {
  const { from = "somebody", ref, to, message, requested_at: at } = item;
  const issue = issueOfRequest(state, item);
  return (
    <div className="request">
      <div className="request-line">
        {isMarked(state, item) ? <Icon name="check" /> : null}
        <Cell name="owner">
          <Person name={from} />
        </Cell>
        <Cell name="about">
          {issue === undefined ? null : <Sign letter={letterOf(state, issue)} />}
          <span className="id">{ref}</span>
          <span className="about-title">{issue?.title ?? item.title ?? ""}</span>
        </Cell>
        {to === state.inbox.own ? null : <Cell name="to">to {to}</Cell>}
        <Cell name="age">{at === undefined ? "" : timeText(state, at)}</Cell>
      </div>
      <Cell name="message">{message ?? UNREADABLE}</Cell>
    </div>
  );
}

/** The request under the cursor in full, with what can be done about it. */
function Whole({ state, send, item }: PainterProps & { readonly item: InboxItem }): ReactElement {
  const { from = "Somebody", to, message, fault, teammate, requested_at: at } = item;
  return (
    <Below label="the request">
      <p className="below-title">
        <strong>{from}</strong> asks {to === state.session.actor ? "you" : to}
        {teammate === undefined ? "" : ` for ${teammate}`}
        {at === undefined ? "" : `, ${timeSaid(state, at)}`}
      </p>
      <p className="plain-text">{message ?? `${UNREADABLE} ${fault ?? ""}`}</p>
      <div className="acts">
        <CommandButton
          {...{ state, send }}
          command="inbox-answer"
          label="Answer"
          icon="comment"
          look="strong"
        />
        <CommandButton
          {...{ state, send }}
          command="inbox-clear"
          label="It was handled"
          icon="check"
          look="bordered"
        />
        <CommandButton {...{ state, send }} command="inbox-open" label="Open the issue" />
        <CommandButton {...{ state, send }} command="inbox-mark" label="Mark" />
      </div>
    </Below>
  );
}
