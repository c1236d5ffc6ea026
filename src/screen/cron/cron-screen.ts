import { CHOOSE_PROJECT } from "../empty-text.ts";
import type { ScopeList } from "../keys.ts";
import { oneOf } from "../place/place.ts";
import { cursorIn, type ScreenRecord } from "../screen.ts";
import { CURSOR, CUT, FAILED, PENDING } from "../signs.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { AcceptedWrite } from "../writes/changes.ts";
import { CRON_COMMANDS } from "./commands.ts";
import {
  backInCron,
  cronCount,
  cronIssue,
  loadCron,
  moveInCron,
  openSeries,
  rereadPreview,
  showTab,
  touchesCron,
  withJob,
} from "./cron.ts";
import { emptyCron } from "./empty.ts";
import { CRON_KEYS } from "./keys.ts";
import { cronReducer } from "./reducer.ts";
import { SERIES_FORMS } from "./series-forms.ts";
import { CRON_TABS, type CronScreenTab, EMPTY_CRON } from "./state.ts";
import { onToggleConflictKey } from "./toggle-job.ts";
import { toggleConflict } from "./toggles.ts";
import { pageTop } from "./version-page.ts";

declare module "../place/place.ts" {
  interface ScreenPlaces {
    readonly cron: { readonly tab: CronScreenTab };
  }
}

declare module "../message.ts" {
  interface ScreenTargets {
    readonly cron: { readonly tab: { readonly tab: CronScreenTab } };
  }
}

/** A read waits this long after an event, so that a burst of events causes one read. */
const AFTER_EVENT_MS = 500;

const LIST: ScopeList = ["cron", "lines", "everywhere"];
/** The scopes of the page that covers the rows. */
const PAGE: ScopeList = ["lines", "everywhere"];

/**
 * The automatic work of a project: runs, jobs, workflows, series of issues, and the past and next due times of a job.
 * Each of these has its own tab.
 */
export const CRON: ScreenRecord<"cron"> = {
  name: "cron",
  initial: () => EMPTY_CRON,

  keys: CRON_KEYS,
  help: { cron: { where: "on the cron screen", heading: "Cron" } },
  signs: {
    cron: [
      CURSOR,
      PENDING,
      FAILED,
      CUT,
      { text: "R", label: "the run is running" },
      { text: "S", label: "the run succeeded" },
      { text: "F", label: "the run failed" },
      { text: "C", label: "the run was cancelled" },
      { text: "?", label: "how the run ended is not known" },
    ],
  },
  shownBy: "cron",
  opensBy: "cron-open",
  commands: CRON_COMMANDS,
  scopes: [LIST, PAGE],
  scopesNow: ({ cron }) => (cron.page === undefined ? LIST : PAGE),
  dialogKey: (state, dialog, key) =>
    dialog.dialog === "compare" && dialog.about.compared === "job"
      ? onToggleConflictKey(state, dialog.about, key)
      : undefined,
  targets: {
    tab: (state, { tab }) => (tab === state.cron.tab ? step(state) : showTab(state, tab)),
  },
  prompts: undefined,
  forms: SERIES_FORMS,

  rows: {
    ...cursorIn("cron"),
    count: cronCount,
    issues: () => [],
    isRead: () => true,
    move: moveInCron,
    clicked: (state, at) => moveInCron(state, at - state.cron.cursor),
    isInUse: (state) => pageTop(state) === undefined,
  },
  issueUnderCursor: cronIssue,

  isOfProject: true,
  empty: emptyCron,
  emptyActs: ({ scope, cron }) => {
    if (scope.project === undefined) return [CHOOSE_PROJECT];
    return cron.tab === "series" ? [{ command: "series-new", label: "New series" }] : [];
  },

  reducer: cronReducer,
  reads: (state) => (state.screen === "cron" ? loadCron(state) : []),
  readsAfterEvents: (state, events) =>
    touchesCron(state, events) ? loadCron(state, AFTER_EVENT_MS) : [],
  onTick: rereadPreview,
  versionOf: ({ cron: { jobs = [], series = [] } }, uid) =>
    jobs.find((job) => job.uid === uid)?.definition_event_uid ??
    series.find((one) => one.uid === uid)?.revision,
  withoutProject: (state) => ({
    ...state,
    cron: { ...EMPTY_CRON, unsupported: state.cron.unsupported },
  }),

  withAnswer: (state, { job }) => (job === undefined ? state : withJob(state, job)),
  afterWrites: rereadSeries,
  // The person can send the refused form of a series again. The change is then based on the newest version of the
  // series, so this version is read.
  readsAfterRefusal: (state, failed) =>
    failed.some(({ write, code }) => write.act === "edit-series" && code === "revision_conflict")
      ? loadCron(state)
      : [],
  conflict: (state, done) =>
    done.code === "cron_conflict" ? toggleConflict(state, done) : undefined,

  back: (state) =>
    state.cron.page === undefined
      ? backInCron(state)
      : step(withSlice(state, "cron", { page: undefined })),
  address: {
    fields: {
      tab: {
        parameter: "tab",
        usual: "runs",
        parse: oneOf(CRON_TABS),
        leadsElsewhere: (from, to) => from !== to,
      },
    },
    of: ({ screen, cron }) => (screen === "cron" ? { tab: cron.tab } : {}),
    follow: (state, { screen, tab }) =>
      screen === "cron" && state.cron.tab !== tab ? showTab(state, tab) : step(state),
  },
};

function rereadSeries(state: State, { write, changed }: AcceptedWrite): Step {
  if (changed !== "series") return step(state);
  // The new series becomes the first row. Without a known list, the cursor starts on the first row of the list that is
  // read next.
  return write.act === "create-series"
    ? openSeries(withSlice(state, "cron", { series: undefined, cursor: 0, places: {} }))
    : step(state, ...loadCron(state));
}
