import { brokenLabelRule } from "../../contract/label.ts";
import { runOwnCommand } from "../commands/own-commands.ts";
import { ownComments } from "../detail/comments.ts";
import { tickChosen } from "../detail/tasks.ts";
import { editField, type Field, fieldOf } from "../field.ts";
import { closeFormOf, closingIn, lackingIn } from "../forms/close-line.ts";
import {
  chosenBy,
  completedPrompt,
  findRef,
  NAMES_ISSUE,
  suggestions,
  takenByEnter,
  takesOtherName,
} from "../forms/completion.ts";
import { copyPart } from "../forms/copy.ts";
import { type PromptDialog, type PromptKind, promptDialog } from "../forms/dialog.ts";
import { commentEditForm, opened } from "../forms/forms.ts";
import { personIn } from "../forms/person.ts";
import { quickAdd } from "../forms/quick-add.ts";
import { refOfAddress } from "../issues/issue-address.ts";
import type { Issue } from "../issues/issues.ts";
import { hint } from "../messages/messages.ts";
import type { PromptSteps } from "../screen.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { unlinkWrites } from "../writes/links.ts";
import { sendWrites } from "../writes/send.ts";
import { ask, sendOrAsk } from "../writes/sending.ts";
import { atOf, type LinkChange, type Write } from "../writes/writes.ts";

/** Prompts for which an empty line is not an answer. */
const NEEDS_TEXT: ReadonlySet<PromptKind> = new Set([
  "add-label",
  "remove-label",
  "blocker",
  "blocked",
  "related",
  "unlink",
  "own-comment",
  "task",
  "move",
  "address",
  "view",
  "show-view",
  "columns",
  "lane",
  "copy",
  "quick",
  "run",
  "project",
]);

export function onPromptKey(state: State, dialog: PromptDialog, key: string): Step {
  const own = promptOf(state, dialog);
  const byScreen = own?.key?.(state, dialog, key);
  if (byScreen !== undefined) return byScreen;
  const left = { ...state, dialog: undefined };
  const choices = suggestions(dialog);
  const taken = choices[dialog.choose ?? 0];
  switch (key) {
    case "esc":
      return step(own?.left?.(left, dialog) ?? left);
    case "enter": {
      const wanted = takenByEnter(dialog);
      if (wanted === undefined) return answer(left, dialog);
      const field = completedPrompt(dialog, wanted);
      return dialog.kind === "close"
        ? typedPrompt(state, dialog, field)
        : answer(left, { ...dialog, field });
    }
    case "ctrl+s":
      return takesOtherName(dialog) ? answer(left, dialog) : step(state);
    case "ctrl+f":
      return typedPrompt(state, dialog, editField(dialog.field, key) ?? dialog.field);
    case "ctrl+e":
      return dialog.kind === "close"
        ? opened(state, (id) => closeFormOf(state, dialog, id))
        : step(state);
    case "tab":
      return taken === undefined
        ? step(state)
        : typedPrompt(state, dialog, completedPrompt(dialog, taken));
    case "down":
    case "up": {
      const choose = chosenBy(dialog.choose, key === "down" ? 1 : -1, choices.length);
      return step({ ...state, dialog: { ...dialog, choose } });
    }
    default: {
      // On the browser page, space changes a checkbox. The key may come before the page has drawn the checkboxes.
      if (key === "space" && dialog.kind === "columns" && dialog.field.text === "")
        return onPromptKey(state, dialog, "enter");
      const field = editField(dialog.field, key);
      return field === undefined ? step(state) : typedPrompt(state, dialog, field);
    }
  }
}

/**
 * Changes the text of a prompt.
 *
 * - A filter takes effect at each typed character: its screen says how.
 * - In a prompt that asks for an issue, a pasted address of an issue's page is replaced by the issue's id.
 * - In a prompt that asks for an issue, the daemon is asked if no loaded issue matches the text.
 */
export function typedPrompt(state: State, dialog: PromptDialog, field: Field): Step {
  const address = NAMES_ISSUE.has(dialog.kind) ? refOfAddress(state, field.text) : undefined;
  if (address !== undefined) return typedPrompt(state, dialog, fieldOf(address));
  const next = { ...state, dialog: { ...dialog, choose: undefined, error: undefined, field } };
  const own = promptOf(state, dialog)?.typed;
  if (own !== undefined) return step(own(next, field.text));
  if (!NAMES_ISSUE.has(dialog.kind)) return step(next);
  const near = state.issues.get(dialog.uids[0] ?? "")?.project_id;
  return step(next, ...findRef(state, field.text, near));
}

function answer(state: State, dialog: PromptDialog): Step {
  const text = dialog.field.text.trim();
  const issues = dialog.uids.flatMap((uid) => state.issues.get(uid) ?? []);
  const each = (write: (at: ReturnType<typeof atOf>) => Write): Step => {
    const writes = issues.map((issue) => write(atOf(issue)));
    return sendOrAsk(state, writes, `${dialog.label}: ${text}?`, dialog);
  };
  const link = (kind: LinkChange["kind"]): Step => {
    const change: LinkChange = { kind, does: "add", refs: text.split(" ", 1) };
    return each((at) => ({ act: "link", at, change }));
  };
  const named = (given: string, then: (name: string) => Step): Step => {
    const person = personIn(state, given);
    return "doubt" in person ? hint({ ...state, dialog }, person.doubt) : then(person.name);
  };
  if (text === "" && NEEDS_TEXT.has(dialog.kind))
    return hint({ ...state, dialog }, "nothing was typed   esc leaves it");
  const own = promptOf(state, dialog);
  if (own !== undefined) return own.answer(state, dialog, text);
  switch (dialog.kind) {
    case "close": {
      const [lack] = lackingIn(text);
      if (lack !== undefined) return hint({ ...state, dialog }, lack);
      return each((at) => ({ act: "close", at, ...closingIn(text) }));
    }
    case "owner":
      return named(text, (name) => assign(state, issues, name || state.session.actor, dialog));
    case "parent":
      return text === "" ? clearParent(state, issues, dialog) : link("parent");
    case "add-label": {
      const rule = brokenLabelRule(text);
      if (rule !== undefined) return hint({ ...state, dialog }, `a label ${rule}`);
      return each((at) => ({ act: "label", at, label: text }));
    }
    case "remove-label":
      return each((at) => ({ act: "unlabel", at, label: text }));
    case "blocker":
      return link("blocked_by");
    case "blocked":
      return link("blocks");
    case "related":
      return link("related");
    case "unlink": {
      const writes = unlinkWrites(state, issues, text);
      if (writes.length === 0) return hint({ ...state, dialog }, "choose one of the links");
      return sendOrAsk(state, writes, `${dialog.label}: ${text}?`, dialog);
    }
    case "own-comment":
      return editComment(state, dialog, text);
    case "task":
      return tickChosen(state, dialog, text);
    case "recipient":
      return text === ""
        ? hint(state, "no name was given: nobody was asked")
        : named(text, (name) => step({ ...state, dialog: messagePrompt(dialog, name) }));
    case "message":
      if (text !== "" && dialog.about !== undefined) {
        const { about: at, before: to } = dialog;
        return sendWrites(state, [{ act: "notify", at, to, message: text }], { input: dialog });
      }
      return text === ""
        ? hint(state, `no message was given: ${dialog.before} was not asked`)
        : each((at) => ({ act: "notify", at, to: dialog.before, message: text }));
    case "copy":
      return copyPart(state, dialog.uids, text);
    case "run":
      return runOwnCommand(state, dialog.uids, text);
    case "quick":
      return quickAdd(state, dialog, text);
    case "move":
      return move(state, dialog, issues, text);
    default:
      // The other kinds are prompts of a screen, which were handled above.
      return step(state);
  }
}

/** The steps of the screen whose prompt this is; `undefined` for a prompt about issues. */
function promptOf(
  { screens }: Pick<State, "screens">,
  { kind }: PromptDialog,
): PromptSteps | undefined {
  return screens.find(({ prompts }) => prompts?.[kind] !== undefined)?.prompts?.[kind];
}

/** Asks before a person takes what somebody else owns. */
function assign(state: State, issues: readonly Issue[], owner: string, dialog: PromptDialog): Step {
  const writes = issues.map((issue): Write => ({ act: "assign", at: atOf(issue), owner }));
  const others =
    owner === state.session.actor ? issues.filter((one) => isAnothers(one, owner)) : [];
  const [first, second] = others;
  if (first === undefined) return sendOrAsk(state, writes, `${dialog.label}: ${owner}?`, dialog);
  const owners = [...new Set(others.flatMap((issue) => issue.owner ?? []))].join(", ");
  const text =
    second === undefined
      ? `${first.owner} owns ${first.qualified_id}: take it?`
      : `${owners} own ${others.length} of them: take these too?`;
  return ask(state, writes, text, dialog);
}

function isAnothers({ owner }: Issue, actor: string): boolean {
  return owner !== undefined && owner !== actor;
}

/** Asks before removing the parent, because the person may have left the line empty by mistake. */
function clearParent(state: State, issues: readonly Issue[], dialog: PromptDialog): Step {
  const children = issues.filter(({ parent }) => parent !== undefined);
  const writes = children.flatMap((issue): readonly Write[] => {
    const { parent } = issue;
    if (parent === undefined) return [];
    const peers = state.issues.get(parent)?.qualified_id ?? parent;
    const change = { kind: "parent", does: "remove", refs: [parent] } as const;
    return [{ act: "link", at: atOf(issue), change, peers }];
  });
  const [first, second] = writes;
  if (first?.act !== "link") return hint(state, "it has no parent");
  const about =
    second === undefined
      ? `${first.at.name} out of ${first.peers}`
      : `${writes.length} issues out of their parents`;
  return ask(state, writes, `take ${about}?`, dialog);
}

function messagePrompt(dialog: PromptDialog, to: string): PromptDialog {
  return promptDialog("message", `message to ${to}`, { uids: dialog.uids, before: to });
}

function move(state: State, dialog: PromptDialog, issues: readonly Issue[], name: string): Step {
  const to = state.scope.projects.find((known) => known.name === name);
  if (to === undefined) return hint({ ...state, dialog }, `no project is called ${name}`);
  const writes = issues
    .filter(({ project_id }) => project_id !== to.id)
    .map((issue): Write => ({ act: "move", at: atOf(issue), to }));
  if (writes.length === 0 && issues.length > 0) return hint(state, `it is in ${name} already`);
  return sendOrAsk(state, writes, `move ${writes.length} issues to ${name}?`, dialog);
}

function editComment(state: State, dialog: PromptDialog, text: string): Step {
  const [number] = text.split("  ", 1);
  const at = dialog.choices.findIndex((choice) => choice.split("  ", 1)[0] === number);
  const [uid = ""] = dialog.uids;
  const comment = ownComments(state, uid)[at];
  const issue = state.issues.get(uid);
  if (text === "" || comment === undefined || issue === undefined)
    return hint({ ...state, dialog }, "choose one of the comments");
  return opened(state, (id) => commentEditForm(issue, comment, id));
}
