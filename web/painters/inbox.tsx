import type { ReactElement } from "react";
import { counted } from "../../src/base/counted.ts";
import {
  addressesOf,
  isMarked,
  issueOfRequest,
  requestUnderCursor,
} from "../../src/screen/inbox/inbox.ts";
import type { InboxItem } from "../../src/screen/inbox/state.ts";
import { letterOf } from "../../src/screen/issues/relations.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import type { State } from "../../src/screen/state.ts";
import { timePhrase, timeText } from "../../src/screen/times.ts";
import type { PainterProps } from "../painter.ts";
import { Icon } from "../parts/icon.tsx";
import { Cell, IssueTitle, Lines } from "../parts/lines.tsx";
import { Acts, Below, RowsScreen } from "../parts/screen.tsx";
import { Sign } from "../parts/sign.tsx";
import { Person } from "../parts/words.tsx";
import { issueUrls } from "../place.ts";

/** The height of a request in pixels. It has two lines: who asks about which issue, and the message. */
const ROW_HEIGHT = 60;
const UNREADABLE = "This request cannot be read.";

const keyOf = ({ ref, to }: InboxItem): string => `${ref} ${to}`;

/** Draws the attention requests to the person, oldest first. */
export function Inbox({ state, send }: PainterProps): ReactElement {
  const { requests, all, error } = state.inbox;
  const item = requestUnderCursor(state);
  const hrefOf = issueUrls(placeOf(state));
  return (
    <RowsScreen
      about={`for ${addressesOf(state).join(", ")}${requests === undefined ? "" : ` · ${counted(requests.length, "request")}, oldest first`}`}
      acts={
        <Acts
          {...{ state, send }}
          acts={[
            { command: "inbox-all", label: all ? "One address" : "All my addresses" },
            { command: "inbox-address", label: "Another address …" },
          ]}
        />
      }
      error={error}
      below={item === undefined ? null : <Whole state={state} send={send} item={item} />}
    >
      <Lines
        state={state}
        send={send}
        label="requests"
        linksSelect
        rows={requests ?? []}
        keyOf={keyOf}
        rowHeight={ROW_HEIGHT}
        draw={(row) => <Request state={state} item={row} hrefOf={hrefOf} />}
        lookOf={(row) => ({
          "data-marked": isMarked(state, row),
          "data-issue": uidOf(state, row) ?? "",
        })}
      />
    </RowsScreen>
  );
}

interface RequestProps {
  readonly state: State;
  readonly item: InboxItem;
  hrefOf(uid: string): string;
}

function uidOf(state: State, item: InboxItem): string | undefined {
  return item.issue_uid ?? issueOfRequest(state, item)?.uid;
}

function Request({ state, item, hrefOf }: RequestProps): ReactElement {
  const { from = "somebody", ref, to, message, requested_at: at } = item;
  const issue = issueOfRequest(state, item);
  const uid = uidOf(state, item);
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
          <IssueTitle
            className="about-title"
            href={uid === undefined ? undefined : hrefOf(uid)}
            title={issue?.title ?? item.title ?? ""}
          />
        </Cell>
        {to === state.inbox.own ? null : <Cell name="to">to {to}</Cell>}
        <Cell name="age">{at === undefined ? "" : timeText(state, at)}</Cell>
      </div>
      <Cell name="message">{message ?? UNREADABLE}</Cell>
    </div>
  );
}

function Whole({ state, send, item }: PainterProps & { readonly item: InboxItem }): ReactElement {
  const { from = "Somebody", to, message, fault, teammate, requested_at: at } = item;
  return (
    <Below
      label="the request"
      title={
        <>
          <strong>{from}</strong> asks {to === state.session.actor ? "you" : to}
          {teammate === undefined ? "" : ` for ${teammate}`}
          {at === undefined ? "" : `, ${timePhrase(state, at)}`}
        </>
      }
      acts={
        <Acts
          {...{ state, send }}
          acts={[
            { command: "inbox-answer", label: "Answer", icon: "comment", look: "strong" },
            { command: "inbox-clear", label: "It was handled", icon: "check", look: "bordered" },
            { command: "inbox-open", label: "Open the issue" },
            { command: "inbox-mark", label: "Mark" },
          ]}
        />
      }
    >
      <p className="plain-text">{message ?? `${UNREADABLE} ${fault ?? ""}`}</p>
    </Below>
  );
}
