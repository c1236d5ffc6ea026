import { cronIssue, ofJob, toTab } from "../cron.ts";
import { openIssue } from "../detail.ts";
import type { Doings } from "./doing.ts";

export const CRON = {
  "cron-next-tab": { run: (state) => toTab(state, 1) },
  "cron-previous-tab": { run: (state) => toTab(state, -1) },
  "cron-open": {
    run: (state) =>
      state.cron.tab === "jobs" ? ofJob(state, "ledger") : openIssue(state, cronIssue(state)),
    why: (state) =>
      state.cron.tab === "jobs" || cronIssue(state) !== undefined
        ? undefined
        : "there is no issue on this line",
  },
  "cron-preview": { run: (state) => ofJob(state, "preview") },
} satisfies Doings;
