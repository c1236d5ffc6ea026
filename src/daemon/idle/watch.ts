import { type Clock, msToInstant } from "../../base/clock.ts";
import { admitsWork, armedState, type IdleEvent, type IdleState, nextIdleState } from "./idle.ts";

export interface IdleHealth {
  readonly state: IdleState["name"];
  readonly timeout: number;
  /**
   * When the daemon stops. Present only in the states `armed` and `blocked`
   * (docs/contract/http-api.md#612-idle-shutdown).
   */
  readonly deadline?: string;
}

/** Runs the idle state machine by the clock. `onIdle` is called once, when the state becomes `stopping`. */
export interface IdleWatch {
  /** Marks the start of a client's request; the returned function marks its end. */
  begin(): () => void;
  /**
   * Marks the start of the daemon's own work; the returned function marks its end. Such work delays the shutdown but
   * does not move the deadline. Returns `undefined` after the deadline: no work may begin then.
   */
  beginWork(): (() => void) | undefined;
  health(): IdleHealth;
  /** The idle timeout in ms if the daemon is stopping because it was idle, otherwise `undefined`. */
  idleFor(): number | undefined;
  stop(): void;
}

export function watchIdle(clock: Clock, timeoutMs: number, onIdle: () => void): IdleWatch {
  const ended = new AbortController();
  let state = armedState(clock.nowMs(), timeoutMs);

  const apply = (event: IdleEvent): void => {
    const before = state.name;
    state = nextIdleState(state, event, clock.nowMs(), timeoutMs);
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

/** The longest sleep. Node's timers fire at once if they are set to more than 2^31 ms. */
const LONGEST_SLEEP_MS = 86_400_000;

/**
 * Returns how long to sleep until the next check, in ms. The timer is not reset at each request, because that would
 * slow down requests. This is safe, because a deadline that is set during a sleep is always later than the end of that
 * sleep.
 */
function untilCheck(state: IdleState, nowMs: number, timeoutMs: number): number {
  const wait = state.name === "armed" ? state.deadline - nowMs : timeoutMs;
  return Math.min(Math.max(wait, 1), LONGEST_SLEEP_MS);
}
