/**
 * Idle shutdown of an auto-started daemon (docs/contract/http-api.md#612-idle-shutdown and
 * docs/contract/command-line.md#47-idle-shutdown).
 *
 *              request begins
 *     armed ───────────────────▶ foreground ◀──┐
 *      │ ▲                          │          │
 *      │ └──── last request ends ───┘          │
 *      │       (a full interval again)         │
 *      │ deadline, work running                │
 *      ├────────────────────────▶ blocked ─────┘ request begins
 *      │ deadline, no work           │
 *      ▼                             │ last work ends
 *   stopping ◀───────────────────────┘
 *
 * Requests are those of clients, except readings of health, ping and instance. Work is what the daemon does by itself:
 * it delays the end but never moves the deadline.
 */
export type IdleState =
  | { readonly name: "armed"; readonly deadline: number; readonly work: number }
  | { readonly name: "foreground"; readonly requests: number; readonly work: number }
  | { readonly name: "blocked"; readonly deadline: number; readonly work: number }
  | { readonly name: "stopping" };

export type IdleEvent =
  | { readonly name: "request_began" }
  | { readonly name: "request_ended" }
  | { readonly name: "work_began" }
  | { readonly name: "work_ended" }
  | { readonly name: "clock" };

/** Returns the state in which the daemon stops after `timeout` ms, unless a client sends a request before. */
export function armedState(now: number, timeout: number, work = 0): IdleState {
  return { name: "armed", deadline: now + timeout, work };
}

/**
 * Returns the state after an event. `now` and `timeout` are in ms. An event that cannot occur in a state changes
 * nothing.
 */
export function nextIdleState(
  state: IdleState,
  event: IdleEvent,
  now: number,
  timeout: number,
): IdleState {
  switch (state.name) {
    case "armed":
      return fromArmed(state, event, now);
    case "foreground":
      return fromForeground(state, event, now, timeout);
    case "blocked":
      return fromBlocked(state, event);
    case "stopping":
      return state;
  }
}

/**
 * True if the daemon may begin work of its own. Work that begins after the deadline could keep the daemon running for
 * ever.
 */
export function admitsWork(state: IdleState): boolean {
  return state.name === "armed" || state.name === "foreground";
}

type StateOf<N extends IdleState["name"]> = Extract<IdleState, { readonly name: N }>;

function fromArmed(state: StateOf<"armed">, event: IdleEvent, now: number): IdleState {
  switch (event.name) {
    case "request_began":
      return { name: "foreground", requests: 1, work: state.work };
    case "clock":
      if (now < state.deadline) return state;
      return state.work > 0 ? { ...state, name: "blocked" } : { name: "stopping" };
    case "work_began":
    case "work_ended":
      return { ...state, work: workAfter(state, event) };
    case "request_ended":
      return state;
  }
}

function fromForeground(
  state: StateOf<"foreground">,
  event: IdleEvent,
  now: number,
  timeout: number,
): IdleState {
  switch (event.name) {
    case "request_began":
      return { ...state, requests: state.requests + 1 };
    case "request_ended":
      return state.requests > 1
        ? { ...state, requests: state.requests - 1 }
        : armedState(now, timeout, state.work);
    case "work_began":
    case "work_ended":
      return { ...state, work: workAfter(state, event) };
    case "clock":
      return state;
  }
}

function fromBlocked(state: StateOf<"blocked">, event: IdleEvent): IdleState {
  switch (event.name) {
    case "request_began":
      return { name: "foreground", requests: 1, work: state.work };
    case "work_began":
    case "work_ended": {
      const work = workAfter(state, event);
      return work > 0 ? { ...state, work } : { name: "stopping" };
    }
    case "request_ended":
    case "clock":
      return state;
  }
}

function workAfter(
  state: { readonly work: number },
  event: { readonly name: "work_began" | "work_ended" },
): number {
  return event.name === "work_began" ? state.work + 1 : Math.max(0, state.work - 1);
}
