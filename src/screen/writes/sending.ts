import { fieldOf } from "../field.ts";
import type { Dialog } from "../forms/dialog.ts";
import type { Issue } from "../issues/issues.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendWrites } from "../writes/send.ts";
import { atOf, type Write } from "./writes.ts";

/** The hint if an issue was deleted or moved by somebody else, or if the board shows another project now. */
export const GONE = "its issue is not here any more";

const MAX_UNCONFIRMED = 20;

/**
 * Sends up to `MAX_UNCONFIRMED` writes immediately; more must be confirmed by typing their number. If there is nothing to send,
 * says so and keeps the input open.
 */
export function sendOrAsk(
  state: State,
  writes: readonly Write[],
  text: string,
  input?: Dialog,
): Step {
  if (writes.length === 0) return hint({ ...state, dialog: input }, GONE);
  if (writes.length > MAX_UNCONFIRMED) return ask(state, writes, text, input);
  return sendWrites({ ...state, dialog: sentDialog(input) }, writes, { input });
}

/** Asks the person to confirm the writes with a key, or many writes by typing their number. */
export function ask(state: State, writes: readonly Write[], text: string, input?: Dialog): Step {
  if (writes.length <= MAX_UNCONFIRMED)
    return step({ ...state, dialog: { dialog: "confirm", text, writes, input } });
  const expected = String(writes.length);
  const field = fieldOf("");
  return step({ ...state, dialog: { dialog: "type", text, expected, field, writes, input } });
}

export function sendAsked(
  state: State,
  dialog: Extract<Dialog, { readonly writes: readonly Write[] }>,
): Step {
  const { writes, input } = dialog;
  return sendWrites({ ...state, dialog: sentDialog(input) }, writes, { input: input ?? dialog });
}

/** The dialog to show after its writes were sent: a form stays and waits for the answer, and other dialogs close. */
function sentDialog(input: Dialog | undefined): Dialog | undefined {
  return input?.dialog === "form" ? { ...input, saving: true } : undefined;
}

export function confirmDelete(state: State, issues: readonly Issue[]): Step {
  const writes = issues.map((issue): Write => ({ act: "delete", at: atOf(issue) }));
  return ask(state, writes, `delete ${issuesText(issues)}?`);
}

export function issuesText(
  issues: readonly { readonly qualified_id: string; readonly title: string }[],
): string {
  const [first] = issues;
  if (first === undefined) return "nothing";
  return issues.length === 1 ? `${first.qualified_id} "${first.title}"` : `${issues.length} issues`;
}
