import type { ReactElement } from "react";
import { awayOf } from "../../src/screen/detail/away.ts";
import type { Candidate } from "../../src/screen/detail/state.ts";
import { placeOf } from "../../src/screen/place/place.ts";
import { type PainterProps, pointed } from "../painter.ts";
import { issueUrls } from "../place.ts";
import { CommandButton } from "./button.tsx";

/** Says why an issue cannot be shown, and offers the issues that may be meant and a way back. */
export function Unread({
  state,
  send,
  uid,
}: PainterProps & { readonly uid: string }): ReactElement {
  const away = awayOf(state, uid);
  if (away === undefined) return <div className="empty" />;
  return (
    <div className="empty" role="alert">
      <h1 className="why">{away.why}</h1>
      {away.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <Candidates state={state} send={send} candidates={away.candidates} />
      <p className="acts">
        <CommandButton {...{ state, send }} command="back" label="Back to the list" look="strong" />
      </p>
    </div>
  );
}

/** The issues that may be meant, as links. */
function Candidates(
  props: PainterProps & { readonly candidates: readonly Candidate[] },
): ReactElement | null {
  const { state, send, candidates } = props;
  if (candidates.length === 0) return null;
  const hrefOf = issueUrls(placeOf(state));
  return (
    <ul className="candidates">
      {candidates.map(({ issue, name, title }) => (
        <li key={issue}>
          <a
            href={hrefOf(issue)}
            onClick={(event) => {
              // A click with a modifier is the browser's: a new tab or window.
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              send(pointed({ is: "issue", uid: issue }));
            }}
          >
            <span className="id">{name}</span> {title}
          </a>
        </li>
      ))}
    </ul>
  );
}
