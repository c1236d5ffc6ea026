import type { WaitedFor } from "../client/wait-issues.ts";
import { parseDuration } from "../base/durations.ts";
import {
  attentionMessageOf,
  attentionOf,
  CONDITIONS,
  type Condition,
  conditionOf,
} from "../domain/wait.ts";
import { CommandError, invalid } from "./failure.ts";
import { nearest } from "../shared/nearest.ts";
import type { WaitBody } from "./render/wait.ts";

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

/** Milliseconds, 0 for ever; a bare number could be anything. */
export function readTimeLimit(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw invalid(
    `${flag} needs a time with its unit, not ${text}`,
    "say 90s, 10m or 2h; 0 for ever",
  );
}

type Named = ReadonlyMap<string, string>;

export function resultOf({ uid, shown, reason, waitedMs }: WaitedFor["met"][number], named: Named) {
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

export function waitBody(waited: WaitedFor, named: Named, timedOut: boolean): WaitBody {
  const nameOf = (uid: string): string => named.get(uid) ?? uid;
  const abandoned = waited.abandoned.map(({ uid, reason, error }) => ({
    ref: nameOf(uid),
    reason,
    error,
  }));
  return {
    results: waited.met.map((result) => resultOf(result, named)),
    timed_out: timedOut,
    pending: waited.pending.map(nameOf),
    ...(abandoned.length === 0 ? {} : { abandoned }),
  };
}

/** Why the command fails, when it does (facts cli-and-config 1.2). */
export function waitFailure(body: WaitBody, satisfied: boolean): CommandError | undefined {
  if (satisfied) return undefined;
  const { timed_out, pending, abandoned = [] } = body;
  const [first] = abandoned;
  if (timed_out || first === undefined)
    return new CommandError("timeout", `the time is up; still waiting for ${pending.join(", ")}`);
  const kind = first.reason === "error" ? "daemon_unavailable" : "not_found";
  return new CommandError(kind, `${first.ref}: ${first.error}`);
}
