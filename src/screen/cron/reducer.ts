import type { Reducer } from "../reducer.ts";
import { step } from "../step.ts";
import { answered, withLastRuns } from "./cron.ts";
import { withVersions } from "./version-page.ts";

export const cronReducer: Reducer<"cron" | "job-runs" | "versions"> = {
  cron: answered,
  "job-runs": (state, message) => step(withLastRuns(state, message)),
  versions: (state, message) => step(withVersions(state, message)),
};
