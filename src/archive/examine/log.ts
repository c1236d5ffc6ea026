import { canonicalJson, type JsonObject } from "../../base/json.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { MemoryState } from "../../domain/memory.ts";
import { WholeFold } from "../../domain/whole-fold.ts";
import { ChainCheck } from "../../store/log/chain-check.ts";
import { contentHash } from "../../store/log/content-hash.ts";
import { stretchName, verifiedBefore } from "../../store/refold/checkpoint.ts";
import { stretchDigest } from "../../store/refold/digests.ts";
import { eventsOfNoIssue } from "../../store/refold/events.ts";
import { eventsWithIds } from "../../store/repos/events.ts";
import type { Examination } from "./examination.ts";

/** The log is verified in stretches of this many ids. One digest is stored for each stretch. */
const STRETCH = 1000;

export interface LogReport {
  readonly events: number;
  readonly changedEvents: readonly string[];
  readonly brokenChain: readonly string[];
  /** The fold of the events that have no issue. */
  readonly rest: MemoryState;
}

/**
 * Checks the hash and the chain of each event. A stretch of the log that was verified earlier is not read event by
 * event, if its digest and the digest of the stretch before it are still the same.
 */
export async function examineLog(examination: Examination): Promise<LogReport> {
  const { snapshot, scratch, seed, trusts, keep, step } = examination;
  const { connection, head } = snapshot;
  const checks = new EventChecks();
  for await (const gap of snapshot.rows("log_gap")) checks.chain.add(gap);
  const fold = new WholeFold(scratch);
  let events = 0;
  let isSameBefore = true;
  for (let after = 0; after < head.last_event_id; after += STRETCH) {
    const through = after + STRETCH;
    const subject = stretchName(after);
    const isWhole = through <= head.last_event_id && (trusts || keep !== undefined);
    const now = isWhole ? await stretchDigest(connection, seed, after, through) : undefined;
    const known = trusts ? (await verifiedBefore(connection, [subject])).get(subject) : undefined;
    const isSame = now !== undefined && known?.digest === now.digest;
    if (isSame && isSameBefore) {
      if (now.last !== undefined) checks.chain.passTo(now.last);
      for (const event of await eventsOfNoIssue(connection, after, through)) fold.add(event);
      events += now.events;
      step(now.events);
      continue;
    }
    isSameBefore = isSame;
    const faults = checks.faults;
    for await (const event of snapshot.rows("event", { id: after })) {
      if (event.id > through) break;
      checks.next(event);
      if (event.issue_uid === undefined) fold.add(event);
      events += 1;
      step(1);
    }
    if (now !== undefined && checks.faults === faults)
      await keep?.([{ subject, digest: now.digest, event_id: through }]);
  }
  checks.end(head.chain);
  const rest = await fold.end({
    places: async (add) => {
      for (let after = 0; after < head.last_event_id; after += STRETCH)
        for (const event of await eventsOfNoIssue(connection, after, after + STRETCH)) add(event);
    },
    events: async (ids) => await eventsWithIds(connection, ids),
  });
  return { events, changedEvents: checks.changedEvents, brokenChain: checks.brokenChain, rest };
}

class EventChecks {
  readonly chain = new ChainCheck();
  readonly changedEvents: string[] = [];
  readonly brokenChain: string[] = [];

  get faults(): number {
    return this.changedEvents.length + this.brokenChain.length;
  }

  next(event: StoredEvent): void {
    const payload = canonicalJson(event.payload as JsonObject);
    if (contentHash(event, payload) !== event.content_hash) this.changedEvents.push(event.uid);
    this.#noteFault(this.chain.next(event));
  }

  end(chain: string): void {
    this.#noteFault(this.chain.end(chain));
  }

  #noteFault(fault: string | undefined): void {
    if (fault !== undefined) this.brokenChain.push(fault);
  }
}
