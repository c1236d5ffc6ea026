import { runOwnCommand } from "../commands/own-commands.ts";
import { ownComments } from "../detail/comments.ts";
import { tickChosen } from "../detail/tasks.ts";
import { copyPart } from "../forms/copy.ts";
import { type PromptDialog, type PromptKinds, promptDialog } from "../forms/dialog.ts";
import { openNewForm } from "../forms/forms.ts";
import { quickAdd } from "../forms/quick-add.ts";
import { commentEditForm } from "../forms/text-forms.ts";
import { hint } from "../messages/messages.ts";
import type { PromptRecord, PromptRecords } from "../prompt.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendWrites } from "../writes/send.ts";
import { BRIDGE_PROMPTS } from "./bridge-prompts.ts";
import { ISSUE_PROMPTS, withPerson, writeToEach } from "./issue-prompts.ts";

declare module "../forms/dialog.ts" {
  interface PromptKinds {
    readonly shared:
      | keyof typeof ISSUE_PROMPTS
      | keyof typeof BRIDGE_PROMPTS
      | "own-comment"
      | "task"
      | "recipient"
      | "message"
      | "copy"
      | "run"
      | "quick";
  }
}

const RECIPIENT: PromptRecord = {
  names: "name",
  answer: (state, dialog, text) =>
    text === ""
      ? hint(state, "no name was given: nobody was asked")
      : withPerson(state, dialog, text, (name) =>
          step({ ...state, dialog: messagePrompt(dialog, name) }),
        ),
};

const MESSAGE: PromptRecord = {
  answer: (state, dialog, message) => {
    const { about, before: to } = dialog;
    if (message === "") return hint(state, `no message was given: ${to} was not asked`);
    return about === undefined
      ? writeToEach(state, dialog, message, (at) => ({ act: "notify", at, to, message }))
      : sendWrites(state, [{ act: "notify", at: about, to, message }], { input: dialog });
  },
};

/** The prompts that do not belong to a screen. */
export const SHARED_PROMPTS: PromptRecords<PromptKinds["shared"]> = {
  ...ISSUE_PROMPTS,
  ...BRIDGE_PROMPTS,
  "own-comment": { needsText: true, names: "choice", answer: editComment },
  task: { needsText: true, names: "choice", answer: tickChosen },
  recipient: RECIPIENT,
  message: MESSAGE,
  copy: {
    needsText: true,
    names: "choice",
    answer: (state, { uids }, text) => copyPart(state, uids, text),
  },
  run: {
    needsText: true,
    names: "choice",
    answer: (state, { uids }, text) => runOwnCommand(state, uids, text),
  },
  quick: { needsText: true, answer: quickAdd },
};

function messagePrompt({ uids }: PromptDialog, to: string): PromptDialog {
  return promptDialog("message", `message to ${to}`, { uids, before: to });
}

function editComment(state: State, dialog: PromptDialog, text: string): Step {
  const [number] = text.split("  ", 1);
  const at = dialog.choices.findIndex((choice) => choice.split("  ", 1)[0] === number);
  const [uid = ""] = dialog.uids;
  const comment = ownComments(state, uid)[at];
  const issue = state.issues.get(uid);
  if (text === "" || comment === undefined || issue === undefined)
    return hint({ ...state, dialog }, "choose one of the comments");
  return openNewForm(state, (id) => commentEditForm(issue, comment, id));
}
