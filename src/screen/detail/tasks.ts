import { shownIssue } from "../chosen.ts";
import { type PromptDialog, promptDialog } from "../forms/dialog.ts";
import type { Issue } from "../issues/issues.ts";
import { whyOwned } from "../issues/root.ts";
import { hint } from "../messages/messages.ts";
import { whyCopy } from "../scope/copies.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { changedFields } from "../writes/inverse.ts";
import { sendWrites } from "../writes/send.ts";
import { atOf, type Write } from "../writes/writes.ts";
import { needsIssue } from "./detail.ts";

/** The box of a task: `- [ ] text`, `1. [x] text`, also in a quotation. */
const BOX = /^([\s>]*(?:[-*+]|\d{1,9}[.)])\s+)\[([ xX])\](?=\s)/;

/**
 * Returns the text with the task on a line ticked, or cleared if it was ticked. Lines are counted from 0. Returns
 * `undefined` if the line has no task.
 */
export function toggleTask(body: string, line: number): string | undefined {
  const lines = body.split("\n");
  const text = lines[line];
  if (text === undefined || !BOX.test(text)) return undefined;
  lines[line] = text.replace(BOX, (_all, lead: string, box: string) => {
    return `${lead}[${box === " " ? "x" : " "}]`;
  });
  return lines.join("\n");
}

interface Task {
  /** The line of the text, counted from 0. */
  readonly line: number;
  readonly isDone: boolean;
  readonly text: string;
}

const FENCE = /^\s*(```|~~~)/;

/** The tasks of a text from top to bottom. Lines between code fences are not tasks. */
export function tasksIn(body: string): readonly Task[] {
  const tasks: Task[] = [];
  let fence: string | undefined;
  for (const [line, text] of body.split("\n").entries()) {
    const mark = FENCE.exec(text)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    const box = fence === undefined ? BOX.exec(text) : null;
    if (box !== null)
      tasks.push({ line, isDone: box[2] !== " ", text: text.slice(box[0].length).trim() });
  }
  return tasks;
}

function taskChoices(body: string): readonly string[] {
  return tasksIn(body).map(({ isDone, text }, at) => `${at + 1}  [${isDone ? "x" : " "}] ${text}`);
}

export function whyNoTask(state: State): string | undefined {
  const issue = state.issues.get(shownIssue(state) ?? "");
  if (issue === undefined) return needsIssue(state);
  return tasksIn(issue.body).length === 0
    ? "its text has no tasks: they are lines like - [ ] text"
    : whyOwned([issue]);
}

/** Ticks the task of the issue in view if it is the only one; otherwise asks which task to tick. */
export function askTask(state: State, { uid, qualified_id, body }: Issue): Step {
  const [only, second] = tasksIn(body);
  if (only !== undefined && second === undefined) return tickTask(state, only.line);
  const choices = taskChoices(body);
  const prompt = promptDialog("task", `task of ${qualified_id}`, { uids: [uid], choices });
  return step({ ...state, dialog: { ...prompt, choose: 0 } });
}

/** Ticks the task that the person chose, if the text still contains it as it was shown. */
export function tickChosen(state: State, dialog: PromptDialog, text: string): Step {
  const issue = state.issues.get(dialog.uids[0] ?? "");
  const [number] = text.split("  ", 1);
  const chosen = dialog.choices.find((choice) => choice.split("  ", 1)[0] === number);
  if (issue === undefined || chosen === undefined)
    return hint({ ...state, dialog }, "choose one of the tasks");
  const task = tasksIn(issue.body)[taskChoices(issue.body).indexOf(chosen)];
  return task === undefined
    ? hint(state, "the text was changed meanwhile: that task is gone")
    : tickTask(state, task.line);
}

export function tickTask(state: State, line: number): Step {
  const issue = state.issues.get(shownIssue(state) ?? "");
  const why = state.connection.readOnly ?? whyCopy(state, [issue?.project_id]);
  if (why !== undefined) return hint(state, why);
  if (issue === undefined) return step(state);
  const owned = whyOwned([issue]);
  if (owned !== undefined) return hint(state, owned);
  const body = toggleTask(issue.body, line);
  if (body === undefined) return hint(state, "the text was changed meanwhile: that task is gone");
  const { revision, body: before } = issue;
  const write: Write = {
    ...{ act: "edit", at: atOf(issue), title: undefined, body, revision, before },
  };
  return sendWrites(state, [{ ...write, guard: changedFields(write, issue) }]);
}
