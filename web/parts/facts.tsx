import type { ReactElement, ReactNode } from "react";
import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import { whyNot } from "../../src/screen/commands.ts";
import { runsText } from "../../src/screen/detail/runs.ts";
import { type IssueView, type Peer, peerName, peerOf } from "../../src/screen/detail/shown.ts";
import { dueOf } from "../../src/screen/issues/due.ts";
import { partWith, togglePart } from "../../src/screen/issues/query.ts";
import { slotsIn } from "../../src/screen/issues/slots.ts";
import { syncedText } from "../../src/screen/issues/synced.ts";
import type { Command } from "../../src/screen/keys.ts";
import type { Place } from "../../src/screen/place/place.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import type { State } from "../../src/screen/state.ts";
import { timePhrase } from "../../src/screen/times.ts";
import { storedEvidence } from "../../src/shared/evidence.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { issueUrls } from "../place.ts";
import { IssueLink } from "./issue-link.tsx";
import { Metadata } from "./metadata.tsx";
import { Sign, signWord } from "./sign.tsx";
import { Label, Person, Priority } from "./words.tsx";

interface FactsProps extends PainterProps {
  readonly shown: IssueView;
}

export function Facts({ state, send, shown }: FactsProps): ReactElement {
  const { issue, letter, parent, blockers, blocking, lease, close, how } = shown;
  const runs = shown.detail?.runs;
  const showQuery = (query: string) => (): void => send(pointMessage({ is: "query", query }));
  const factRow = (name: string, command: Command | undefined, value: ReactNode): ReactElement => (
    <Fact key={name} state={state} send={send} name={name} command={command}>
      {value}
    </Fact>
  );
  const dateOf = (key: string): string | undefined => {
    const value = issue.metadata[key];
    return typeof value === "string" ? value : undefined;
  };
  const listed = state.issues.get(shown.uid);
  const due = listed === undefined ? undefined : dueOf(state, listed);
  const [scheduled, deadline] = [dateOf("scheduled_on"), dateOf("deadline_on")];
  return (
    <dl className="facts">
      {factRow(
        "Status",
        issue.status === "open" ? "close-with" : "reopen",
        <span className="status">
          <span className="sign-only" aria-hidden="true">
            <Sign letter={letter} />
          </span>
          {issue.status === "closed" ? closedText(shown) : signWord(letter)}
        </span>,
      )}
      {close === undefined ? null : factRow("Closed by", undefined, <ClosedBy close={close} />)}
      {factRow(
        "Priority",
        "priority",
        issue.priority === undefined ? <None /> : <Priority level={issue.priority} />,
      )}
      {factRow(
        "Owner",
        "assign",
        issue.owner === undefined ? <None /> : <Person name={issue.owner} />,
      )}
      {factRow(
        "Labels",
        "add-label",
        issue.labels.length === 0 ? (
          <None />
        ) : (
          issue.labels.map((name) => <Label key={name} name={name} />)
        ),
      )}
      {issue.synced === undefined
        ? null
        : factRow("Synced", undefined, <SyncedLink synced={issue.synced} />)}
      {scheduled === undefined ? null : factRow("Scheduled", "dates", scheduled)}
      {deadline === undefined
        ? null
        : factRow(
            "Deadline",
            "dates",
            <span className="due" data-when={due?.when}>
              {deadline}
              {due?.when === "overdue" ? " — overdue" : ""}
            </span>,
          )}
      {issue.metadata["someday"] === true ? factRow("Parked", "dates", "yes") : null}
      {parent === undefined
        ? null
        : factRow("Parent", undefined, <PeerLinks {...{ state, send, shown }} peers={[parent]} />)}
      {blockers.length === 0
        ? null
        : factRow(
            "Blocked by",
            undefined,
            <PeerLinks {...{ state, send, shown }} peers={blockers} />,
          )}
      {blocking.length === 0
        ? null
        : factRow("Blocks", undefined, <PeerLinks {...{ state, send, shown }} peers={blocking} />)}
      {lease === undefined ? null : factRow("Leased to", undefined, leaseText(state, lease))}
      {runs === undefined
        ? null
        : factRow(
            "Runs",
            undefined,
            <button
              type="button"
              className="as-text"
              title="Show the runs of the project"
              // Runs belong to one project, but the list may show the issues of all projects.
              onClick={() => send({ type: "went", place: runsPlace(state, shown.project) })}
            >
              {runsText(runs)}
            </button>,
          )}
      {slotsIn(issue.metadata).map(({ to: name, request }) =>
        factRow(
          `Asked of ${name}`,
          undefined,
          request === undefined ? "(not readable)" : `${request.from}: ${request.message}`,
        ),
      )}
      <Metadata key={shown.uid} metadata={issue.metadata} />
      {factRow(
        "Changed",
        undefined,
        <span>
          {timePhrase(how, issue.updated_at)}, created {timePhrase(how, issue.created_at)} by{" "}
          <button
            type="button"
            className="as-text"
            onClick={showQuery(togglePart(state.board.query, partWith("author", issue.author)))}
          >
            {issue.author}
          </button>
        </span>,
      )}
    </dl>
  );
}

function runsPlace(state: State, project: string): Place {
  return {
    ...placeOf(state),
    screen: "cron",
    tab: "runs",
    project,
    issue: undefined,
    isOpen: false,
  };
}

/** The page of the issue on the code host, as a link only if its address is one that a browser may open. */
function SyncedLink({
  synced,
}: {
  readonly synced: NonNullable<IssueView["issue"]["synced"]>;
}): ReactElement {
  const text = syncedText(synced);
  if (!synced.url.startsWith("https://")) return <>{text}</>;
  return (
    <a className="as-link" href={synced.url} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

function None(): ReactElement {
  return <span className="none">none</span>;
}

function closedText({ issue, how }: IssueView): string {
  const reason = issue.closed_reason ?? undefined;
  const when = issue.closed_at == null ? "" : ` ${timePhrase(how, issue.closed_at)}`;
  return `closed${reason === undefined ? "" : ` as ${reason}`}${when}`;
}

/** Shows who closed the issue, the message and the evidence. */
function ClosedBy({ close }: { readonly close: NonNullable<IssueView["close"]> }): ReactElement {
  const { actor, message = "", evidence } = close;
  return (
    <div className="closing">
      <Person name={actor} />
      {message === "" ? null : <p>{message}</p>}
      {storedEvidence(evidence).map((text) => (
        <p key={text} className="evidence">
          {text}
        </p>
      ))}
    </div>
  );
}

function leaseText(state: State, lease: NonNullable<IssueView["lease"]>): string {
  const { holder, expires_at } = lease;
  if (expires_at === undefined) return holder;
  const [endMs, nowMs] = [instantToMs(expires_at), instantToMs(state.now)];
  return endMs <= nowMs ? `${holder}, it ran out` : `${holder}, ${age(nowMs, endMs)} left`;
}

interface FactProps extends PainterProps {
  readonly name: string;
  readonly command: Command | undefined;
  readonly children: ReactNode;
}

function Fact({ state, send, name, command, children }: FactProps): ReactElement {
  const isFree = command !== undefined && whyNot(state, command) === undefined;
  return (
    <div className={`fact${command === undefined ? " wide" : ""}`}>
      <dt>{name}</dt>
      <dd>
        {isFree ? (
          <button
            type="button"
            className="value"
            title={`change ${name.toLowerCase()}`}
            onClick={() => send(pointMessage({ is: "command", command }))}
          >
            {children}
          </button>
        ) : (
          <span className="value">{children}</span>
        )}
      </dd>
    </div>
  );
}

interface PeersProps extends FactsProps {
  readonly peers: readonly Peer[];
}

function PeerLinks({ state, send, shown, peers }: PeersProps): ReactElement {
  const hrefOf = issueUrls(placeOf(state));
  return (
    <ul className="peer-links">
      {peers.map((peer) => {
        const title = peerOf(state, shown.detail, peer.uid)?.title;
        return (
          <li key={peer.uid}>
            <IssueLink
              send={send}
              uid={peer.uid}
              href={hrefOf(peer.uid)}
              className="as-link"
              title={title}
            >
              <span className="id">{peerName(shown, peer)}</span>
              {title === undefined ? null : <span className="of">{title}</span>}
            </IssueLink>
          </li>
        );
      })}
    </ul>
  );
}
