import type { ScreenReducer } from "../reducer.ts";
import { step } from "../step.ts";
import { onCronAnswer, withLastRuns } from "./cron.ts";
import { withFoundDays } from "./series-days.ts";
import { withVersions } from "./version-page.ts";

export const cronReducer: ScreenReducer<"cron"> = {
  cron: onCronAnswer,
  "job-runs": (state, message) => step(withLastRuns(state, message)),
  "series-days": (state, message) => step(withFoundDays(state, message)),
  versions: (state, message) => step(withVersions(state, message)),
};
