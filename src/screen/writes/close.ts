import type { Issue } from "../board/issues.ts";
import { closeForm } from "../forms/close-form.ts";
import { opened } from "../forms/forms.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import { sendOrAsk } from "./sending.ts";
import { atOf, QUICK, type Write } from "./writes.ts";

/** Closes open issues: at once if the daemon needs no evidence, else by a form that asks for it. */
export function closeIssues(state: State, open: readonly Issue[]): Step {
  if (!state.connection.quickClose) return closeWith(state, open);
  const writes = open.map((issue): Write => ({ act: "close", at: atOf(issue), ...QUICK }));
  return sendOrAsk(state, writes, `close ${writes.length} issues?`);
}

export function closeWith(state: State, issues: readonly Issue[]): Step {
  return opened(state, (id) => closeForm(issues, id));
}
