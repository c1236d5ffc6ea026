import type { Clock } from "../base/clock.ts";
import { isFailedReason } from "../domain/meaning/verdict.ts";
import type { IndexedIssue } from "../store/types/vectors.ts";

/** A text at which the provider failed is sent again after this time. */
const FAILED_AGAIN_MS = 86_400_000;

/**
 * When the provider failed at which issues, since the start. These are skipped for a day. Those of an earlier start are
 * sent again at once, since the provider may be another one or have other settings.
 */
export class FailedTexts {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #failedAtMs = new Map<string, number>();

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  /** Takes note of an issue that was stored just now. */
  stored({ issue_uid, reason }: Pick<IndexedIssue, "issue_uid" | "reason">): void {
    if (isFailedReason(reason)) this.#failedAtMs.set(issue_uid, this.#clock.nowMs());
    else this.#failedAtMs.delete(issue_uid);
  }

  forget(uids: readonly string[]): void {
    for (const uid of uids) this.#failedAtMs.delete(uid);
  }

  /** Whether the provider failed at the issue, and it is time to send it again. */
  isDue({ issue_uid, reason }: Pick<IndexedIssue, "issue_uid" | "reason">): boolean {
    if (!isFailedReason(reason)) return false;
    const failedAtMs = this.#failedAtMs.get(issue_uid);
    return failedAtMs === undefined || this.#clock.nowMs() - failedAtMs >= FAILED_AGAIN_MS;
  }
}
