import { sha256Hex } from "../../base/hash.ts";
import { canonicalJson, type JsonValue } from "../../base/json.ts";
import type { closeIssue } from "../../contract/actions.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input } from "../../contract/route.ts";
import type { Mark } from "../../domain/drafts/draft.ts";
import { parseRef, qualifiedId } from "../../domain/refs.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { type FoundIssue, type IssueParams, requireIssue, requireProject } from "../find.ts";
import { checkFingerprint } from "../guards.ts";
import { originalEventOut } from "../out/events.ts";
import { isHidden, issueOut } from "../out/issues.ts";

/**
 * The parts of a close request that a repeat with the same idempotency key must send unchanged
 * (docs/contract/http-api.md#17-idempotency-keys).
 */
export interface CloseRequest {
  readonly issue_uid: string;
  readonly request_ref: string;
  readonly actor: string;
  readonly revision: number | undefined;
  readonly body: Input<typeof closeIssue>["body"];
}

export function closeMark(key: string, { body, revision, ...rest }: CloseRequest): Mark {
  const { reason, message, source, evidence, dry_run } = body;
  const request = {
    ...rest,
    reason: reason ?? null,
    message: message ?? "",
    source: source ?? "",
    evidence: (evidence ?? []) as readonly JsonValue[],
    dry_run: dry_run ?? false,
    if_match_revision: revision ?? null,
  };
  return { key, fingerprint: sha256Hex(canonicalJson(request)) };
}

/**
 * Finds the issue of a close request with an idempotency key. If the issue has moved, the error names its new project
 * and id (docs/contract/http-api.md#17-idempotency-keys).
 */
export async function requireUnmoved(
  reader: Reader,
  params: IssueParams,
  { key, ...request }: Omit<CloseRequest, "issue_uid" | "request_ref"> & { readonly key: string },
): Promise<FoundIssue> {
  try {
    return await requireIssue(reader, params);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== "issue_not_found") throw error;
    const { uid: project_uid } = await requireProject(reader, params.project_id);
    const moved = await movedFrom(reader, project_uid, params.ref);
    if (moved === undefined || isHidden(moved)) throw error;
    const known = await reader.marks.findIdempotency(project_uid, "close", key);
    const movedRequest = { ...request, issue_uid: moved.uid, request_ref: params.ref };
    if (known !== undefined)
      checkFingerprint(known.fingerprint, closeMark(key, movedRequest).fingerprint);
    throw movedError(moved, error);
  }
}

async function movedFrom(
  reader: Reader,
  projectUid: string,
  text: string,
): Promise<StoredIssue | undefined> {
  const ref = parseRef(text);
  if (ref === undefined) return undefined;
  if (ref.kind !== "uid") return await reader.issues.findByFormerId(projectUid, ref.short_id);
  const was = await reader.issues.wasIn(projectUid, ref.uid);
  return was ? await reader.issues.find(ref.uid) : undefined;
}

function movedError(
  { uid, project_uid, project_name, short_id, status }: StoredIssue,
  cause: unknown,
): SvcError {
  const qualified_id = qualifiedId(project_name, short_id);
  const message = `the issue is ${qualified_id} now`;
  return new SvcError(
    "issue_moved",
    { uid, project_uid, qualified_id, status },
    { message, cause },
  );
}

/** Returns the answer to a repeated close: the issue as it is now with the original event. */
export async function replayClose(reader: Reader, { project, issue }: FoundIssue, mark: Mark) {
  const known = await reader.marks.findIdempotency(project.uid, "close", mark.key);
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
