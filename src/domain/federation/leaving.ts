/**
 * Ends the copying of a project (docs/contract/federation.md#5-leave). `prepare` sets marks, after which nothing is
 * read, sent or enrolled any more, and waits for the calls that were under way. `commit` does that too, and then
 * removes what is stored. The stored data is read again before each change. So if a leave is interrupted, another leave
 * finishes it.
 */

export interface LeaveRequest {
  readonly phase: "preflight" | "prepare" | "commit";
  readonly archives: boolean;
  /** Whether the project is archived even if it has open issues. */
  readonly force: boolean;
}

/** The stored data about a project on which the steps of a leave depend. */
export interface LeaveView {
  readonly role: "hub" | "spoke" | undefined;
  readonly isArchived: boolean;
  readonly openIssues: number;
  /** Whether the binding is marked. */
  readonly isMarked: boolean;
  /**
   * The stored credential for the hub. `managed`: the daemon made it for a project of config.toml, and it is not marked
   * as leaving yet. `leaving`: it is marked. `several`: there is more than one credential for the project.
   */
  readonly credential: "none" | "own" | "managed" | "leaving" | "several";
}

export type LeaveRefusal =
  | "not_a_spoke"
  | "open_issues"
  | "several"
  | "changed"
  | "outcome_unknown";

interface Progress {
  readonly request: LeaveRequest;
  /** Whether this leave has removed the binding, or archived the project. */
  readonly detached: boolean;
  readonly archived: boolean;
  /** Whether all calls to the hub that began before the marks were set have ended. */
  readonly isQuiet: boolean;
  /** How many times it was unknown whether a change was made. */
  readonly unknown: number;
}

export type LeaveState =
  | (Progress & {
      readonly at:
        | "look"
        | "mark_credential"
        | "mark_binding"
        | "wait"
        | "archive"
        | "remove_binding"
        | "delete_credential";
    })
  | (Progress & { readonly at: "done" })
  | { readonly at: "refused"; readonly refusal: LeaveRefusal };

export type LeaveEvent =
  | { readonly type: "seen"; readonly view: LeaveView }
  /**
   * Whether the step of the state was done. False: the stored data has changed since it was read, so nothing was done.
   */
  | { readonly type: "did"; readonly did: boolean }
  /** It is unknown whether the step was done. */
  | { readonly type: "unknown" };

export function beginLeave(request: LeaveRequest): LeaveState {
  const none = { detached: false, archived: false, isQuiet: false, unknown: 0 };
  return { at: "look", request, ...none };
}

/**
 * Returns the next state, which says what to do next. An event that does not belong to the state is a fault of the
 * caller: the leave is then refused with `changed`.
 */
export function nextLeave(state: LeaveState, event: LeaveEvent): LeaveState {
  if (state.at === "refused" || state.at === "done") return state;
  if (state.at === "look")
    return event.type === "seen" ? stateAfterLook(state, event.view) : refused("changed");
  if (event.type === "seen") return refused("changed");
  if (event.type === "did" && !event.did) return refused("changed");
  const { at, ...progress } = state;
  const unknown = progress.unknown + (event.type === "unknown" ? 1 : 0);
  if (unknown > 1) return refused("outcome_unknown");
  return {
    ...progress,
    at: "look",
    unknown,
    // Only `wait` after the last mark counts, since a call that began before a mark may still be under way.
    isQuiet: at === "wait" || (progress.isQuiet && !at.startsWith("mark_")),
    // The next look shows whether a change with an unknown outcome was made. If it was, this leave made it.
    detached: progress.detached || at === "remove_binding",
    archived: progress.archived || at === "archive",
  };
}

function refused(refusal: LeaveRefusal): LeaveState {
  return { at: "refused", refusal };
}

function stateAfterLook(state: Progress, view: LeaveView): LeaveState {
  const { request, isQuiet } = state;
  if (view.role === "hub") return refused("not_a_spoke");
  if (view.credential === "several") return refused("several");
  const archives = request.archives && !view.isArchived;
  if (archives && !request.force && view.openIssues > 0) return refused("open_issues");
  if (request.phase === "preflight") return { ...state, at: "done" };
  // If no prepared leave has marked the token, it may have been enrolled after the hub was asked to revoke.
  if (view.credential === "managed")
    return request.phase === "commit" ? refused("changed") : { ...state, at: "mark_credential" };
  if (view.role === "spoke" && !view.isMarked) return { ...state, at: "mark_binding" };
  if (!isQuiet) return { ...state, at: "wait" };
  if (request.phase === "prepare") return { ...state, at: "done" };
  if (archives) return { ...state, at: "archive" };
  if (view.role === "spoke") return { ...state, at: "remove_binding" };
  if (view.credential !== "none") return { ...state, at: "delete_credential" };
  return { ...state, at: "done" };
}
