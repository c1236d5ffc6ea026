import type { ScreenReducer } from "../reducer.ts";
import { step } from "../step.ts";
import { answered, withLastRuns } from "./cron.ts";
import { withVersions } from "./version-page.ts";

export const cronReducer: ScreenReducer<"cron"> = {
  cron: answered,
  "job-runs": (state, message) => step(withLastRuns(state, message)),
  versions: (state, message) => step(withVersions(state, message)),
};
