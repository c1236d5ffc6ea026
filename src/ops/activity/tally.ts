import type { Instant } from "../../base/clock.ts";
import { DIGEST_ACTIONS } from "../../contract/activity.ts";
import { type Action, countsOf } from "../../domain/digest.ts";
import type { Activity } from "../../store/types/events.ts";

type Totals = Record<Action, number>;

/** What one actor did: in total, and per issue in the order of the log. */
export interface ActorTally {
  readonly totals: Totals;
  readonly issues: Map<string, Set<Action>>;
}

/** Counts events in the order of their times. */
export class Tally {
  readonly totals = noTotals();
  readonly actors = new Map<string, ActorTally>();
  event_count = 0;
  /** The instant up to which the events were counted; `undefined` if all were. */
  counted_until: Instant | undefined;
  readonly #hidden: ReadonlySet<string>;
  readonly #within: () => boolean;
  #last: Instant | undefined;

  constructor(hidden: ReadonlySet<string>, within: () => boolean) {
    this.#hidden = hidden;
    this.#within = within;
  }

  /**
   * Counts the events. Returns false when the time is up. Events of the same instant are counted together, so that
   * another digest can continue after this instant.
   */
  add(events: readonly Activity[]): boolean {
    for (const event of events) {
      if (this.#last !== undefined && event.created_at !== this.#last && !this.#within()) {
        this.counted_until = this.#last;
        return false;
      }
      this.#last = event.created_at;
      this.#count(event);
    }
    return true;
  }

  #count(event: Activity): void {
    const counts = countsOf(event);
    if (counts === undefined || this.#hidden.has(event.feed_uid)) return;
    this.event_count++;
    const done = this.#doneBy(event.actor);
    const actions = event.issue_uid === null ? undefined : actionsOn(done, event.issue_uid);
    for (const [action, count] of counts) {
      this.totals[action] += count;
      done.totals[action] += count;
      actions?.add(action);
    }
  }

  #doneBy(actor: string): ActorTally {
    const done = this.actors.get(actor) ?? { totals: noTotals(), issues: new Map() };
    this.actors.set(actor, done);
    return done;
  }
}

function actionsOn({ issues }: ActorTally, uid: string): Set<Action> {
  const actions = issues.get(uid) ?? new Set();
  issues.set(uid, actions);
  return actions;
}

function noTotals(): Totals {
  return Object.fromEntries(DIGEST_ACTIONS.map((action) => [action, 0])) as Totals;
}
