import { setQuery } from "../board/board.ts";
import type { Issue } from "../board/issues.ts";
import { searchDaemon } from "../board/search.ts";
import { saveView, showView } from "../board/views.ts";
import { ownComments } from "../detail/own-comments.ts";
import { withFleet } from "../fleet/fleet.ts";
import { readAddress } from "../inbox/inbox.ts";
import { createProject } from "../projects/projects.ts";
import type { State } from "../state.ts";
import { hint, type Step, step } from "../step.ts";
import { unlinkWrites } from "../writes/links.ts";
import { ask, sendOrAsk } from "../writes/sending.ts";
import { atOf, type LinkChange, type Write } from "../writes/writes.ts";
import { send } from "../writes/writes-in-flight.ts";
import { chosenBy, completedPrompt, findRef, isPartOfRef, suggestions } from "./completion.ts";
import { type PromptKind, type PromptSheet, promptSheet } from "./dialog.ts";
import { editField, type Field } from "./field.ts";
import { commentEditForm, opened } from "./forms.ts";

/** An empty line means nothing there; elsewhere it is an answer of its own. */
const NEEDS_TEXT: ReadonlySet<PromptKind> = new Set([
  "add-label",
  "remove-label",
  "blocker",
  "related",
  "unlink",
  "own-comment",
  "move",
  "address",
  "view",
  "show-view",
  "project",
]);

/** What is offered is all there is: a part of the only one that fits stands for it, and so does nothing typed. */
const OFFERS_ALL: ReadonlySet<PromptKind> = new Set([
  "remove-label",
  "unlink",
  "own-comment",
  "move",
  "show-view",
]);

/** A part of an issue's title is enough where no other has it. */
const NAMES_ISSUE: ReadonlySet<PromptKind> = new Set(["parent", "blocker", "related"]);

/** One line that is asked for: arrows choose among what it may become, tab takes it, enter answers. */
export function inPrompt(state: State, sheet: PromptSheet, key: string): Step {
  const left = { ...state, sheet: undefined };
  const choices = suggestions(sheet);
  const taken = choices[sheet.choose ?? 0];
  const isOnly =
    choices.length === 1 &&
    (OFFERS_ALL.has(sheet.kind) ||
      (NAMES_ISSUE.has(sheet.kind) && isPartOfRef(sheet.field.text, choices[0])));
  switch (key) {
    case "esc":
      if (sheet.kind === "holders") return step(withFleet(left, { text: sheet.before }));
      return step(sheet.kind === "filter" ? setQuery(left, sheet.before) : left);
    case "enter": {
      if ((sheet.choose === undefined && !isOnly) || taken === undefined)
        return answer(left, sheet);
      const field = completedPrompt(sheet, taken);
      return sheet.kind === "filter"
        ? step(setQuery(left, field.text))
        : answer(left, { ...sheet, field });
    }
    case "ctrl+f":
      return sheet.kind === "filter"
        ? searchDaemon(state, sheet.field.text, sheet.before)
        : typedPrompt(state, sheet, editField(sheet.field, key) ?? sheet.field);
    case "tab":
      return taken === undefined
        ? step(state)
        : typedPrompt(state, sheet, completedPrompt(sheet, taken));
    case "down":
    case "up": {
      const choose = chosenBy(sheet.choose, key === "down" ? 1 : -1, choices.length);
      return step({ ...state, sheet: { ...sheet, choose } });
    }
    default: {
      const field = editField(sheet.field, key);
      return field === undefined ? step(state) : typedPrompt(state, sheet, field);
    }
  }
}

/** The filter is applied with each character; an issue that is not loaded is looked for on the daemon. */
export function typedPrompt(state: State, sheet: PromptSheet, field: Field): Step {
  const next = { ...state, sheet: { ...sheet, choose: undefined, field } };
  if (sheet.kind === "filter") return step(setQuery(next, field.text));
  if (sheet.kind === "holders") return step(withFleet(next, { text: field.text }));
  if (!NAMES_ISSUE.has(sheet.kind)) return step(next);
  const near = state.issues.get(sheet.uids[0] ?? "")?.project_id;
  return step(next, ...findRef(state, field.text, near));
}

function answer(state: State, sheet: PromptSheet): Step {
  const text = sheet.field.text.trim();
  const issues = sheet.uids.flatMap((uid) => state.issues.get(uid) ?? []);
  const each = (write: (at: ReturnType<typeof atOf>) => Write): Step => {
    const writes = issues.map((issue) => write(atOf(issue)));
    return sendOrAsk(state, writes, `${sheet.label}: ${text}?`, sheet);
  };
  const link = (change: LinkChange): Step => each((at) => ({ act: "link", at, change }));
  const ref = text.split(" ", 1)[0] ?? text;
  if (text === "" && NEEDS_TEXT.has(sheet.kind))
    return hint({ ...state, sheet }, "nothing was typed   esc leaves it");
  switch (sheet.kind) {
    case "filter":
      return step(state);
    case "holders":
      return step(withFleet(state, { text: sheet.field.text }));
    case "owner":
      return each((at) => ({ act: "assign", at, owner: text === "" ? state.session.actor : text }));
    case "parent":
      return text === "" ? clearParent(state, issues, sheet) : link({ set_parent: ref });
    case "add-label":
      return each((at) => ({ act: "label", at, label: text }));
    case "remove-label":
      return each((at) => ({ act: "unlabel", at, label: text }));
    case "blocker":
      return link({ add_blocked_by: [ref] });
    case "related":
      return link({ add_related: [ref] });
    case "unlink": {
      const writes = unlinkWrites(state, issues, text);
      if (writes.length === 0) return hint({ ...state, sheet }, "choose one of the links");
      return sendOrAsk(state, writes, `${sheet.label}: ${text}?`, sheet);
    }
    case "own-comment":
      return editComment(state, sheet, text);
    case "recipient":
      return text === ""
        ? hint(state, "no name was given: nobody was asked")
        : step({ ...state, sheet: messagePrompt(sheet, text) });
    case "message":
      if (text !== "" && sheet.about !== undefined) {
        const { about: at, before: to } = sheet;
        return send(state, [{ act: "notify", at, to, message: text }], { input: sheet });
      }
      return text === ""
        ? hint(state, `no message was given: ${sheet.before} was not asked`)
        : each((at) => ({ act: "notify", at, to: sheet.before, message: text }));
    case "address":
      return readAddress(state, text);
    case "search":
      return searchDaemon({ ...state, sheet }, text);
    case "project":
      return createProject(state, text);
    case "show-view":
      return showView(state, text);
    case "view":
      return saveView(state, text);
    case "move":
      return move(state, sheet, issues, text);
  }
}

/** No parent at all is asked for once more: the line may have been left empty by mistake. */
function clearParent(state: State, issues: readonly Issue[], sheet: PromptSheet): Step {
  const children = issues.filter(({ parent }) => parent !== undefined);
  const writes = children.flatMap((issue): readonly Write[] => {
    const { parent: remove_parent } = issue;
    if (remove_parent === undefined) return [];
    const peers = state.issues.get(remove_parent)?.qualified_id ?? remove_parent;
    return [{ act: "link", at: atOf(issue), change: { remove_parent }, peers }];
  });
  const [first, second] = writes;
  if (first?.act !== "link") return hint(state, "it has no parent");
  const about =
    second === undefined
      ? `${first.at.name} out of ${first.peers}`
      : `${writes.length} issues out of their parents`;
  return ask(state, writes, `take ${about}?`, sheet);
}

function messagePrompt(sheet: PromptSheet, to: string): PromptSheet {
  return promptSheet("message", `message to ${to}`, { uids: sheet.uids, before: to });
}

function move(state: State, sheet: PromptSheet, issues: readonly Issue[], name: string): Step {
  const to = state.projects.all.find((known) => known.name === name);
  if (to === undefined) return hint({ ...state, sheet }, `no project is called ${name}`);
  const writes = issues
    .filter(({ project_id }) => project_id !== to.id)
    .map((issue): Write => ({ act: "move", at: atOf(issue), to }));
  if (writes.length === 0 && issues.length > 0) return hint(state, `it is in ${name} already`);
  return sendOrAsk(state, writes, `move ${writes.length} issues to ${name}?`, sheet);
}

function editComment(state: State, sheet: PromptSheet, text: string): Step {
  const [number] = text.split("  ", 1);
  const at = sheet.choices.findIndex((choice) => choice.split("  ", 1)[0] === number);
  const [uid = ""] = sheet.uids;
  const comment = ownComments(state, uid)[at];
  const issue = state.issues.get(uid);
  if (text === "" || comment === undefined || issue === undefined)
    return hint({ ...state, sheet }, "choose one of the comments");
  return opened(state, (id) => commentEditForm(issue, comment, id));
}
