import { instantToMs, msToInstant } from "../../base/clock.ts";
import { canonicalJson, type JsonObject, type JsonValue } from "../../base/json.ts";
import { isUlid } from "../../base/ulid.ts";
import { isInvisible } from "../../base/visible.ts";
import type { observeCronRun } from "../../contract/cron-runs.ts";
import { invalidField } from "../../contract/errors.ts";
import {
  MAX_ACTOR_BYTES,
  MAX_OCCURRENCE_KEY_CHARACTERS,
  MAX_SUMMARY_BYTES,
  MAX_TEAMMATE_CHARACTERS,
} from "../../contract/limits.ts";
import type { Input } from "../../contract/route.ts";
import type { CronRunRow } from "../state.ts";
import { exactInstant } from "./exact-instant.ts";
import { Fields, present } from "./fields.ts";
import { bytesOf } from "./names.ts";

/** A run as an adapter sends it; the operation adds the actor. */
export type Observation = Pick<
  Input<typeof observeCronRun>["body"],
  "status" | "summary" | keyof RunIdentity | "started_at" | "ended_at"
>;

/** Fields of a run that never change (docs/contract/cron-and-inbox.md#41-the-observation). */
export type RunIdentity = Pick<CronRunRow, (typeof IDENTITY)[number]>;

/** Fields that later observations may change. */
export type RunEvidence = Pick<CronRunRow, "status" | "summary" | "started_at" | "ended_at">;

/** Checks an observation and returns its stored form (docs/contract/cron-and-inbox.md#41-the-observation). */
export function decodeObservation(sent: Observation): RunIdentity & RunEvidence {
  const job_uid = uidOf(sent, "job_uid");
  const definition_event_uid = uidOf(sent, "definition_event_uid");
  const workflow_uid = uidOf(sent, "workflow_uid");
  const workflow_definition_event_uid = uidOf(sent, "workflow_definition_event_uid");
  requirePair("job_uid", job_uid, "definition_event_uid", definition_event_uid);
  const event = "workflow_definition_event_uid";
  requirePair("workflow_uid", workflow_uid, event, workflow_definition_event_uid);
  if (job_uid === null && workflow_uid === null)
    throw invalidField("job_uid", "is required, or workflow_uid, each with its definition's event");
  return {
    job_uid,
    definition_event_uid,
    workflow_uid,
    workflow_definition_event_uid,
    issue_uid: uidOf(sent, "issue_uid"),
    occurrence_key: keyOf(sent.occurrence_key),
    teammate: teammateOf(sent.teammate),
    executor_label: labelOf(sent.executor_label),
    status: sent.status,
    summary: decodeSummary(sent.summary),
    ...timesOf(sent),
  };
}

function uidOf(sent: Observation, name: UidMember): string | null {
  const uid = sent[name];
  if (uid === undefined) return null;
  if (!isUlid(uid)) throw invalidField(name, "must be a ULID");
  return uid.toUpperCase();
}

type UidMember = Extract<keyof RunIdentity, `${string}_uid`>;

function requirePair(
  one: string,
  value: string | null,
  other: string,
  otherValue: string | null,
): void {
  if (value !== null && otherValue === null) throw invalidField(other, `is required beside ${one}`);
  if (value === null && otherValue !== null) throw invalidField(one, `is required beside ${other}`);
}

function keyOf(key: string | undefined): string | null {
  if (key === undefined) return null;
  if (key === "" || [...key].length > MAX_OCCURRENCE_KEY_CHARACTERS)
    throw invalidField(
      "occurrence_key",
      `must be 1 to ${MAX_OCCURRENCE_KEY_CHARACTERS} characters`,
    );
  return key;
}

const TEAMMATE = new RegExp(`^[\\x20-\\x7e]{1,${MAX_TEAMMATE_CHARACTERS}}$`);

function teammateOf(teammate: string | null | undefined): string | null {
  if (teammate === undefined || teammate === null) return null;
  if (!TEAMMATE.test(teammate))
    throw invalidField(
      "teammate",
      `must be 1 to ${MAX_TEAMMATE_CHARACTERS} ASCII characters, or null`,
    );
  return teammate;
}

function labelOf(label: string | undefined): string | null {
  if (label === undefined) return null;
  if (isInvisible(label)) throw invalidField("executor_label", "must not be blank");
  if (bytesOf(label) > MAX_ACTOR_BYTES)
    throw invalidField("executor_label", `must be at most ${MAX_ACTOR_BYTES} bytes`);
  return label;
}

function decodeSummary(value: JsonValue): JsonObject {
  const fields = new Fields(value, "summary");
  fields.integer("version", 1, 1);
  const message = fields.optionalText("message");
  const input_tokens = fields.optionalInteger("input_tokens", 0, Number.MAX_SAFE_INTEGER);
  const output_tokens = fields.optionalInteger("output_tokens", 0, Number.MAX_SAFE_INTEGER);
  fields.end();
  const summary: JsonObject = present({ version: 1, message, input_tokens, output_tokens });
  if (bytesOf(canonicalJson(summary)) > MAX_SUMMARY_BYTES)
    throw invalidField("summary", `must be at most ${MAX_SUMMARY_BYTES} bytes of JSON`);
  return summary;
}

function timesOf({ started_at, ended_at }: Observation) {
  const [started, ended] = [instantOf("started_at", started_at), instantOf("ended_at", ended_at)];
  if (started !== null && ended !== null && exactText(ended) < exactText(started))
    throw invalidField("ended_at", "must not be before started_at");
  return { started_at: started, ended_at: ended };
}

/** Checks an instant and returns it as received, so that an adapter gets back its own offset and digits. */
function instantOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (exactInstant(text) === undefined) throw invalidField(name, "must be an RFC 3339 instant");
  return text;
}

/** The fallback is never used: `instantOf` has checked every stored instant. */
function exactText(text: string): string {
  return exactInstant(text) ?? text;
}

const IDENTITY = [
  "job_uid",
  "definition_event_uid",
  "workflow_uid",
  "workflow_definition_event_uid",
  "issue_uid",
  "occurrence_key",
  "teammate",
  "executor_label",
] as const satisfies readonly (keyof CronRunRow)[];

export function differingIdentity(
  one: RunIdentity,
  other: RunIdentity,
): keyof RunIdentity | undefined {
  return IDENTITY.find((name) => one[name] !== other[name]);
}

/**
 * Whether two observations of a run are equal. A missing message in the summary equals an empty one, and a missing
 * token count equals zero (docs/contract/cron-and-inbox.md#43-outcomes).
 */
export function isSameEvidence(one: RunEvidence, other: RunEvidence): boolean {
  return (
    one.status === other.status &&
    isSameInstant(one.started_at, other.started_at) &&
    isSameInstant(one.ended_at, other.ended_at) &&
    summaryText(one.summary) === summaryText(other.summary)
  );
}

function isSameInstant(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return exactText(one) === exactText(other);
}

function summaryText(summary: JsonObject): string {
  return canonicalJson({ message: "", input_tokens: 0, output_tokens: 0, ...summary });
}

/** The figures of a run that `svc cron run report` adds up. */
export function measuresOf({
  summary,
  started_at,
  ended_at,
  created_at,
}: Pick<CronRunRow, "summary" | "started_at" | "ended_at" | "created_at">) {
  const count = (value: JsonValue | undefined): number => (typeof value === "number" ? value : 0);
  const timed = started_at !== null && ended_at !== null;
  return {
    input_tokens: count(summary["input_tokens"]),
    output_tokens: count(summary["output_tokens"]),
    duration_ms: timed ? instantToMs(ended_at) - instantToMs(started_at) : 0,
    day: msToInstant(instantToMs(started_at ?? created_at)).slice(0, 10),
  };
}
