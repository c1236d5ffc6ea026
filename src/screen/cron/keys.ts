import type { KeyTable } from "../keys.ts";

export const CRON_KEYS = {
  everywhere: {
    cron: { keys: ["4"], label: "cron: runs, jobs and what came due" },
    series: {
      keys: ["7"],
      label: "recurrences: what comes again, and when",
      also: "repeat rrule schedule",
      name: "recurrence list",
    },
  },
  cron: {
    "cron-next-tab": {
      keys: ["tab"],
      label: "runs, jobs, workflows, ledger, preview, series",
      word: "tab next tab",
    },
    "cron-previous-tab": { keys: ["shift+tab"], label: "the tab before" },
    "cron-open": {
      keys: ["enter"],
      label: "open its issue, or the ledger of a job",
      word: "enter open",
    },
    "cron-preview": {
      keys: ["p"],
      label: "when a job comes next",
      word: "p preview",
      name: "cron job preview",
    },
    "cron-toggle": {
      keys: ["T"],
      label: "turn a job on or off",
      word: "T on/off",
      also: "pause disable enable",
      name: "cron job enable or disable",
      before: "cron-turn",
    },
    "series-new": {
      keys: ["n"],
      label: "new series: an issue that comes again",
      word: "n new series",
      also: "repeat recurrence",
      name: "recurrence create",
    },
    "series-edit": {
      keys: ["e"],
      label: "edit rule and template of a series",
      word: "e edit",
      name: "recurrence update",
    },
    "series-delete": {
      keys: ["delete"],
      label: "end a series; its issues stay",
      also: "pause stop remove",
      name: "recurrence delete",
    },
    "cron-versions": {
      keys: ["d"],
      label: "the definition as the run had it, or as it is",
      word: "d definition",
      name: "cron job show",
    },
  },
} as const satisfies KeyTable;

declare module "../keys.ts" {
  interface KeyTables {
    readonly cron: typeof CRON_KEYS;
  }
}
