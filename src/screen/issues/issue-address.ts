import { isUlid } from "../../base/ulid.ts";
import type { State } from "../state.ts";
import { namedIssue } from "./names.ts";

/** The path of the daemon's page. */
export const PAGE_PATH = "/svc";

/** Returns the issue that an address of the page names: its uid, or the name that the address has for it. */
export function issueInAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { pathname, searchParams, hash } = new URL(text);
  return pathname === PAGE_PATH ? issueIn(searchParams.get("issue"), hash) : undefined;
}

/** The issue that the query and the fragment of an address name. A uid is written in capitals, a name as it was given. */
export function issueIn(text: string | null, hash: string): string | undefined {
  const name = text?.trim() ?? "";
  if (name === "") return undefined;
  // A browser takes what follows the # of project#abc4 for the fragment, unless somebody has encoded it.
  const isCut = !name.includes("#") && SHORT_FRAGMENT.test(hash);
  return uidIn(name) ?? (isCut ? name + hash : name);
}

/**
 * Matches a fragment that may be a short id. It does not match `#direct=1`, which `svc ui` adds, and `#list`, the link
 * that skips to the list.
 */
const SHORT_FRAGMENT = /^#(?!list$)[0-9a-z]+$/i;

export function uidIn(text: string | null): string | undefined {
  return text !== null && isUlid(text) ? text.toUpperCase() : undefined;
}

/**
 * The ref to put in place of a text that is the address of an issue; `undefined` for any other text. An address with a
 * name is replaced only if that issue is loaded, since the text may be the beginning of a longer address.
 */
export function refOfAddress(
  state: Pick<State, "issues" | "memo">,
  text: string,
): string | undefined {
  const named = issueInAddress(text.trim());
  if (named === undefined) return undefined;
  const issue = state.issues.get(named) ?? namedIssue(state, named);
  return issue?.qualified_id ?? uidIn(named);
}
