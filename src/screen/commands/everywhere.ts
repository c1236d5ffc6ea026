import { shownIssue } from "../board/board.ts";
import { askView } from "../board/views.ts";
import { openCron, openSeries } from "../cron/cron.ts";
import { pickDaemon } from "../daemons/daemons.ts";
import { back, isSplit, needsIssue, noWayBack } from "../detail/detail.ts";
import { panesOf, toPane } from "../detail/panes.ts";
import { openFleet } from "../fleet/fleet.ts";
import { menuDialog } from "../forms/dialog.ts";
import { unsavedWork } from "../forms/unsaved-work.ts";
import { openGraph } from "../graph/graph.ts";
import { loadInbox } from "../inbox/inbox.ts";
import { reloadNow } from "../loading/reload.ts";
import { loadProjects } from "../projects/projects.ts";
import { type State, toScreen } from "../state.ts";
import { step } from "../step.ts";
import { redo, undo } from "../writes/undo.ts";
import { type CommandHandler, type CommandHandlers, to } from "./command-handler.ts";
import { askOwnCommand, whyNoOwnCommand } from "./own-commands.ts";

const onlyPane = (state: State): string | undefined =>
  panesOf(state).length > 1 ? undefined : "there is one pane only";

const leaving = (asks: (state: State) => boolean): CommandHandler => ({
  run: (state) =>
    asks(state) || unsavedWork(state).length > 0
      ? step({ ...state, dialog: { dialog: "quit", under: state.dialog } })
      : step(state, { effect: "quit" }),
});

export const EVERYWHERE = {
  board: to((state) => toScreen(state, "board")),
  cron: { run: openCron },
  inbox: { run: (state) => step(toScreen(state, "inbox"), loadInbox(state)) },
  "graph-screen": {
    // Shows the graph of the issue in view. On a screen without an issue, shows the last graph, else the graph of the
    // board's issue. On the graph screen with no issue open, does nothing: another command makes the issue under the
    // cursor the source of the graph.
    run: (state) =>
      state.screen === "graph" && state.detail.open.length === 0
        ? step(state)
        : openGraph(state, shownIssue(state) ?? state.graph?.source ?? state.board.cursor),
    why: (state) =>
      state.graph !== undefined ||
      (shownIssue(state) === undefined && state.board.cursor !== undefined)
        ? undefined
        : needsIssue(state),
  },
  projects: { run: (state) => step(toScreen(state, "projects"), loadProjects()) },
  daemons: to(pickDaemon),
  fleet: { run: openFleet },
  series: { run: openSeries },
  "show-view": to(askView),
  "next-pane": {
    ...to((state) => toPane(state, 1)),
    why: onlyPane,
  },
  "previous-pane": { ...to((state) => toPane(state, -1)), why: onlyPane },
  stack: to((state) => {
    const layout = isSplit({ ...state, screen: "board" }) ? "stacked" : "split";
    return {
      ...state,
      preferences: { ...state.preferences, layout },
      window: { ...state.window, focus: "list" },
    };
  }),
  "own-command": { ...to(askOwnCommand), why: whyNoOwnCommand },
  undo: { run: undo },
  redo: { run: redo },
  writes: to((state) => ({ ...state, dialog: { dialog: "list", kind: "writes", at: 0 } })),
  // Opening the messages dismisses all failures.
  messages: to((state) => {
    return {
      ...state,
      writes: { ...state.writes, failed: new Map() },
      dialog: { dialog: "list", kind: "messages", at: 0 },
    };
  }),
  back: { run: back, why: noWayBack },
  reload: { run: reloadNow },
  repaint: { run: (state) => step(state, { effect: "repaint" }) },
  suspend: { run: (state) => step(state, { effect: "suspend" }) },
  palette: to((state) => ({ ...state, dialog: menuDialog("palette") })),
  help: to((state) => ({ ...state, dialog: menuDialog("help") })),
  quit: leaving(({ preferences: { confirmQuit } }) => confirmQuit),
  "quit-now": leaving(() => false),
} satisfies CommandHandlers;
