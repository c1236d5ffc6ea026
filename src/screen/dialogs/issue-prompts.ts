import { brokenLabelRule } from "../../contract/label.ts";
import { closeFormOf, closeWords, faultsInLine, parseClosing } from "../forms/close-line.ts";
import type { PromptDialog } from "../forms/dialog.ts";
import { openNewForm } from "../forms/forms.ts";
import { personIn } from "../forms/person.ts";
import type { Issue } from "../issues/issues.ts";
import { hint } from "../messages/messages.ts";
import type { PromptRecord } from "../prompt.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import { unlinkWrites } from "../writes/links.ts";
import { ask, sendOrAsk } from "../writes/sending.ts";
import { type At, atOf, type LinkChange, type Write } from "../writes/writes.ts";

const CLOSE: PromptRecord = {
  wordChoices: closeWords,
  staysOpen: true,
  key: (state, dialog, key) =>
    key === "ctrl+e" ? openNewForm(state, (id) => closeFormOf(state, dialog, id)) : undefined,
  answer: (state, dialog, text) => {
    const [lack] = faultsInLine(text);
    if (lack !== undefined) return hint({ ...state, dialog }, lack);
    return writeToEach(state, dialog, text, (at) => ({ act: "close", at, ...parseClosing(text) }));
  },
};

const OWNER: PromptRecord = {
  names: "name",
  answer: (state, dialog, text) =>
    withPerson(state, dialog, text, (name) => assign(state, dialog, name || state.session.actor)),
};

const ADD_LABEL: PromptRecord = {
  needsText: true,
  names: "name",
  answer: (state, dialog, text) => {
    const rule = brokenLabelRule(text);
    if (rule !== undefined) return hint({ ...state, dialog }, `a label ${rule}`);
    return writeToEach(state, dialog, text, (at) => ({ act: "label", at, label: text }));
  },
};

const REMOVE_LABEL: PromptRecord = {
  needsText: true,
  names: "choice",
  answer: (state, dialog, text) =>
    writeToEach(state, dialog, text, (at) => ({ act: "unlabel", at, label: text })),
};

const PARENT: PromptRecord = {
  names: "issue",
  answer: (state, dialog, text) =>
    text === "" ? clearParent(state, dialog) : addLink(state, dialog, "parent", text),
};

const UNLINK: PromptRecord = {
  needsText: true,
  names: "choice",
  answer: (state, dialog, text) => {
    const writes = unlinkWrites(state, issuesOf(state, dialog), text);
    if (writes.length === 0) return hint({ ...state, dialog }, "choose one of the links");
    return sendOrAsk(state, writes, `${dialog.label}: ${text}?`, dialog);
  },
};

const MOVE: PromptRecord = { needsText: true, names: "choice", answer: move };

/** The prompts that change the chosen issues. */
export const ISSUE_PROMPTS = {
  close: CLOSE,
  owner: OWNER,
  "add-label": ADD_LABEL,
  "remove-label": REMOVE_LABEL,
  parent: PARENT,
  blocker: linkPrompt("blocked_by"),
  blocked: linkPrompt("blocks"),
  related: linkPrompt("related"),
  unlink: UNLINK,
  move: MOVE,
} as const;

function linkPrompt(kind: LinkChange["kind"]): PromptRecord {
  return {
    needsText: true,
    names: "issue",
    answer: (state, dialog, text) => addLink(state, dialog, kind, text),
  };
}

function addLink(state: State, dialog: PromptDialog, kind: LinkChange["kind"], text: string): Step {
  const change: LinkChange = { kind, does: "add", refs: text.split(" ", 1) };
  return writeToEach(state, dialog, text, (at) => ({ act: "link", at, change }));
}

function issuesOf(state: State, { uids }: PromptDialog): readonly Issue[] {
  return uids.flatMap((uid) => state.issues.get(uid) ?? []);
}

/** Sends one write for each issue of the prompt; asks first if there are several. */
export function writeToEach(
  state: State,
  dialog: PromptDialog,
  text: string,
  write: (at: At) => Write,
): Step {
  const writes = issuesOf(state, dialog).map((issue) => write(atOf(issue)));
  return sendOrAsk(state, writes, `${dialog.label}: ${text}?`, dialog);
}

/**
 * Calls `next` with the name of the person whom the text means. If it is not clear who is meant, says so and keeps the
 * prompt open.
 */
export function withPerson(
  state: State,
  dialog: PromptDialog,
  text: string,
  next: (name: string) => Step,
): Step {
  const person = personIn(state, text);
  return "doubt" in person ? hint({ ...state, dialog }, person.doubt) : next(person.name);
}

/** Assigns the issues to `owner`. If the person at the screen takes issues that somebody else owns, asks first. */
function assign(state: State, dialog: PromptDialog, owner: string): Step {
  const issues = issuesOf(state, dialog);
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
function clearParent(state: State, dialog: PromptDialog): Step {
  const children = issuesOf(state, dialog).filter(({ parent }) => parent !== undefined);
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

function move(state: State, dialog: PromptDialog, name: string): Step {
  const to = state.scope.projects.find((known) => known.name === name);
  if (to === undefined) return hint({ ...state, dialog }, `no project is called ${name}`);
  const issues = issuesOf(state, dialog);
  const writes = issues
    .filter(({ project_id }) => project_id !== to.id)
    .map((issue): Write => ({ act: "move", at: atOf(issue), to }));
  if (writes.length === 0 && issues.length > 0) return hint(state, `it is in ${name} already`);
  return sendOrAsk(state, writes, `move ${writes.length} issues to ${name}?`, dialog);
}
