import { invalid } from "../contract/errors.ts";
import {
  attentionMessageOf,
  attentionOf,
  type CheckedIssue,
  CONDITIONS,
  type Condition,
  conditionOf,
} from "./conditions.ts";
import { nearest } from "./nearest.ts";

export interface MetIssue {
  readonly uid: string;
  readonly shown: CheckedIssue["shown"];
  readonly reason: string;
  readonly waitedMs: number;
}

/** An issue that can no longer meet its condition: deleted, gone or unreadable. */
export interface AbandonedIssue {
  readonly uid: string;
  readonly reason: "deleted" | "gone" | "error";
  readonly error: string;
}

export interface WaitedFor {
  readonly met: readonly MetIssue[];
  readonly abandoned: readonly AbandonedIssue[];
  readonly pending: readonly string[];
  readonly satisfied: boolean;
}

export function readConditions(texts: readonly string[]): readonly Condition[] {
  return texts.map((text) => conditionOf(text) ?? refuseCondition(text));
}

function refuseCondition(text: string): never {
  const [name = ""] = text.split("=");
  const kind = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
  if (kind !== undefined) {
    const how =
      kind.value === "none" ? `is written ${name} alone` : `needs a value: ${name}=<value>`;
    throw invalid(`--until ${text}: ${name} ${how}`);
  }
  const close = nearest(name, Object.keys(CONDITIONS));
  const names = `one of ${Object.keys(CONDITIONS).join(", ")}`;
  throw invalid(
    `--until ${text}: there is no such condition`,
    close === undefined ? names : `did you mean ${close}? It is ${names}`,
  );
}

/** The first ref that was given for each issue, by the issue's uid. */
type Named = ReadonlyMap<string, string>;

export type WaitResult = ReturnType<typeof waitResult>;

/** Formats an issue for the result of `svc wait` (docs/contract/command-line.md#23-inbox-waiting-activity). */
export function waitResult({ uid, shown, reason, waitedMs }: MetIssue, named: Named) {
  const [attention, attention_msg] = [attentionOf(shown), attentionMessageOf(shown)];
  const { qualified_id, title, status } = shown.issue;
  return {
    ref: named.get(uid) ?? uid,
    reason,
    ...(attention === "" ? {} : { attention }),
    ...(attention_msg === "" ? {} : { attention_msg }),
    waited_ms: waitedMs,
    uid,
    qualified_id,
    title,
    status,
  };
}

export type WaitBody = ReturnType<typeof waitBody>;

export function waitBody(waited: WaitedFor, named: Named, timedOut: boolean) {
  const nameOf = (uid: string): string => named.get(uid) ?? uid;
  const abandoned = waited.abandoned.map(({ uid, reason, error }) => ({
    ref: nameOf(uid),
    reason,
    error,
  }));
  return {
    results: waited.met.map((result) => waitResult(result, named)),
    timed_out: timedOut,
    pending: waited.pending.map(nameOf),
    ...(abandoned.length === 0 ? {} : { abandoned }),
  };
}
