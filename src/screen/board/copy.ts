import { graphemes } from "../../base/graphemes.ts";
import { promptDialog } from "../forms/dialog.ts";
import { aboutAll } from "../forms/forms.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { Issue } from "./issues.ts";

/** What can be copied of an issue, by the name in the menu. */
const PARTS: Readonly<Record<string, (issue: Issue) => string>> = {
  id: ({ qualified_id }) => qualified_id,
  title: ({ title }) => title,
  both: ({ qualified_id, title }) => `${qualified_id} ${title}`,
  command: ({ qualified_id }) => `svc show ${qualified_id}`,
  branch: ({ short_id, title }) => begin([short_id, ...wordsOf(title)].join("-"), MAX_BRANCH),
  text: ({ body }) => body,
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

/** Offers the parts of an issue that can be copied, each with its text for the first issue. */
export function askCopy(state: State, issues: readonly Issue[]): State {
  const [first] = issues;
  if (first === undefined) return state;
  const choices = Object.entries(PARTS).flatMap(([name, partOf]) => {
    const text = partOf(first).replaceAll(/\s+/g, " ").trim();
    return text === "" ? [] : [`${name}  ${begin(text, MAX_SHOWN)}`];
  });
  const uids = issues.map(({ uid }) => uid);
  const dialog = promptDialog("copy", `what of ${aboutAll(issues)}`, { uids, choices });
  return { ...state, dialog: { ...dialog, choose: 0 } };
}

/** Copies a part of each issue, one below the other. */
export function copyPart(state: State, uids: readonly string[], name: string): Step {
  const partOf = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (partOf === undefined)
    return hint(state, `one of ${Object.keys(PARTS).join(", ")} can be copied`);
  const texts = uids.flatMap((uid) => state.issues.get(uid) ?? []).map(partOf);
  return step(state, { effect: "copy", text: texts.join("\n") });
}
