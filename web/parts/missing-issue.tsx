import type { ReactElement } from "react";
import { unavailableIssue } from "../../src/screen/detail/away.ts";
import type { Candidate } from "../../src/screen/detail/state.ts";
import type { PainterProps } from "../painter.ts";
import { CommandButton } from "./button.tsx";
import { useLinks } from "./detail/acts.ts";
import { IssueLink } from "./issue-link.tsx";

/** Says why an issue cannot be shown, and offers the issues that may be meant and a way back. */
export function MissingIssue({
  state,
  send,
  uid,
}: PainterProps & { readonly uid: string }): ReactElement {
  const away = unavailableIssue(state, uid);
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

function Candidates(
  props: PainterProps & { readonly candidates: readonly Candidate[] },
): ReactElement | null {
  const { state, send, candidates } = props;
  const { open, hrefOf } = useLinks({ state, send });
  if (candidates.length === 0) return null;
  return (
    <ul className="candidates">
      {candidates.map(({ issue, name, title }) => (
        <li key={issue}>
          <IssueLink uid={issue} href={hrefOf(issue)} open={open}>
            <span className="id">{name}</span> {title}
          </IssueLink>
        </li>
      ))}
    </ul>
  );
}
