import { type ReactElement, type ReactNode, useState } from "react";
import { peerName } from "../../../src/screen/detail/peers.ts";
import type { Standing } from "../../../src/screen/issues/issues.ts";
import { type Part, partsOf } from "../../../src/screen/issues/parts.ts";
import type { ChildFields } from "../../embed/answers.ts";
import { PartBar, SIGN_OF } from "../progress.tsx";
import { Sign } from "../sign.tsx";
import type { IssueActs } from "./acts.ts";
import { PeerRow } from "./peers.tsx";

/** A child, with its state as the row shows it. */
export type ShownChild = Omit<ChildFields, "blocked"> & { readonly is: Standing };

interface ChildrenProps {
  readonly project: string;
  readonly issues: readonly ShownChild[];
  readonly acts: IssueActs;
  /** Stands behind the heading. */
  readonly button?: ReactNode;
}

/**
 * Lists the children of an issue, below a bar that shows how many are closed, ready, waiting and blocked. A click on a
 * part of the bar shows only the children that it counts.
 */
export function ChildIssues(props: ChildrenProps): ReactElement | null {
  const { project, issues: children, acts, button } = props;
  const [asked, ask] = useState<Part["is"]>();
  if (children.length === 0) return null;
  const parts = partsOf(children.map(({ is }) => is));
  const closed = parts.find(({ is }) => is === "closed")?.count ?? 0;
  const only = parts.some(({ is }) => is === asked) ? asked : undefined;
  const toggle = (is: Part["is"]): void => ask(is === only ? undefined : is);
  return (
    <section className="part children">
      <h2>
        Children{" "}
        <span className="count">
          {closed}/{children.length}
        </span>
        {button}
      </h2>
      <div className="progress" data-only={only !== undefined}>
        <PartBar
          parts={parts}
          draw={({ is }, look) => (
            // The buttons below do the same for screen readers and the keyboard.
            <span
              key={is}
              {...look}
              role="presentation"
              data-on={is === only}
              onClick={() => toggle(is)}
            />
          )}
        />
        <div className="counts-of" role="group" aria-label="show only the children that are">
          {parts.map(({ is, count }) => (
            <button
              key={is}
              type="button"
              className="button"
              aria-pressed={is === only}
              onClick={() => toggle(is)}
            >
              <span aria-hidden="true">
                <Sign letter={SIGN_OF[is]} />
              </span>
              {count} {is}
            </button>
          ))}
        </div>
      </div>
      <ul className="peers">
        {children
          .filter(({ is }) => only === undefined || is === only)
          .map((child) => (
            <PeerRow
              key={child.uid}
              uid={child.uid}
              href={acts.hrefOf?.(child.uid)}
              open={acts.open}
              letter={SIGN_OF[child.is]}
              name={peerName({ project }, child)}
              title={child.title}
              child
              priority={child.priority}
              owner={child.owner}
            />
          ))}
      </ul>
    </section>
  );
}
