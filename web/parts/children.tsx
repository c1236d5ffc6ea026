import { type ReactElement, useState } from "react";
import { peerName } from "../../src/screen/detail/shown.ts";
import { type Part, partsOf, standingOfChild } from "../../src/screen/issues/progress.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import { issueUrls } from "../place.ts";
import { CommandButton } from "./button.tsx";
import { PeerRow, type PeersProps } from "./peers.tsx";
import { PartBar, SIGN_OF } from "./progress.tsx";
import { Sign } from "./sign.tsx";

/**
 * Lists the children of an issue, below a bar that shows how many are closed, ready, waiting and blocked. A click on a
 * part of the bar shows only the children that it counts.
 */
export function Children({ state, send, shown }: PeersProps): ReactElement | null {
  const [asked, ask] = useState<Part["is"]>();
  const children = (shown.detail?.show?.children ?? []).map((child) => {
    return { ...child, is: standingOfChild(state, child) };
  });
  if (children.length === 0) return null;
  const parts = partsOf(children.map(({ is }) => is));
  const closed = parts.find(({ is }) => is === "closed")?.count ?? 0;
  const only = parts.some(({ is }) => is === asked) ? asked : undefined;
  const hrefOf = issueUrls(placeOf(state));
  const toggle = (is: Part["is"]): void => ask(is === only ? undefined : is);
  return (
    <section className="part children">
      <h2>
        Children{" "}
        <span className="count">
          {closed}/{children.length}
        </span>
        <CommandButton
          state={state}
          send={send}
          command="new-child"
          label="New child"
          icon="plus"
          words={false}
        />
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
              send={send}
              uid={child.uid}
              href={hrefOf(child.uid)}
              letter={SIGN_OF[child.is]}
              name={peerName(shown, child)}
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
