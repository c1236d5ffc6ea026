import type { ReactElement } from "react";
import { peerOf } from "../../../src/screen/detail/shown.ts";
import { standingOfChild } from "../../../src/screen/issues/progress.ts";
import { letterOf } from "../../../src/screen/issues/relations.ts";
import { CommandButton } from "../button.tsx";
import { ChildIssues } from "../issue/children.tsx";
import { Links } from "../issue/peers.tsx";
import { useLinks } from "./acts.ts";
import type { DetailPartProps } from "./facts.tsx";

/** The children of the issue in view. */
export function DetailChildren({ state, send, shown }: DetailPartProps): ReactElement {
  const children = (shown.detail?.show?.children ?? []).map((child) => {
    return { ...child, is: standingOfChild(state, child) };
  });
  return (
    <ChildIssues
      key={shown.uid}
      project={shown.project}
      issues={children}
      acts={useLinks({ state, send })}
      button={
        <CommandButton
          state={state}
          send={send}
          command="new-child"
          label="New child"
          icon="plus"
          words={false}
        />
      }
    />
  );
}

/** The links of the issue in view. */
export function DetailLinks({ state, send, shown }: DetailPartProps): ReactElement {
  const issueOf = (uid: string) => peerOf(state, shown.detail, uid);
  return (
    <Links
      uid={shown.uid}
      project={shown.project}
      links={shown.detail?.show?.links ?? []}
      titleOf={(uid) => issueOf(uid)?.title}
      letterOf={(uid) => {
        const issue = issueOf(uid);
        return issue === undefined ? "?" : letterOf(state, issue);
      }}
      acts={useLinks({ state, send })}
      button={
        <CommandButton
          state={state}
          send={send}
          command="add-blocker"
          label="Add a blocker"
          icon="plus"
          words={false}
        />
      }
      none={<NoLinks {...{ state, send, shown }} />}
    />
  );
}

/** Offers to make links. Nothing is shown for a deleted issue or if nothing may be changed. */
function NoLinks({ state, send, shown }: DetailPartProps): ReactElement | null {
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
