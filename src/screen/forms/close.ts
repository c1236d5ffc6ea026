import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendOrAsk } from "../writes/sending.ts";
import { atOf, QUICK, type Write } from "../writes/writes.ts";
import { closeForm } from "./close-form.ts";
import { askClose } from "./close-line.ts";
import { openNewForm } from "./forms.ts";

export function openOf(issues: readonly Issue[]): readonly Issue[] {
  return issues.filter(({ status }) => status === "open");
}

/**
 * Closes the open issues among `issues`. If the daemon requires a reason, a message or evidence, opens a prompt for
 * them.
 */
export function closeIssues(state: State, issues: readonly Issue[]): Step {
  const open = openOf(issues);
  if (!state.connection.quickClose)
    return step({ ...state, dialog: askClose(state, open, issues.length) });
  const writes = open.map((issue): Write => ({ act: "close", at: atOf(issue), ...QUICK }));
  return sendOrAsk(state, writes, `close ${writes.length} issues?`);
}

export function closeWith(state: State, issues: readonly Issue[]): Step {
  return openNewForm(state, (id) => closeForm(openOf(issues), id));
}
