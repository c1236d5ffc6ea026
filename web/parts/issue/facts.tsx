import type { ReactElement, ReactNode } from "react";
import { age } from "../../../src/base/age.ts";
import { instantToMs } from "../../../src/base/clock.ts";
import { type Peer, peerName } from "../../../src/screen/detail/peers.ts";
import type { Due } from "../../../src/screen/issues/due.ts";
import type { Letter } from "../../../src/screen/issues/relations.ts";
import { rootText } from "../../../src/screen/issues/root.ts";
import { slotsIn } from "../../../src/screen/issues/slots.ts";
import { syncedText } from "../../../src/screen/issues/synced.ts";
import { type Times, timePhrase } from "../../../src/screen/times.ts";
import { storedEvidence } from "../../../src/shared/evidence.ts";
import type { CloseFields, IssueFields, LeaseFields } from "../../embed/answers.ts";
import { IssueLink } from "../issue-link.tsx";
import { Sign } from "../sign.tsx";
import { Label, Person, Priority } from "../words.tsx";
import type { ChangeableFact, IssueActs } from "./acts.ts";
import { Metadata } from "./metadata.tsx";

/** An issue as its facts show it. */
export interface IssueFacts {
  readonly uid: string;
  readonly issue: IssueFields;
  readonly letter: Letter;
  readonly project: string;
  readonly parent: Peer | undefined;
  readonly blockers: readonly Peer[];
  readonly blocking: readonly Peer[];
  readonly lease: LeaseFields | undefined;
  /** How the issue was closed. */
  readonly close: CloseFields | undefined;
  readonly how: Times;
}

interface FactsProps {
  readonly shown: IssueFacts;
  /** The word for the state of an open issue. */
  readonly standing: string;
  readonly due: Due | undefined;
  /** The number of runs on the issue and what they have cost, in words. */
  readonly runs: string | undefined;
  titleOf(uid: string): string | undefined;
  readonly acts: IssueActs;
}

export function Facts(props: FactsProps): ReactElement {
  const { shown, standing, due, runs, acts } = props;
  const { issue, letter, parent, blockers, blocking, lease, close, how } = shown;
  const factRow = (
    name: string,
    fact: ChangeableFact | undefined,
    value: ReactNode,
  ): ReactElement => (
    <Fact
      key={name}
      name={name}
      isWide={fact === undefined}
      change={fact === undefined ? undefined : acts.changeOf?.(fact)}
    >
      {value}
    </Fact>
  );
  const peersRow = (name: string, peers: readonly Peer[]): ReactElement | null =>
    peers.length === 0 ? null : factRow(name, undefined, <PeerLinks {...props} peers={peers} />);
  const dateOf = (key: string): string | undefined => {
    const value = issue.metadata[key];
    return typeof value === "string" ? value : undefined;
  };
  const [scheduled, deadline] = [dateOf("scheduled_on"), dateOf("deadline_on")];
  return (
    <dl className="facts">
      {factRow(
        "Status",
        "status",
        <span className="status">
          <span className="sign-only" aria-hidden="true">
            <Sign letter={letter} />
          </span>
          {issue.status === "closed" ? closedText(shown) : standing}
        </span>,
      )}
      {close === undefined
        ? null
        : factRow("Closed by", undefined, <ClosedBy close={close} acts={acts} />)}
      {factRow(
        "Priority",
        "priority",
        issue.priority === undefined ? <None /> : <Priority level={issue.priority} />,
      )}
      {factRow(
        "Owner",
        "owner",
        issue.owner === undefined ? <None /> : <Person name={issue.owner} show={acts.showPerson} />,
      )}
      {factRow(
        "Labels",
        "labels",
        issue.labels.length === 0 ? (
          <None />
        ) : (
          issue.labels.map((name) => <Label key={name} name={name} show={acts.showLabel} />)
        ),
      )}
      {issue.synced === undefined
        ? null
        : factRow("Synced", undefined, <SyncedLink synced={issue.synced} />)}
      {issue.external_root === undefined
        ? null
        : factRow("Root", undefined, rootText(issue.external_root))}
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
      {peersRow("Parent", parent === undefined ? [] : [parent])}
      {peersRow("Blocked by", blockers)}
      {peersRow("Blocks", blocking)}
      {lease === undefined ? null : factRow("Leased to", undefined, leaseText(how, lease))}
      {runs === undefined ? null : factRow("Runs", undefined, <Runs text={runs} acts={acts} />)}
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
          <Author name={issue.author} acts={acts} />
        </span>,
      )}
    </dl>
  );
}

interface AuthorProps {
  readonly name: string;
  readonly acts: IssueActs;
}

function Author({ name, acts }: AuthorProps): ReactElement {
  const show = acts.showAuthor ?? acts.showPerson;
  if (show === undefined) return <span>{name}</span>;
  return (
    <button type="button" className="as-text" onClick={() => show(name)}>
      {name}
    </button>
  );
}

interface RunsProps {
  readonly text: string;
  readonly acts: IssueActs;
}

function Runs({ text, acts: { showRuns } }: RunsProps): ReactElement {
  if (showRuns === undefined) return <span>{text}</span>;
  return (
    <button
      type="button"
      className="as-text"
      title="Show the runs of the project"
      onClick={showRuns}
    >
      {text}
    </button>
  );
}

/** The page of the issue on the code host, as a link only if its address is one that a browser may open. */
function SyncedLink({
  synced,
}: {
  readonly synced: NonNullable<IssueFields["synced"]>;
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

function closedText({ issue, how }: Pick<IssueFacts, "issue" | "how">): string {
  const reason = issue.closed_reason ?? undefined;
  const when = issue.closed_at == null ? "" : ` ${timePhrase(how, issue.closed_at)}`;
  return `closed${reason === undefined ? "" : ` as ${reason}`}${when}`;
}

interface ClosedByProps {
  readonly close: CloseFields;
  readonly acts: IssueActs;
}

/** Shows who closed the issue, the message and the evidence. */
function ClosedBy({ close, acts }: ClosedByProps): ReactElement {
  const { actor, message = "", evidence } = close;
  return (
    <div className="closing">
      <Person name={actor} show={acts.showPerson} />
      {message === "" ? null : <p>{message}</p>}
      {storedEvidence(evidence).map((text) => (
        <p key={text} className="evidence">
          {text}
        </p>
      ))}
    </div>
  );
}

function leaseText({ now }: Times, { holder, expires_at }: LeaseFields): string {
  if (expires_at === undefined) return holder;
  const [endMs, nowMs] = [instantToMs(expires_at), instantToMs(now)];
  return endMs <= nowMs ? `${holder}, it ran out` : `${holder}, ${age(nowMs, endMs)} left`;
}

interface FactProps {
  readonly name: string;
  /** Whether the fact has a line of its own. */
  readonly isWide: boolean;
  readonly change: (() => void) | undefined;
  readonly children: ReactNode;
}

function Fact({ name, isWide, change, children }: FactProps): ReactElement {
  return (
    <div className={`fact${isWide ? " wide" : ""}`}>
      <dt>{name}</dt>
      <dd>
        {change === undefined ? (
          <span className="value">{children}</span>
        ) : (
          <button
            type="button"
            className="value"
            title={`change ${name.toLowerCase()}`}
            onClick={change}
          >
            {children}
          </button>
        )}
      </dd>
    </div>
  );
}

interface PeersProps extends Pick<FactsProps, "shown" | "titleOf" | "acts"> {
  readonly peers: readonly Peer[];
}

function PeerLinks({ shown, titleOf, acts, peers }: PeersProps): ReactElement {
  return (
    <ul className="peer-links">
      {peers.map((peer) => {
        const title = titleOf(peer.uid);
        return (
          <li key={peer.uid}>
            <IssueLink
              uid={peer.uid}
              href={acts.hrefOf?.(peer.uid)}
              open={acts.open}
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
