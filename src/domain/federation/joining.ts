/**
 * Makes a copy, or hands a project over to its hub (facts federation 4): first the project and its binding, in one write,
 * then the credential. If nobody knows whether the write was made, it is looked up before the next step. A join that was
 * interrupted is finished by another one.
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
  /** Create the project and bind it, or find both. */
  | (Progress & { readonly at: "bind" })
  | (Progress & { readonly at: "store_credential" })
  | { readonly at: "done" }
  | { readonly at: "outcome_unknown" };

export type JoinEvent =
  /** `unfinished`: a project is being handed over, and that was interrupted. */
  | { readonly type: "seen"; readonly isBound: boolean | "unfinished" }
  | { readonly type: "did" }
  /** Nobody knows whether it was done. */
  | { readonly type: "unknown" };

export function beginJoin(adopts: boolean): JoinState {
  return { at: "look", adopts, unknown: 0 };
}

/** Returns what is to be done next. An event that does not belong to the state leaves it as it is. */
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
