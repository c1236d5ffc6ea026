/**
 * Makes a copy, or hands a project over to its hub (docs/contract/federation.md#4-join-adopt-rejoin): first the project
 * and its binding, in one write, then the credential. If it is unknown whether the write was made, the stored data is
 * read again before the next step. If a join is interrupted, another join finishes it.
 */

interface Progress {
  /** Whether a project of this daemon is to be handed over. */
  readonly adopts: boolean;
  readonly unknown: number;
}

export type JoinState =
  | (Progress & { readonly at: "look" })
  /** Hand the project over. */
  | (Progress & { readonly at: "adopt" })
  /** Create the project and bind it. Both may have been done already. */
  | (Progress & { readonly at: "bind" })
  | (Progress & { readonly at: "store_credential" })
  | { readonly at: "done" }
  | { readonly at: "outcome_unknown" };

export type JoinEvent =
  /** `unfinished`: an earlier join has begun to hand the project over, and was interrupted. */
  | { readonly type: "seen"; readonly isBound: boolean | "unfinished" }
  | { readonly type: "did" }
  /** It is unknown whether the step was done. */
  | { readonly type: "unknown" };

export function beginJoin(adopts: boolean): JoinState {
  return { at: "look", adopts, unknown: 0 };
}

/**
 * Returns the next state, which says what to do next. If the event does not belong to the state, returns the same
 * state.
 */
export function nextJoin(state: JoinState, event: JoinEvent): JoinState {
  switch (state.at) {
    case "look": {
      if (event.type !== "seen") return state;
      const { isBound } = event;
      const goesOn = isBound === "unfinished" || (state.adopts && !isBound);
      return { ...state, at: goesOn ? "adopt" : "bind" };
    }
    case "adopt":
    case "bind": {
      if (event.type === "did") return { ...state, at: "store_credential" };
      if (event.type === "seen") return state;
      return state.unknown > 0
        ? { at: "outcome_unknown" }
        : { ...state, at: "look", unknown: state.unknown + 1 };
    }
    case "store_credential":
      return event.type === "did" ? { at: "done" } : state;
    default:
      return state;
  }
}
