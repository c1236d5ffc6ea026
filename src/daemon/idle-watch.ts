import { type Clock, msToInstant } from "../base/clock.ts";
import { admitsWork, armed, type IdleEvent, type IdleState, next } from "./idle.ts";

export interface IdleHealth {
  readonly state: IdleState["name"];
  readonly timeout: number;
  /** When the daemon stops; only in the states `armed` and `blocked` (doc 1, Health report). */
  readonly deadline?: string;
}

/** The idle state machine with a clock. `onIdle` is called once, when it reaches `stopping`. */
export interface IdleWatch {
  /** Marks the start of a client's request; the returned function marks its end. */
  begin(): () => void;
  /**
   * Marks the start of the daemon's own work; the returned function marks its end. Work delays the shutdown but does
   * not move the deadline. After the deadline it returns `undefined`: no work may begin.
   */
  beginWork(): (() => void) | undefined;
  health(): IdleHealth;
  /** The timeout in ms if the daemon is stopping because of it, otherwise `undefined`. */
  idleFor(): number | undefined;
  stop(): void;
}

export function watchIdle(clock: Clock, timeoutMs: number, onIdle: () => void): IdleWatch {
  const ended = new AbortController();
  let state = armed(clock.nowMs(), timeoutMs);

  const apply = (event: IdleEvent): void => {
    const before = state.name;
    state = next(state, event, clock.nowMs(), timeoutMs);
    if (state.name === "stopping" && before !== "stopping") {
      ended.abort();
      onIdle();
    }
  };

  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await clock.sleep(untilCheck(state, clock.nowMs(), timeoutMs), ended.signal);
      if (!ended.signal.aborted) apply({ name: "clock" });
    }
  };
  void watch();

  return {
    begin: () => {
      apply({ name: "request_began" });
      let open = true;
      return () => {
        if (open) apply({ name: "request_ended" });
        open = false;
      };
    },
    beginWork: () => {
      if (!admitsWork(state)) return undefined;
      apply({ name: "work_began" });
      let open = true;
      return () => {
        if (open) apply({ name: "work_ended" });
        open = false;
      };
    },
    health: () => ({
      state: state.name,
      timeout: timeoutMs,
      ...("deadline" in state ? { deadline: msToInstant(state.deadline) } : {}),
    }),
    idleFor: () => (state.name === "stopping" ? timeoutMs : undefined),
    stop: () => ended.abort(),
  };
}

/** The longest sleep, since Node's timers fire at once if they are set to more than 2^31 ms. */
const LONGEST_SLEEP_MS = 86_400_000;

/**
 * How long to sleep until the next check. A request does not reset the timer, since that would slow down each request:
 * a sleep lasts until the deadline that is set when it begins, or for one timeout if there is none. Every later
 * deadline comes after the end of that sleep.
 */
function untilCheck(state: IdleState, nowMs: number, timeoutMs: number): number {
  const wait = state.name === "armed" ? state.deadline - nowMs : timeoutMs;
  return Math.min(Math.max(wait, 1), LONGEST_SLEEP_MS);
}
