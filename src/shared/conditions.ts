import type { showIssueByUID } from "../contract/issues.ts";
import type { Output } from "../contract/route.ts";
import { SLOT_PREFIX, slotOf } from "../domain/inbox/slot.ts";

export interface CheckedIssue {
  readonly shown: Output<typeof showIssueByUID>;
  /** Whether the issue is ready; looked up only if a condition needs it. */
  readonly ready: boolean;
}

/** A condition of `svc wait`, such as `label=reviewed`. */
export interface Condition {
  readonly text: string;
  readonly name: string;
  readonly value: string | undefined;
}

interface ConditionKind {
  readonly says: string;
  /** Whether a value after `=` is forbidden, allowed or required. */
  readonly value: "none" | "optional" | "required";
  /** True if the condition can still be met after the issue is closed; otherwise a close ends the wait. */
  readonly outlivesClose?: boolean;
  isMet(now: CheckedIssue, value: string | undefined, before: CheckedIssue): boolean;
}

const ATTENTION = "work.attention";

/** The conditions by name (docs/contract/command-line.md#23-inbox-waiting-activity). */
export const CONDITIONS: Readonly<Record<string, ConditionKind>> = {
  closed: { says: "it is closed", value: "none", isMet: isClosed },
  attention: {
    says: "its work.attention is anything but ok",
    value: "none",
    isMet: ({ shown }) => !["", "ok"].includes(attentionOf(shown)),
  },
  "needs-human": attentionCondition("needs-human"),
  stuck: attentionCondition("stuck"),
  ready: { says: "nothing stands in its way", value: "none", isMet: ({ ready }) => ready },
  open: { says: "it is open", value: "none", isMet: (now) => !isClosed(now), outlivesClose: true },
  owner: {
    says: "somebody owns it, or the one named",
    value: "optional",
    isMet: ({ shown: { issue } }, value) =>
      value === undefined ? issue.owner !== undefined : issue.owner === value,
  },
  unowned: {
    says: "nobody owns it",
    value: "none",
    isMet: ({ shown }) => shown.issue.owner === undefined,
  },
  label: {
    says: "it carries the label",
    value: "required",
    outlivesClose: true,
    isMet: ({ shown }, value = "") => shown.issue.labels.includes(value),
  },
  "no-label": {
    says: "it does not carry the label",
    value: "required",
    outlivesClose: true,
    isMet: ({ shown }, value = "") => !shown.issue.labels.includes(value),
  },
  request: {
    says: "its inbox holds a request, or one for the address named",
    value: "optional",
    isMet: ({ shown: { issue } }, value) =>
      value === undefined
        ? Object.keys(issue.metadata).some((key) => key.startsWith(SLOT_PREFIX))
        : Object.hasOwn(issue.metadata, slotOf(value)),
  },
  comment: {
    says: "somebody comments on it from now on",
    value: "none",
    outlivesClose: true,
    isMet: ({ shown }, _value, before) => shown.comments.length > before.shown.comments.length,
  },
  change: {
    says: "anything about it changes from now on",
    value: "none",
    outlivesClose: true,
    isMet: ({ shown }, _value, before) => contentOf(shown) !== contentOf(before.shown),
  },
  deleted: {
    says: "it is deleted",
    value: "none",
    outlivesClose: true,
    isMet: ({ shown }) => shown.issue.deleted_at !== undefined,
  },
};

/** Parses `closed` or `owner=bea`; `undefined` if the text is no condition. */
export function conditionOf(text: string): Condition | undefined {
  const at = text.indexOf("=");
  const name = at === -1 ? text : text.slice(0, at);
  const value = at === -1 ? undefined : text.slice(at + 1);
  const kind = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
  if (kind === undefined || value === "") return undefined;
  const fits = value === undefined ? kind.value !== "required" : kind.value !== "none";
  return fits ? { text, name, value } : undefined;
}

/** Returns the condition that is met; `closed` if the issue is closed and no condition can be met any more. */
export function conditionMet(
  conditions: readonly Condition[],
  now: CheckedIssue,
  before: CheckedIssue,
): string | undefined {
  const met = conditions.find(({ name, value }) => CONDITIONS[name]?.isMet(now, value, before));
  if (met !== undefined) return met.text;
  const over = conditions.every(({ name }) => CONDITIONS[name]?.outlivesClose !== true);
  return over && isClosed(now) ? "closed" : undefined;
}

export function attentionOf({ issue }: CheckedIssue["shown"]): string {
  return textIn(issue.metadata[ATTENTION]);
}

export function attentionMessageOf({ issue }: CheckedIssue["shown"]): string {
  return textIn(issue.metadata["work.attention_msg"]);
}

function attentionCondition(state: string): ConditionKind {
  return {
    says: `its work.attention is ${state}`,
    value: "none",
    isMet: ({ shown }) => attentionOf(shown) === state,
  };
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isClosed({ shown }: CheckedIssue): boolean {
  return shown.issue.status === "closed";
}

/**
 * The content of an issue as text, to see whether it has changed. The lease is left out, since renewing a lease does
 * not change the content.
 */
function contentOf({ issue, comments, links, labels }: CheckedIssue["shown"]): string {
  return JSON.stringify([issue, comments, links, labels]);
}
