import { sha256Hex } from "../../base/hash.ts";
import { canonicalJson, type JsonObject, type JsonValue } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import type { createIssue } from "../../contract/issues.ts";
import type { Input } from "../../contract/route.ts";
import type { Mark } from "../../domain/drafts/draft.ts";
import { qualifiedId } from "../../domain/refs.ts";
import { comparable } from "../../domain/text.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { checkFingerprint, isForgotten } from "../guards.ts";
import { originalEventOut } from "../out/events.ts";
import { issueOut } from "../out/issues.ts";

/** The parts of a create request that a repeat with the same idempotency key must send unchanged. */
export type CreateRequest = Pick<
  Input<typeof createIssue>["body"],
  "title" | "body" | "owner" | "priority" | "labels" | "links" | "metadata"
>;

export function createMark(key: string, request: CreateRequest): Mark {
  const links = (request.links ?? []).map((link) => canonicalJson(definedOf(link)));
  const fields = {
    title: comparable(request.title),
    body: comparable(request.body ?? ""),
    owner: request.owner ?? null,
    labels: sortedUnique(request.labels ?? []),
    links: sortedUnique(links),
    priority: request.priority ?? null,
    metadata: request.metadata ?? {},
  };
  return { key, fingerprint: sha256Hex(canonicalJson(fields)) };
}

/** Returns the answer to a repeated create; `undefined` when the key is new or expired. */
export async function replayCreate(
  reader: Reader,
  project: StoredProject,
  mark: Mark,
  nowMs: number,
) {
  const known = await reader.marks.findIdempotency(project.uid, "create", mark.key);
  if (known === undefined || isForgotten(known, nowMs)) return undefined;
  const original = await reader.events.find(known.event_uid);
  const issue =
    original?.issue_uid === undefined ? undefined : await reader.issues.find(original.issue_uid);
  if (original === undefined || issue === undefined) return undefined;
  checkFingerprint(known.fingerprint, mark.fingerprint, identityOf(issue));
  if (issue.deleted_at !== null) throw new SvcError("idempotency_deleted", identityOf(issue));
  return {
    issue: await issueOut(reader, issue),
    event: null,
    original_event: await originalEventOut(reader, original),
    changed: false,
    reused: true,
  };
}

function identityOf({ uid, short_id, project_name }: StoredIssue) {
  return { uid, short_id, qualified_id: qualifiedId(project_name, short_id) };
}

function sortedUnique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

function definedOf(fields: Readonly<Record<string, string | boolean | undefined>>): JsonObject {
  const entries = Object.entries(fields).filter(
    (entry): entry is [string, Exclude<JsonValue, null> & (string | boolean)] =>
      entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}
