import { isCutOff, tryNow, withLiveState } from "../connection/connection-status.ts";
import type { LiveState } from "../connection/state.ts";
import { detailUid, loadDetail } from "../detail/detail.ts";
import type { Effect } from "../effect.ts";
import type { MessageOf } from "../message.ts";
import { hint } from "../messages/messages.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";

/**
 * Reads everything again. If the daemon does not answer or refuses the caller, only tries to reach the daemon. Once it
 * answers, its events report which issues have changed.
 */
export function reloadNow(state: State): Step {
  const { live } = state.connection;
  if (!isCutOff(live)) return andThen(reload(state), (next) => step(next, { effect: "load-auth" }));
  const what = live === "refused" ? "refused this screen" : "does not answer";
  return andThen(hint(state, `the daemon ${what}: it is tried again now`), tryNow);
}

/**
 * Reads everything on the screen again. Forgets that a change was refused, because the daemon may accept changes now.
 */
export function reload(state: State): Step {
  const { onlyReads: readOnly } = state.connection;
  const list = readListAgain(withSlice(state, "connection", { readOnly }));
  return andThen(list, (next) => step(next, ...besideIssues(next)));
}

/** Reads the list again; answers to an earlier reading are dropped. */
export function readListAgain(state: State): Step {
  const serial = state.session.serial + 1;
  const project_id = state.scope.project?.id;
  const next = {
    ...state,
    session: { ...state.session, serial },
    loading: { ...state.loading, serial },
  };
  const { missing } = state.scope;
  return step(
    next,
    missing === undefined
      ? { effect: "load-issues", project_id, serial }
      : { effect: "find-project", name: missing.name },
  );
}

/** When the daemon is back, reads everything except the list. Changed issues arrive with its events. */
export function onLive(state: State, live: LiveState, why?: string): Step {
  const isBack = isCutOff(state.connection.live) && !isCutOff(live);
  const next = withLiveState(isBack ? withAnsweredForm(state) : state, live, why);
  // Besides the data on the screen, reads what the caller may do, because a restarted daemon may accept other changes
  // than before.
  return step(next, ...(isBack ? ([{ effect: "load-auth" }, ...besideIssues(next)] as const) : []));
}

const BACK = "the connection is back: send it again";

/** If the open form could not be sent, replaces its error with the note that it can be sent now. */
function withAnsweredForm(state: State): State {
  const { dialog } = state;
  if (dialog?.dialog !== "form" || dialog.isUnsent !== true) return state;
  const notes = [...new Set([...dialog.notes, BACK])];
  return { ...state, dialog: { ...dialog, error: undefined, isUnsent: false, notes } };
}

/** The effects that read everything on the screen except the list. */
function besideIssues(state: State): readonly Effect[] {
  const uid = detailUid(state);
  return [
    ...state.screens.flatMap((screen) => screen.reads(state)),
    ...(uid === undefined ? [] : [loadDetail(state, uid, true)]),
  ];
}

export function isLate(
  { loading: { serial: scopeSerial } }: State,
  { part, serial }: Pick<MessageOf<"issues">, "part" | "serial">,
): boolean {
  return part !== "changed" && serial < scopeSerial;
}
