import type { BridgeChoice } from "../detail/state.ts";
import { type PromptDialog, promptDialog } from "../forms/dialog.ts";
import { hint } from "../messages/messages.ts";
import type { PromptRecord } from "../prompt.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendWrites } from "../writes/send.ts";
import { GONE } from "../writes/sending.ts";
import { atOf, type BridgeAsk } from "../writes/writes.ts";

/** The prompts about the bridge of an issue: what to do with it, and the text that two of the choices ask for. */
export const BRIDGE_PROMPTS = {
  bridge: { needsText: true, names: "choice", answer: choose },
  "bridge-more": { answer: withText },
} as const satisfies Readonly<Record<string, PromptRecord>>;

function choiceOf(
  { detail }: State,
  { uids: [uid = ""] }: PromptDialog,
  word: string | undefined,
): BridgeChoice | undefined {
  return detail.known.get(uid)?.bridgeChoices?.find((choice) => choice.word === word);
}

function choose(state: State, dialog: PromptDialog, text: string): Step {
  const [word = ""] = text.split("  ", 1);
  const chosen = choiceOf(state, dialog, word);
  if (chosen === undefined) return hint({ ...state, dialog }, "choose one of the lines");
  const { ask, more } = chosen;
  if (more === undefined) return send(state, dialog, ask);
  const about = { uids: dialog.uids, before: word };
  return step({ ...state, dialog: promptDialog("bridge-more", more.label, about) });
}

function withText(state: State, dialog: PromptDialog, text: string): Step {
  const { ask, more } = choiceOf(state, dialog, dialog.before) ?? {};
  if (ask === undefined || more === undefined) return hint(state, GONE);
  if (text === "")
    return more.mayBeEmpty === true
      ? send(state, dialog, ask)
      : hint({ ...state, dialog }, "nothing was typed");
  const { does, body, words } = ask;
  return send(state, dialog, {
    does,
    body: { ...body, [more.name]: text },
    words: [...words, more.flag, text],
  });
}

function send(state: State, dialog: PromptDialog, ask: BridgeAsk): Step {
  const issue = state.issues.get(dialog.uids[0] ?? "");
  if (issue === undefined) return hint(state, GONE);
  return sendWrites(state, [{ act: "bridge", at: atOf(issue), ...ask }], { input: dialog });
}
