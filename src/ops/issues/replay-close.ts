import { sha256Hex } from "../../base/hash.ts";
import { canonicalJson, type JsonValue } from "../../base/json.ts";
import type { Reader } from "../../store/types.ts";
import type { Found } from "../find.ts";
import { checkFingerprint } from "../guards.ts";
import { originalEventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";
import type { Mark } from "./replay-create.ts";

/** What a keyed close asks for; a repeat must ask for the same (facts http-api 1.7). */
export interface CloseRequest {
  readonly issue_uid: string;
  readonly request_ref: string;
  readonly actor: string;
  readonly revision: number | undefined;
  readonly body: {
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
    readonly source?: string | undefined;
    readonly evidence?: readonly unknown[] | undefined;
    readonly dry_run?: boolean | undefined;
  };
}

export function closeMark(key: string, { body, revision, ...rest }: CloseRequest): Mark {
  const { reason, message, source, evidence, dry_run } = body;
  const asked = {
    ...rest,
    reason: reason ?? null,
    message: message ?? "",
    source: source ?? "",
    // Parsed from JSON, so it is JSON.
    evidence: (evidence ?? []) as readonly JsonValue[],
    dry_run: dry_run ?? false,
    if_match_revision: revision ?? null,
  };
  return { key, fingerprint: sha256Hex(canonicalJson(asked)) };
}

/** The answer to a close that was answered before: the issue as it is now, and the event of then. */
export async function replayClose(reader: Reader, { project, issue }: Found, mark: Mark) {
  const known = await reader.findIdempotency(project.uid, "close", mark.key);
  if (known === undefined) return undefined;
  checkFingerprint(known.fingerprint, mark.fingerprint);
  const original = await reader.events.find(known.event_uid);
  return {
    issue: await issueOut(reader, issue),
    event: null,
    ...(original === undefined ? {} : { original_event: await originalEventOut(reader, original) }),
    changed: false,
    reused: true,
  };
}
