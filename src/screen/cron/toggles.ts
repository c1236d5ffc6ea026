import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { SentWrite } from "../writes/done.ts";
import { dismissFailure } from "../writes/failed.ts";
import type { JobToggle } from "../writes/writes.ts";
import type { CronJob } from "./state.ts";
import { toggleComparison } from "./toggle-conflict.ts";

/** The jobs as the list shows them: writes in flight that turn a job on or off are already applied. */
export function shownJobs(state: Pick<State, "cron" | "writes">): readonly CronJob[] {
  const { jobs = [] } = state.cron;
  const toggles = inFlight(state);
  if (toggles.length === 0) return jobs;
  return jobs.map((job) => {
    const toggle = toggles.find(({ at }) => at.uid === job.uid);
    return toggle === undefined
      ? job
      : { ...job, definition: { ...job.definition, enabled: toggle.on } };
  });
}

export function isToggling(state: Pick<State, "writes">, uid: string): boolean {
  return inFlight(state).some(({ at }) => at.uid === uid);
}

function inFlight({ writes: { sent } }: Pick<State, "writes">): readonly JobToggle[] {
  return sent.flatMap(({ write, state }) =>
    state === "pending" && write.act === "toggle" ? [write] : [],
  );
}

/** Opens a dialog that compares the person's change of a job with the change that somebody else made. */
export function toggleConflict(state: State, { id, write, current }: SentWrite): Step {
  if (write.act !== "toggle" || current === undefined) return step(state);
  const base = state.cron.jobs?.find(({ definition_event_uid: event }) => event === write.expected);
  const dialog = toggleComparison({ write, base, theirs: current });
  return step({
    ...withSlice(dismissFailure(state, id), "messages", { notice: undefined }),
    dialog,
  });
}
