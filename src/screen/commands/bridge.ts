import { shownIssue } from "../chosen.ts";
import { needsIssue } from "../detail/detail.ts";
import { promptDialog } from "../forms/dialog.ts";
import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";

/** Why the bridge of the issue in view takes no answer now; `undefined` if it does. */
export function whyNoBridge(state: State): string | undefined {
  const issue = state.issues.get(shownIssue(state) ?? "");
  if (issue === undefined) return needsIssue(state);
  if (issue.external_root === undefined) return "it has no root in another tracker";
  const { bridge, bridgeError } = state.detail.known.get(issue.uid) ?? {};
  return bridge === undefined ? (bridgeError ?? "its bridge is not read yet") : undefined;
}

/** Asks what to do with the bridge of an issue. */
export function askBridge(state: State, { uid, qualified_id }: Issue): Step {
  const { bridgeChoices = [] } = state.detail.known.get(uid) ?? {};
  const choices = bridgeChoices.map(({ word, label }) => `${word}  ${label}`);
  const more = { uids: [uid], choices };
  return step({ ...state, dialog: promptDialog("bridge", `bridge of ${qualified_id}`, more) });
}
