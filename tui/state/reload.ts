import { loadCron } from "./cron.ts";
import { detailUid, loadDetail } from "./detail.ts";
import { loadFleet } from "./fleet.ts";
import { graphReads } from "./graph.ts";
import { tryNow } from "./hearing.ts";
import { loadInbox } from "./inbox.ts";
import { loadProjects } from "./projects.ts";
import type { State } from "./state.ts";
import { andThen, hint, type Message, type Step, step } from "./step.ts";

/** What a person asks for: a daemon that does not answer is tried first, and tells what happened once it does. */
export function reloadNow(state: State): Step {
  if (state.live !== "reconnecting") return reload(state);
  return andThen(hint(state, "the daemon does not answer: it is tried again now"), tryNow);
}

/** Reads everything again that is shown; a daemon that refused every change may be asked once more. */
export function reload(state: State): Step {
  const serial = state.serial + 1;
  const next = { ...state, serial, scopeSerial: serial, readOnly: undefined };
  const uid = detailUid(state);
  const issues = { effect: "load-issues", project_id: state.scope.project?.id, serial } as const;
  const detail = uid === undefined ? [] : [loadDetail(next, uid, true)];
  const fleet = state.screen === "fleet" ? [loadFleet(next)] : [];
  const cron = state.screen === "cron" ? loadCron(next) : [];
  const graph = state.screen === "graph" && state.graph ? graphReads(next, state.graph) : [];
  return step(
    next,
    loadProjects(),
    issues,
    loadInbox(next),
    ...fleet,
    ...cron,
    ...graph,
    ...detail,
  );
}

/** An answer to what is no longer asked: the scope changed meanwhile. */
export function isLate(
  { scopeSerial }: State,
  { part, serial }: Pick<Extract<Message, { type: "issues" }>, "part" | "serial">,
): boolean {
  return part !== "changed" && serial < scopeSerial;
}
