import { canonicalJson, type JsonObject } from "../../base/json.ts";
import { isInvisible } from "../../base/visible.ts";
import { invalidField } from "../../contract/errors.ts";
import {
  MAX_DEFINITION_BYTES,
  MAX_NATIVE_TITLE_CHARACTERS,
  MAX_SECONDS,
  MAX_TITLE_CHARACTERS,
  MIN_NATIVE_INTERVAL_SECONDS,
} from "../../contract/limits.ts";
import { parseCron } from "./expression.ts";
import { Fields, present } from "./fields.ts";
import {
  bytesOf,
  isMessageTooLong,
  isPortableName,
  isRecipient,
  OWNER_OR_AUTHOR,
} from "./names.ts";
import { readOptions } from "./options.ts";
import { readTrigger, readUid, type Trigger } from "./trigger.ts";

export type Action =
  | { readonly kind: "execute"; readonly prompt?: string; readonly workflow_uid?: string }
  | { readonly kind: "notify"; readonly recipient: string; readonly message?: string };

export type IssuePolicy =
  | { readonly kind: "existing"; readonly uid: string }
  | {
      readonly kind: "per-run";
      /** The issue under which a native job creates children. Set for native jobs only. */
      readonly parent_uid?: string;
      readonly title: string;
      readonly body?: string;
      readonly scheduled_offset_seconds?: number;
      readonly deadline_offset_seconds?: number;
    };

export type CatchUp = "skip" | "latest" | "all";

/**
 * The definition of a job: when it is due, what is then done, and for which issue
 * (docs/contract/cron-and-inbox.md#26-the-whole-job). The members are in the order of the contract.
 */
export type JobDefinition = {
  readonly version: 1;
  readonly kind: "job";
  readonly enabled: boolean;
  readonly trigger: Trigger;
  readonly action: Action;
  readonly issue?: IssuePolicy;
  readonly overlap: "forbid" | "allow";
  readonly catchup: CatchUp;
  readonly checkout_key?: string;
  readonly grace_seconds?: number;
  readonly timeout_seconds?: number;
  readonly secret_refs?: Readonly<Record<string, string>>;
  readonly options?: JsonObject;
};

/**
 * A job that svc delivers itself: each occurrence creates a child issue of the parent
 * (docs/contract/cron-and-inbox.md#28-native-jobs).
 */
export type NativeJob = JobDefinition & {
  readonly trigger: Extract<Trigger, { readonly kind: "cron" | "interval" }>;
  readonly action: Extract<Action, { readonly kind: "notify" }>;
  readonly issue: Extract<IssuePolicy, { readonly kind: "per-run" }> & {
    readonly parent_uid: string;
  };
};

export function isNative(job: JobDefinition): job is NativeJob {
  return job.action.kind === "notify" && job.issue?.kind === "per-run";
}

/**
 * Checks a document and returns its stored form, or throws an error about its first fault
 * (docs/contract/cron-and-inbox.md#26-the-whole-job).
 */
export function decodeJob(document: JsonObject, path = "definition"): JobDefinition {
  const fields = new Fields(document, path);
  fields.integer("version", 1, 1);
  fields.oneOf("kind", ["job"]);
  const enabled = fields.optionalBoolean("enabled") ?? false;
  const trigger = readTrigger(fields.object("trigger"));
  const native = isNativeShape(document);
  if (native) refuseNonNativeMembers(fields);
  const checkout_key = readCheckoutKey(fields);
  const overlap = fields.oneOf("overlap", ["forbid", "allow"]);
  const catchup = fields.oneOf("catchup", ["skip", "latest", "all"]);
  const grace_seconds = fields.optionalInteger("grace_seconds", 0, MAX_SECONDS);
  const timeout_seconds = fields.optionalInteger("timeout_seconds", 0, MAX_SECONDS);
  const { action, issue } = readWork(fields, trigger, checkout_key !== undefined);
  const secret_refs = readSecrets(fields);
  const options = readOptions(fields);
  fields.end();
  const job: JobDefinition = present({
    version: 1 as const,
    kind: "job" as const,
    enabled,
    trigger,
    action,
    issue,
    overlap,
    catchup,
    checkout_key,
    grace_seconds,
    timeout_seconds,
    secret_refs,
    options,
  });
  if (isNative(job)) checkNative(job, path);
  checkSize(job, path);
  return job;
}

/** Throws if the stored form of a definition is too long. This form can be longer than the JSON that was sent. */
export function checkSize(document: object, path: string): void {
  if (bytesOf(canonicalJson(document as JsonObject)) > MAX_DEFINITION_BYTES)
    throw invalidField(path, `must be at most ${MAX_DEFINITION_BYTES} bytes of JSON`);
}

function readCheckoutKey(fields: Fields): string | undefined {
  const key = fields.filledText("checkout_key");
  if (key !== undefined && !isPortableName(key))
    throw fields.invalidField("checkout_key", "is no portable name");
  return key;
}

function readWork(fields: Fields, trigger: Trigger, hasCheckout: boolean) {
  const action = fields.object("action");
  const kind = action.oneOf("kind", ["execute", "notify"]);
  const policy = fields.optionalObject("issue");
  if (kind === "notify") {
    if (hasCheckout) throw fields.invalidField("checkout_key", "is not allowed with notify");
    return readNotify(fields, trigger, action, policy);
  }
  if (trigger.kind === "issue-deadline")
    throw fields.invalidField("trigger.kind", "issue-deadline only notifies");
  const execute = readExecute(action);
  if (policy === undefined) throw fields.invalidField("issue", "is required");
  return { action: execute, issue: readPolicy(policy, false) };
}

function readExecute(fields: Fields): Action {
  fields.forbid(["recipient"], "is not allowed with execute");
  if (fields.filledText("message") !== undefined)
    throw fields.invalidField("message", "is not allowed with execute");
  const prompt = fields.optionalText("prompt");
  const workflow_uid = fields.filledText("workflow_uid");
  if (prompt === undefined && workflow_uid === undefined)
    throw invalidField(fields.path, "needs a prompt or a workflow_uid");
  if (prompt !== undefined && workflow_uid !== undefined)
    throw invalidField(fields.path, "has a prompt and a workflow_uid; one of them is enough");
  if (prompt !== undefined && isInvisible(prompt))
    throw fields.invalidField("prompt", "must not be blank");
  fields.end();
  if (workflow_uid === undefined) return { kind: "execute", ...present({ prompt }) };
  return { kind: "execute", workflow_uid: checkedUid(fields, "workflow_uid", workflow_uid) };
}

function checkedUid(fields: Fields, name: string, uid: string): string {
  return readUid(new Fields({ [name]: uid }, fields.path), name);
}

function readNotify(fields: Fields, trigger: Trigger, action: Fields, policy: Fields | undefined) {
  action.forbid(["prompt", "workflow_uid"], "is not allowed with notify");
  const recipient = action.text("recipient");
  if (recipient !== OWNER_OR_AUTHOR && !isRecipient(recipient))
    throw action.invalidField("recipient", "is no address: name or name/adapter");
  const message = action.filledText("message");
  if (message !== undefined && isMessageTooLong(message))
    throw action.invalidField("message", "must be at most 1024 bytes");
  action.end();
  const issue = policy === undefined ? undefined : readPolicy(policy, true);
  const ofIssue = trigger.kind === "issue-scheduled" || trigger.kind === "issue-deadline";
  if (issue === undefined && !ofIssue) throw fields.invalidField("issue", "is required");
  const needsMessage = recipient !== OWNER_OR_AUTHOR && issue?.kind !== "per-run";
  if (needsMessage && isInvisible(message ?? ""))
    throw action.invalidField("message", "is required");
  const kind = "notify" as const;
  return { action: present({ kind, recipient, message }), issue };
}

function readPolicy(fields: Fields, notify: boolean): IssuePolicy {
  const kind = fields.oneOf("kind", ["existing", "per-run"]);
  if (kind === "existing") {
    const uid = readUid(fields, "uid");
    fields.end();
    return { kind, uid };
  }
  fields.forbid(["uid"], "belongs to the kind existing");
  const dates = ["scheduled_offset_seconds", "deadline_offset_seconds"] as const;
  if (notify) fields.forbid(dates, "is not allowed in a recurring job");
  else fields.forbid(["parent_uid"], "is not allowed in an execution job");
  const parent_uid = notify ? readUid(fields, "parent_uid") : undefined;
  const title = readTitle(fields, notify);
  const body = fields.filledText("body");
  const [scheduled_offset_seconds, deadline_offset_seconds] = dates.map((name) =>
    fields.optionalInteger(name, -MAX_SECONDS, MAX_SECONDS),
  );
  fields.end();
  const offsets = { scheduled_offset_seconds, deadline_offset_seconds };
  return present({ kind, parent_uid, title, body, ...offsets });
}

/**
 * The title of a native job must be shorter than the titles of other jobs, because each child issue gets it with the
 * due time appended (docs/contract/cron-and-inbox.md#22-bounds).
 */
function readTitle(fields: Fields, native: boolean): string {
  const rawTitle = fields.text("title");
  const title = native ? rawTitle.trim() : rawTitle;
  if (isInvisible(title)) throw fields.invalidField("title", "must not be blank");
  const max = native ? MAX_NATIVE_TITLE_CHARACTERS : MAX_TITLE_CHARACTERS;
  if ([...title].length > max)
    throw fields.invalidField("title", `must be at most ${max} characters`);
  return title;
}

function readSecrets(fields: Fields): Readonly<Record<string, string>> | undefined {
  const refs = fields.optionalObject("secret_refs");
  if (refs === undefined) return undefined;
  const pairs = refs.names().map((name) => [name, refs.text(name)] as const);
  for (const [name, target] of pairs) {
    if (!isPortableName(name) || !isPortableName(target))
      throw refs.invalidField(name, "must map a portable name to a portable name");
  }
  return Object.fromEntries(pairs);
}

function isNativeShape({ action, issue }: JsonObject): boolean {
  const kindOf = (value: unknown): unknown =>
    typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  return kindOf(action) === "notify" && kindOf(issue) === "per-run";
}

/**
 * Refuses the members that have no effect on a native job. They are refused even if they are zero or `{}`, because
 * their presence would suggest an effect.
 */
function refuseNonNativeMembers(fields: Fields): void {
  fields.forbid(
    ["timeout_seconds", "secret_refs", "options", "checkout_key"],
    "is not allowed in a recurring job",
  );
}

function checkNative({ trigger, overlap, catchup, grace_seconds }: NativeJob, path: string): void {
  const refuse = (name: string, reason: string) => invalidField(`${path}.${name}`, reason);
  checkNativeTrigger(trigger, refuse);
  if (overlap !== "allow") throw refuse("overlap", 'must be "allow" in a recurring job');
  if (catchup === "skip" && (grace_seconds ?? 0) < 1)
    throw refuse("grace_seconds", "must be at least 1 with catchup skip");
}

function checkNativeTrigger(
  trigger: Trigger,
  refuse: (name: string, reason: string) => Error,
): void {
  if (trigger.kind === "interval") {
    if (trigger.interval_seconds < MIN_NATIVE_INTERVAL_SECONDS)
      throw refuse("trigger.interval_seconds", `must be at least ${MIN_NATIVE_INTERVAL_SECONDS}`);
    return;
  }
  if (trigger.kind !== "cron")
    throw refuse("trigger.kind", "must be cron or interval in a recurring job");
  const expression = parseCron(trigger.cron);
  if (expression?.kind === "every")
    throw refuse("trigger.cron", "must be a calendar; for @every use a trigger of kind interval");
  if (expression?.zone !== undefined && expression.zone !== (trigger.timezone ?? "UTC"))
    throw refuse("trigger.cron", "names another zone than the trigger");
}
