import { type Empty, type KeyWord, keysOf, LOADING } from "../empty-text.ts";
import type { State } from "../state.ts";
import { cronCount, hasLedger } from "./cron.ts";

export function emptyCron(state: State): Empty | undefined {
  const { cron } = state;
  const { scope } = state;
  const key = keysOf(state);
  if (scope.project === undefined)
    return {
      why: "jobs and runs belong to a project",
      byKey: [`${key("projects")} chooses one`],
      next: [],
    };
  if (cron.unsupported) return { why: "this daemon has no cron support", next: [] };
  if (cronCount(state) > 0) return undefined;
  switch (cron.tab) {
    case "runs":
      if (cron.runs === undefined) return LOADING;
      return {
        why: "no run was recorded yet",
        next: ["who runs a job records it: svc cron run observe"],
      };
    case "jobs":
      if (cron.jobs === undefined) return LOADING;
      return {
        why: "no job yet",
        next: [
          "svc cron job create --file job.json --parent <ref> makes one; its --help has such a file",
        ],
      };
    case "workflows":
      if (cron.workflows === undefined) return LOADING;
      return {
        why: "no workflow yet",
        next: ["svc cron workflow create --file flow.json makes one; its --help has such a file"],
      };
    case "series":
      if (cron.series === undefined) return LOADING;
      return {
        why: "nothing comes again yet",
        how: `${key("series-new")} makes a series`,
        next: [
          "A series makes its next issue when the one before it is closed as done.",
          'On the command line: svc recurrence create --title "..." --rrule "FREQ=WEEKLY"',
        ],
      };
    case "ledger":
      if (cron.job === undefined) return noJob(key);
      if (!hasLedger(cron))
        return {
          why: "svc delivers this job not itself, and keeps no ledger of it",
          next: ["what became of it say its runs, which its adapter records"],
        };
      if (cron.ledger === undefined) return LOADING;
      return {
        why: "nothing came due yet",
        next: [`${key("cron-preview")} shows when it does`],
      };
    case "preview":
      if (cron.job === undefined) return noJob(key);
      if (cron.preview === undefined) return LOADING;
      return {
        why: "no time is to come",
        next: ["its date is over, or no clock starts it: its adapter does"],
      };
  }
}

function noJob(key: KeyWord): Empty {
  const next = `${key("cron-next-tab")} to Jobs: there ${key("cron-open")} shows what became of one, ${key("cron-preview")} when it comes next`;
  return { why: "no job is chosen", next: [next] };
}
