import { shownIssue } from "../board/board.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { changedFields } from "../writes/inverse.ts";
import { atOf, type Write } from "../writes/writes.ts";
import { sendWrites } from "../writes/writes-in-flight.ts";

/** The box of a task: `- [ ] text`, `1. [x] text`, also in a quotation. */
const BOX = /^([\s>]*(?:[-*+]|\d{1,9}[.)])\s+)\[([ xX])\](?=\s)/;

/** Ticks the task on a line of a text, counted from 0, or clears it; `undefined` if no task is there. */
export function ticked(body: string, line: number): string | undefined {
  const lines = body.split("\n");
  const text = lines[line];
  if (text === undefined || !BOX.test(text)) return undefined;
  lines[line] = text.replace(BOX, (_all, lead: string, box: string) => {
    return `${lead}[${box === " " ? "x" : " "}]`;
  });
  return lines.join("\n");
}

/** Saves the text of the issue in view with the task on a line ticked or cleared. */
export function tickTask(state: State, line: number): Step {
  const why = state.connection.readOnly;
  if (why !== undefined) return hint(state, why);
  const issue = state.issues.get(shownIssue(state) ?? "");
  if (issue === undefined) return step(state);
  const body = ticked(issue.body, line);
  if (body === undefined) return hint(state, "the text was changed meanwhile: that task is gone");
  const { revision, body: before } = issue;
  const write: Write = {
    ...{ act: "edit", at: atOf(issue), title: undefined, body, revision, before },
  };
  return sendWrites(state, [{ ...write, guard: changedFields(write, issue) }]);
}
