import { memo, type ReactElement } from "react";
import { type IssueView, peerName, peerOf } from "../../src/screen/detail/shown.ts";
import { letterOf } from "../../src/screen/issues/relations.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import type { State } from "../../src/screen/state.ts";
import type { PainterProps } from "../painter.ts";
import { issueUrls } from "../place.ts";
import { CommandButton } from "./button.tsx";
import { IssueLink } from "./issue-link.tsx";
import { Sign } from "./sign.tsx";
import { Person, Priority } from "./words.tsx";

export interface PeersProps extends PainterProps {
  readonly shown: IssueView;
}

const GROUPS = [
  ["Blocked by", "blocks", false],
  ["Blocks", "blocks", true],
  ["Related", "related", true],
  ["Related", "related", false],
] as const;

/** Lists the links of an issue in both directions, without its parent and children. */
export function Links({ state, send, shown }: PeersProps): ReactElement | null {
  const links = (shown.detail?.show?.links ?? []).filter(({ type }) => type !== "parent");
  if (links.length === 0) return <NoLinks state={state} send={send} shown={shown} />;
  const hrefOf = issueUrls(placeOf(state));
  return (
    <section className="part">
      <h2>
        Links <span className="count">{links.length}</span>
        <CommandButton
          state={state}
          send={send}
          command="add-blocker"
          label="Add a blocker"
          icon="plus"
          words={false}
        />
      </h2>
      <ul className="peers">
        {GROUPS.flatMap(([word, type, outgoing]) =>
          links
            .filter((link) => link.type === type && (link.from.uid === shown.uid) === outgoing)
            .map((link) => {
              const other = outgoing ? link.to : link.from;
              const issue = peerOf(state, shown.detail, other.uid);
              return (
                <PeerRow
                  key={`${word} ${other.uid}`}
                  send={send}
                  uid={other.uid}
                  href={hrefOf(other.uid)}
                  letter={letterOfPeer(state, issue)}
                  name={peerName(shown, other)}
                  title={issue?.title ?? ""}
                  word={word.toLowerCase()}
                />
              );
            }),
        )}
      </ul>
    </section>
  );
}

/** Offers to make links. Nothing is shown for a deleted issue or if nothing may be changed. */
function NoLinks({ state, send, shown }: PeersProps): ReactElement | null {
  const { issue, detail } = shown;
  if (detail?.show === undefined || issue.deleted_at != null) return null;
  if (state.connection.readOnly !== undefined) return null;
  return (
    <p className="none">
      No links.{" "}
      <CommandButton {...{ state, send }} command="add-blocker" label="Wait for another issue" />
      <CommandButton {...{ state, send }} command="add-related" label="Relate to another issue" />
    </p>
  );
}

function letterOfPeer(state: State, issue: ReturnType<typeof peerOf>) {
  return issue === undefined ? "?" : letterOf(state, issue);
}

interface PeerRowProps extends Pick<PainterProps, "send"> {
  readonly uid: string;
  readonly href: string;
  readonly letter: Parameters<typeof Sign>[0]["letter"];
  readonly name: string;
  readonly title: string;
  /** How the issue is linked; absent for a child. */
  readonly word?: string;
  /** Set if the issue is a child; only then is its priority shown. */
  readonly child?: true;
  readonly priority?: number | undefined;
  readonly owner?: string | undefined;
}

/**
 * Draws a linked issue or a child as a row. The props are plain values, so that the row is drawn again only if one of
 * them has changed.
 */
export const PeerRow = memo(function PeerRow(props: PeerRowProps): ReactElement {
  const { send, uid, href, letter, name, title, word, child, priority, owner } = props;
  return (
    <li>
      <IssueLink send={send} uid={uid} href={href} className="peer">
        <Sign letter={letter} />
        <span className="of">{title}</span>
        {word === undefined ? null : <span className="word">{word}</span>}
        {child === undefined ? null : <Priority level={priority} />}
        {owner === undefined ? null : <Person name={owner} />}
        <span className="id">{name}</span>
      </IssueLink>
    </li>
  );
});
