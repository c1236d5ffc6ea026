import { graphemes } from "../../base/graphemes.ts";
import type { CopyPart } from "../issues/copy-part.ts";
import type { Issue } from "../issues/issues.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { promptDialog } from "./dialog.ts";
import { aboutAll } from "./forms.ts";

/**
 * The parts of an issue that can be copied, by their names in the menu. If an issue lacks a part, the text is empty and
 * the part is not offered.
 */
const PARTS: Readonly<Record<CopyPart, (issue: Issue, state: State) => string>> = {
  id: ({ qualified_id }) => qualified_id,
  title: ({ title }) => title,
  both: ({ qualified_id, title }) => `${qualified_id} ${title}`,
  command: ({ qualified_id }) => `svc show ${qualified_id}`,
  branch: ({ short_id, title }) => begin([short_id, ...wordsOf(title)].join("-"), MAX_BRANCH),
  text: ({ body }) => body,
  link: ({ uid }, { preferences: { page } }) => (page === undefined ? "" : `${page}?issue=${uid}`),
  uid: ({ uid }) => uid,
};

const MAX_BRANCH = 60;
const MAX_SHOWN = 60;

/** The first characters of a text, counted in graphemes, so that no visible character is cut in two. */
function begin(text: string, count: number): string {
  return graphemes(text).slice(0, count).join("");
}

function wordsOf(title: string): readonly string[] {
  return title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Asks which part of the issues to copy. Each choice shows that part of the first issue as an example. */
export function askCopy(state: State, issues: readonly Issue[]): State {
  const [first] = issues;
  if (first === undefined) return state;
  const choices = Object.entries(PARTS).flatMap(([name, partOf]) => {
    const text = partOf(first, state).replaceAll(/\s+/g, " ").trim();
    return text === "" ? [] : [`${name}  ${begin(text, MAX_SHOWN)}`];
  });
  const uids = issues.map(({ uid }) => uid);
  const dialog = promptDialog("copy", `what of ${aboutAll(issues)}`, { uids, choices });
  return { ...state, dialog: { ...dialog, choose: 0 } };
}

export function copyPart(state: State, uids: readonly string[], name: string): Step {
  const names = Object.keys(PARTS).filter((one) => one !== "link" || hasLinks(state));
  if (!isPart(name) || !names.includes(name))
    return hint(state, `one of ${names.join(", ")} can be copied`);
  const issues = uids.flatMap((uid) => state.issues.get(uid) ?? []);
  const texts = issues.map((issue) => PARTS[name](issue, state));
  return step(state, { effect: "copy", text: texts.join("\n") });
}

/** Links to issues need the address of the browser page. */
function hasLinks({ preferences: { page } }: State): boolean {
  return page !== undefined;
}

function isPart(name: string): name is CopyPart {
  return Object.hasOwn(PARTS, name);
}
