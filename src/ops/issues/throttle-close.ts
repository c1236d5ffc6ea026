import { instantToMs } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import type { EventDraft, StoredEvent } from "../../contract/events.ts";
import type { CloseReason } from "../../domain/close.ts";
import { closeThrottled } from "../../domain/drafts/issues.ts";
import { writerOf } from "../../domain/federation/bound-actor.ts";
import { refOf } from "../../domain/links.ts";
import { DUPLICATE_WINDOW_MS, type SiblingClose, throttle } from "../../domain/throttle.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { OpSettings } from "../deps.ts";
import { peerOf } from "../find.ts";

export interface Closing {
  readonly issue: StoredIssue;
  readonly actor: string;
  readonly reason: CloseReason;
  readonly message: string;
  readonly now: string;
}

export interface ThrottledClose {
  readonly error: SvcError;
  readonly event: EventDraft<"close.throttled">;
}

export async function throttleClose(
  reader: Reader,
  settings: OpSettings["close_throttle"],
  closing: Closing,
): Promise<ThrottledClose | undefined> {
  const { issue, now } = closing;
  const link = await reader.links.parentOf(issue.uid);
  if (!settings.enabled || link === undefined) return undefined;
  const nowMs = instantToMs(now);
  const oldest = nowMs - Math.max(settings.window_ms, DUPLICATE_WINDOW_MS);
  const siblings = (await reader.issues.children(link.to_uid)).filter(
    ({ uid, closed_at }) =>
      uid !== issue.uid && closed_at !== null && instantToMs(closed_at) > oldest,
  );
  const closes = await closesOf(reader, siblings, closing.actor);
  const terms = { nowMs, windowMs: settings.window_ms, limit: settings.limit };
  const refused = throttle(closes, closing, terms);
  if (refused === undefined) return undefined;
  const refs = new Map(siblings.map((one) => [one.uid, refOf(issue.project_uid, peerOf(one))]));
  const why =
    refused.reason === "sibling-burst"
      ? { reason: refused.reason, parent: link.to_uid, cohort: [...refused.cohort] }
      : { reason: refused.reason, parent: link.to_uid, prior: refused.prior };
  const event = closeThrottled(issue, why, closing);
  const ref = (uid: string): string => refs.get(uid) ?? uid;
  const error =
    refused.reason === "sibling-burst"
      ? new SvcError("sibling_throttle", { siblings: refused.cohort.map(ref) })
      : new SvcError("duplicate_message", { prior: ref(refused.prior) });
  return { error, event };
}

async function closesOf(
  reader: Reader,
  siblings: readonly StoredIssue[],
  actor: string,
): Promise<readonly SiblingClose[]> {
  if (siblings.length === 0) return [];
  const uids = siblings.map(({ uid }) => uid);
  const events = await reader.events.latestOf(uids, "issue.closed");
  return events.filter((event) => writerOf(event) === actor).map(closeOf);
}

function closeOf({ issue_uid = "", payload }: StoredEvent<"issue.closed">): SiblingClose {
  const { closed_at, reason, message = "" } = payload;
  return { uid: issue_uid, atMs: instantToMs(closed_at), reason, message };
}
