import { parsePlanningDate } from "../../domain/dates.ts";
import { fieldOf } from "../field.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import { dateMeant, type Times } from "../times.ts";
import { sendWrites } from "../writes/send.ts";
import type { Creation, Patch } from "../writes/writes.ts";
import { type FormDialog, type PromptDialog, promptDialog } from "./dialog.ts";
import { formRecordOf } from "./form-record.ts";
import { newForm } from "./new-form.ts";
import { ownerInDoubt, withOwnerNamed } from "./person.ts";

export function askQuick(state: State): State {
  return { ...state, dialog: promptDialog("quick", `new issue (${QUICK_FORM})`) };
}

/**
 * Creates the issue. If the daemon refuses it, the form for a new issue opens with the same values, so that the person
 * can try again.
 */
export function quickAdd(state: State, dialog: PromptDialog, text: string): Step {
  const issue = quickIssue(text, state);
  if (typeof issue === "string") return hint({ ...state, dialog }, issue);
  const serial = state.session.serial + 1;
  const next = { ...state, session: { ...state.session, serial } };
  const form = filled(newForm(next, undefined, serial), issue);
  const doubt = ownerInDoubt(state, form);
  if (doubt !== undefined) return hint({ ...state, dialog }, doubt.text);
  const named = withOwnerNamed(next, form);
  return sendWrites(next, formRecordOf(next, named).writes(next, named), { input: form });
}

function filled(form: FormDialog, { title, labels, owner, priority, metadata }: QuickIssue) {
  const values: Readonly<Record<string, string | undefined>> = {
    title,
    labels: labels.join(" "),
    owner,
    priority: priority?.toString(),
  };
  const fields = form.fields.map((field) => {
    const value = values[field.name];
    return value === undefined ? field : { ...field, value: fieldOf(value) };
  });
  const kind = form.kind.form === "new" ? { ...form.kind, metadata } : form.kind;
  return { ...form, kind, fields };
}

type QuickIssue = Pick<Creation, "title" | "labels" | "owner" | "priority"> & {
  readonly metadata: Patch;
};

const QUICK_FORM = "title +label p:1 due:fri owner:bo";

const DATES: Readonly<Record<string, "deadline_on" | "scheduled_on">> = {
  due: "deadline_on",
  on: "scheduled_on",
};

/**
 * Parses a new issue from one line, such as `title +bug p:1 due:fri`. Words that set no field are the title. A word
 * that begins with `\` always belongs to the title, without the `\`. If the line is wrong, returns the problem as text.
 */
export function quickIssue(line: string, how: Times): QuickIssue | string {
  const title: string[] = [];
  const labels: string[] = [];
  const metadata: Record<string, string> = {};
  let owner: string | undefined;
  let priority: number | undefined;
  for (const word of line.split(/\s+/).filter(Boolean)) {
    const [, name = "", value = ""] = /^([a-z]+):(.+)$/.exec(word) ?? [];
    const key = DATES[name];
    if (word.startsWith("\\") && word.length > 1) title.push(word.slice(1));
    else if (/^\+[^\s\d+][^+]*$/.test(word)) labels.push(word.slice(1));
    else if (name === "owner") owner = value;
    else if (name === "p") {
      if (!/^[0-4]$/.test(value)) return `${word}: a priority is 0 to 4`;
      priority = Number(value);
    } else if (key !== undefined) {
      const date = dateOf(value, how);
      if (date === undefined) return `${word}: say tomorrow, fri, +3d or 2026-09-01`;
      metadata[key] = date;
    } else title.push(word);
  }
  if (title.length === 0) return "the title is empty";
  return { title: title.join(" "), labels, owner, priority, metadata };
}

function dateOf(text: string, how: Times): string | undefined {
  const date = dateMeant(how, text);
  return parsePlanningDate(date) === undefined ? undefined : date;
}
