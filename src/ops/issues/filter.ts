import { type Instant, parseInstant } from "../../base/clock.ts";
import { invalid, invalidField } from "../../contract/errors.ts";
import type { listAllIssues } from "../../contract/issues.ts";
import type { Input } from "../../contract/route.ts";
import type { IssueFilter } from "../../store/types/issues.ts";

export type FilterInput = Omit<Input<typeof listAllIssues>["query"], "project_id">;

/** Converts the query to a filter. An empty value does not filter, and a limit of 0 means no limit. */
export function issueFilter(input: FilterInput): IssueFilter {
  const { status, owner, unowned, limit } = input;
  if (unowned === true && owner !== undefined && owner !== "") {
    throw invalid("owner and unowned exclude each other");
  }
  const [priority, maxPriority] = [numberOf(input.priority), numberOf(input.max_priority)];
  const [labels, excluded] = [lowerCaseLabels(input.label), lowerCaseLabels(input.exclude_label)];
  const meta = (input.meta ?? []).map(metaFilter);
  const { parent_uid, author, blocked } = input;
  const since = changedSince(input.changed_since);
  return {
    ...(status === undefined || status === "" ? {} : { status }),
    ...(priority === undefined ? {} : { priority }),
    ...(maxPriority === undefined ? {} : { max_priority: maxPriority }),
    ...(owner === undefined || owner === "" ? {} : { owner }),
    ...(unowned === true ? { unowned } : {}),
    ...(labels.length === 0 ? {} : { labels }),
    ...(excluded.length === 0 ? {} : { exclude_labels: excluded }),
    ...(parent_uid === undefined || parent_uid === "" ? {} : { parent_uid }),
    ...(author === undefined || author === "" ? {} : { author }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(since === undefined ? {} : { changed_since: since }),
    ...(meta.length === 0 ? {} : { meta }),
    ...(input.issue_uid === undefined ? {} : { uids: input.issue_uid }),
    ...(limit === undefined || limit === 0 ? {} : { limit }),
  };
}

function changedSince(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw invalidField("changed_since", "must be an RFC 3339 instant such as 2026-01-31T09:00:00Z");
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === "" ? undefined : Number(text);
}

export function lowerCaseLabels(labels: readonly string[] | undefined): readonly string[] {
  return [...new Set((labels ?? []).map((label) => label.toLowerCase()))];
}

/** Parses `key` (present) or `key=value` (equal text). The value may contain `=`. */
function metaFilter(text: string): { readonly key: string; readonly value?: string } {
  const at = text.indexOf("=");
  const key = at === -1 ? text : text.slice(0, at);
  if (key === "") throw invalidField("meta", "a key is empty");
  return at === -1 ? { key } : { key, value: text.slice(at + 1) };
}
