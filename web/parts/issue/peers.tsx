import { memo, type ReactElement, type ReactNode } from "react";
import { type Peer, peerName } from "../../../src/screen/detail/peers.ts";
import type { LinkFields } from "../../embed/answers.ts";
import { IssueLink } from "../issue-link.tsx";
import { Sign } from "../sign.tsx";
import { Person, Priority } from "../words.tsx";
import type { IssueActs } from "./acts.ts";

type SignName = Parameters<typeof Sign>[0]["letter"];

interface LinksProps {
  readonly uid: string;
  readonly project: string;
  readonly links: readonly LinkFields[];
  titleOf(uid: string): string | undefined;
  letterOf(uid: string): SignName;
  readonly acts: IssueActs;
  /** Stands behind the heading. */
  readonly button?: ReactNode;
  /** Shown if there are no links. */
  readonly none?: ReactElement | null;
}

const GROUPS = [
  ["Blocked by", "blocks", false],
  ["Blocks", "blocks", true],
  ["Related", "related", true],
  ["Related", "related", false],
] as const;

/** Lists the links of an issue in both directions, without its parent and children. */
export function Links(props: LinksProps): ReactElement | null {
  const { uid, project, titleOf, letterOf, acts, button, none = null } = props;
  const links = props.links.filter(({ type }) => type !== "parent");
  if (links.length === 0) return none;
  const rowOf = (word: string, other: Peer): ReactElement => (
    <PeerRow
      key={`${word} ${other.uid}`}
      uid={other.uid}
      href={acts.hrefOf?.(other.uid)}
      open={acts.open}
      letter={letterOf(other.uid)}
      name={peerName({ project }, other)}
      title={titleOf(other.uid) ?? ""}
      word={word.toLowerCase()}
    />
  );
  return (
    <section className="part">
      <h2>
        Links <span className="count">{links.length}</span>
        {button}
      </h2>
      <ul className="peers">
        {GROUPS.flatMap(([word, type, outgoing]) =>
          links
            .filter((link) => link.type === type && (link.from.uid === uid) === outgoing)
            .map(({ from, to }) => rowOf(word, outgoing ? to : from)),
        )}
      </ul>
    </section>
  );
}

interface PeerRowProps {
  readonly uid: string;
  readonly href: string | undefined;
  readonly open: (uid: string) => void;
  readonly letter: SignName;
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
  const { uid, href, open, letter, name, title, word, child, priority, owner } = props;
  return (
    <li>
      <IssueLink uid={uid} href={href} open={open} className="peer">
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
