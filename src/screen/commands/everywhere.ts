import type { CommandHandler, CommandHandlers } from "../command.ts";
import { pickDaemon } from "../daemons/daemons.ts";
import { back, isSplit, noWayBack } from "../detail/detail.ts";
import { panesOf, toPane } from "../detail/panes.ts";
import { menuDialog } from "../forms/dialog.ts";
import { unsavedWork } from "../forms/unsaved-work.ts";
import { HOME_SCREEN } from "../home-screen.ts";
import { reloadNow } from "../loading/reload.ts";
import { type State, toScreen } from "../state.ts";
import { step } from "../step.ts";
import { redo, undo } from "../writes/undo.ts";
import { stateCommand } from "./command-handler.ts";
import { askOwnCommand, whyNoOwnCommand } from "./own-commands.ts";

const onlyPane = (state: State): string | undefined =>
  panesOf(state).length > 1 ? undefined : "there is one pane only";

const leaving = (asks: (state: State) => boolean): CommandHandler => ({
  run: (state) =>
    asks(state) || unsavedWork(state).length > 0
      ? step({ ...state, dialog: { dialog: "quit", under: state.dialog } })
      : step(state, { effect: "quit" }),
});

export const EVERYWHERE_COMMANDS = {
  daemons: { ...stateCommand(pickDaemon), needsDaemon: true },
  "next-pane": {
    ...stateCommand((state) => toPane(state, 1)),
    why: onlyPane,
  },
  "previous-pane": { ...stateCommand((state) => toPane(state, -1)), why: onlyPane },
  stack: stateCommand((state) => {
    const layout = isSplit(toScreen(state, HOME_SCREEN)) ? "stacked" : "split";
    return {
      ...state,
      preferences: { ...state.preferences, layout },
      window: { ...state.window, focus: "list" },
    };
  }),
  "own-command": { ...stateCommand(askOwnCommand), why: whyNoOwnCommand },
  undo: { run: undo, needsDaemon: true },
  redo: { run: redo, needsDaemon: true },
  writes: stateCommand((state) => ({
    ...state,
    dialog: { dialog: "list", kind: "writes", at: 0 },
  })),
  // Opening the messages dismisses all failures.
  messages: stateCommand((state) => {
    return {
      ...state,
      writes: { ...state.writes, failed: new Map() },
      dialog: { dialog: "list", kind: "messages", at: 0 },
    };
  }),
  back: { run: back, why: noWayBack },
  reload: { run: reloadNow, needsDaemon: true },
  repaint: { run: (state) => step(state, { effect: "repaint" }) },
  suspend: { run: (state) => step(state, { effect: "suspend" }) },
  palette: stateCommand((state) => ({ ...state, dialog: menuDialog("palette") })),
  help: stateCommand((state) => ({ ...state, dialog: menuDialog("help") })),
  quit: leaving(({ preferences: { confirmQuit } }) => confirmQuit),
  "quit-now": leaving(() => false),
} satisfies CommandHandlers;
