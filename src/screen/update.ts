import { instantToMs } from "../base/clock.ts";
import { cursorIndex, keepingCursor, moveTo } from "./board/board.ts";
import { neighboursOf } from "./board/neighbours.ts";
import { withFound } from "./board/search.ts";
import { viewsCame } from "./board/views.ts";
import { rowOfKey, runCommand } from "./commands.ts";
import { connected } from "./connection/daemons.ts";
import { answered, rereadPreview, withLastRuns } from "./cron/cron.ts";
import { withVersions } from "./cron/version-page.ts";
import { followCursor, withDetail } from "./detail/detail.ts";
import { CHANGED_MS, isTouched, onEvents } from "./events.ts";
import { minute, withFleet } from "./fleet/fleet.ts";
import { offered } from "./forms/completion.ts";
import { onDialogKey, pasteInDialog, typedInDialog } from "./forms/dialogs.ts";
import { forgettingDrafts } from "./forms/drafts.ts";
import { withEdited } from "./forms/form-keys.ts";
import { withGraph } from "./graph/graph.ts";
import { withInbox } from "./inbox/inbox.ts";
import { onChosen, onScrolled } from "./input/pointed.ts";
import { keyOf } from "./input/typed.ts";
import { isLate, onLive, reload } from "./loading/reload.ts";
import type { LoadingState } from "./loading/state.ts";
import type { Message, MessageOf } from "./message.ts";
import { hint, isFaded, say } from "./messages/messages.ts";
import { onMenuKey } from "./palette/menu.ts";
import { chooseProject, isInScope } from "./projects/choose-project.ts";
import { withNewProject, withProjects } from "./projects/projects.ts";
import { onReplay, withoutWrites } from "./session/replay.ts";
import { type State, withSlice } from "./state.ts";
import { andThen, type Step, step } from "./step.ts";
import { missingIn, withTruth } from "./writes/optimism.ts";
import { onRefused, onWritten } from "./writes/writes-in-flight.ts";

/** The one way in which the state changes: pure, so that a recorded session gives the same screens again. */
export function update(state: State, message: Message): Step {
  const next = withoutWrites(state, followCursor(state, apply(state, message)), message);
  return forgettingDrafts(state, next);
}

function apply(state: State, message: Message): Step {
  if (isDone(message) && state.fit.board(state) === undefined) return unseen(state, message);
  switch (message.type) {
    case "key":
      return onKey(unsaid(state), message.key);
    case "paste":
      return onPaste(state, message.text);
    case "burst":
      return onBurst(state, message);
    case "typed":
      return state.dialog === undefined
        ? step(state)
        : typedInDialog(state, state.dialog, message.field);
    case "chosen":
      return onChosen(state, message);
    case "scrolled":
      return onScrolled(state, message);
    case "background":
      return step(
        state.preferences.light === message.light
          ? state
          : withSlice(state, "preferences", { light: message.light }),
      );
    case "resize":
      return step(
        keepingCursor(state, (now) =>
          withSlice(now, "window", { columns: message.columns, rows: message.rows }),
        ),
      );
    case "tick":
      return rereadPreview(faded(state));
    case "reload":
      return reload(state);
    case "scope":
      return chooseProject(state, message.scope.project);
    case "replay":
      return onReplay(state, message);
    case "projects":
      return step(withProjects(state, message));
    case "issues":
      return onIssues(state, message);
    case "detail":
      return step(withDetail(state, message.uid, message.detail));
    case "graph":
      return step(state.graph?.source === message.source ? withGraph(state, message.graph) : state);
    case "cron":
      return answered(state, message);
    case "job-runs":
      return step(withLastRuns(state, message));
    case "versions":
      return step(withVersions(state, message));
    case "inbox": {
      const { address, all } = state.inbox;
      const isAsked = message.address === address && message.all === all;
      return step(isAsked ? withInbox(state, message.inbox) : state);
    }
    case "fleet":
      return step(
        message.project_id === state.projects.scope.project?.id
          ? withFleet(state, message.fleet)
          : state,
      );
    case "minute":
      return step(state, ...minute(state));
    case "live":
      return onLive(state, message.live);
    case "behind":
      return step(withSlice(state, "connection", { behind: message.behind }));
    case "events":
      return onEvents(state, message.events);
    case "written":
      return onWritten(state, message);
    case "refused":
      return onRefused(state, message);
    case "completed":
      return onCompleted(state, message);
    case "auth":
      return step(withSlice(state, "connection", { quickClose: message.quickClose }));
    case "found":
      return withFound(state, message);
    case "new-project":
      return withNewProject(state, message);
    case "connected":
      return connected(state, message.daemon);
    case "views":
      return viewsCame(state, message);
    case "api":
      return step(withSlice(state, "connection", { api: message.api }));
    case "edited":
      return onEdited(state, message.text);
    case "said":
      return say(state, message.text);
    case "failed":
      return say(state, message.text, "error");
  }
}

/** A person did it. */
function isDone({ type }: Message): boolean {
  return ["key", "paste", "burst", "typed", "chosen", "scrolled"].includes(type);
}

/** Nobody changes what nobody sees: where there is no room for a picture, keys leave the screen, and no more. */
function unseen(state: State, message: Message): Step {
  if (message.type !== "key") return step(state);
  const { key } = message;
  if (state.dialog?.dialog === "quit") return onDialogKey(state, state.dialog, key);
  const row = state.preferences.keys.find(
    ({ scope, keys }) => scope === "everywhere" && keys.includes(key),
  );
  const leaves = row?.command === "quit" || row?.command === "quit-now";
  return leaves ? runCommand(state, row.command) : step(state);
}

/** Without time to take it away, what was said goes with the next key; what that key offers stays to be taken. */
function unsaid(state: State): State {
  const { calm } = state.preferences;
  const { notice } = state.messages;
  const isTimed = calm && notice?.tone === "info" && notice.offers === undefined;
  const goes = isTimed || (notice?.isHint === true && notice.offers === undefined);
  return goes ? withSlice(state, "messages", { notice: undefined }) : state;
}

/** Whoever typed it knows at once what it is about. */
const NO_ACTION_MS = 1000;

function onKey(state: State, key: string): Step {
  const { dialog } = state;
  if (key === "ctrl+c" && dialog?.dialog !== "quit") return runCommand(state, "quit-now");
  if (dialog?.dialog === "menu") return onMenuKey(state, dialog, key);
  if (dialog !== undefined) return onDialogKey(state, dialog, key);
  const row = rowOfKey(state, key);
  if (row === undefined) return hint(state, `no action on ${key} here`, { seenMs: NO_ACTION_MS });
  return runCommand(state, row.command);
}

/** Text that lands outside an input was meant for another window: none of it is taken for keys. */
function onPaste(state: State, text: string): Step {
  if (state.dialog !== undefined) return pasteInDialog(state, state.dialog, text);
  return hint(state, "a paste means nothing here");
}

/**
 * Text goes where text is typed, and its last line end is the key that was pressed behind it. The first of its keys may
 * open what it is typed into; any other text was meant for another window, and none of it runs a command.
 */
function onBurst(
  state: State,
  { text, goesOn }: Pick<MessageOf<"burst">, "text" | "goesOn">,
): Step {
  if (!takesText(state)) {
    const [first = ""] = text;
    const opened = onKey(unsaid(state), keyOf(first));
    if (goesOn || !takesText(opened.state)) return onPaste(state, text);
    const rest = text.slice(first.length);
    return andThen(opened, (now) => onBurst(now, { text: rest, goesOn: true }));
  }
  const isSent = text.endsWith("\n");
  const parts = (isSent ? text.slice(0, -1) : text).split("\t");
  const typed = parts.reduce(
    (now, part, at) => andThen(at === 0 ? now : pressed(now, "tab"), (next) => onPaste(next, part)),
    step(state),
  );
  return isSent ? pressed(typed, "enter") : typed;
}

function pressed(before: Step, key: string): Step {
  return andThen(before, (state) => onKey(unsaid(state), key));
}

function takesText({ dialog }: State): boolean {
  return dialog !== undefined && (dialog.dialog === "form" || "field" in dialog);
}

function faded(state: State): State {
  const { now } = state;
  const { notice } = state.messages;
  const { calm } = state.preferences;
  if (calm) return state;
  const changed = new Map(
    [...state.board.changed].filter(([, at]) => instantToMs(now) - instantToMs(at) < CHANGED_MS),
  );
  const touched = isTouched(state) ? state.detail.touched : undefined;
  return {
    ...state,
    messages: { ...state.messages, notice: isFaded(state) ? undefined : notice },
    board: { ...state.board, changed },
    detail: { ...state.detail, touched },
  };
}

function onIssues(state: State, message: MessageOf<"issues">): Step {
  const { part, issues, gone } = message;
  if (isLate(state, message)) return step(state);
  // Asked before anything changes: rows, and what they come from, are kept of one table at a time.
  const isFresh = state.loading.stage !== "done" && cursorIndex(state) <= 0;
  const next = keepingCursor(state, (now) => {
    const inScope = issues.filter((issue) => isInScope(now, issue));
    // What moved to a project that is not shown is gone from here like what was deleted.
    const elsewhere = issues.filter((issue) => !isInScope(now, issue)).map(({ uid }) => uid);
    const missing = part === "all" ? missingIn(now, message) : [];
    const next = withTruth(now, inScope, [...gone, ...elsewhere, ...missing]);
    return withSlice(next, "loading", loadingOf(now, message));
  });
  // Where nobody has moved yet, the beginning of the list is what is looked at.
  if (part !== "changed") return step(isFresh ? moveTo(next, 0) : next);
  const told = [...issues.map(({ uid }) => uid), ...gone];
  const uids = neighboursOf(state.issues, next.issues, told);
  return uids.length === 0 ? step(next) : step(next, { effect: "refresh", uids });
}

/** How far the reading of the list is with this message. */
function loadingOf(
  { loading: { pages } }: State,
  { part, issues, truncated }: MessageOf<"issues">,
): Partial<LoadingState> {
  if (part === "changed") return {};
  if (part === "all") return { pages: [], stage: "done", truncated };
  const uids = issues.map(({ uid }) => uid);
  return { pages: part === "first" ? uids : [...pages, ...uids], stage: "rest" };
}

function onEdited(state: State, text: string): Step {
  const { dialog } = state;
  return dialog?.dialog === "form" ? withEdited(state, dialog, text) : step(state);
}

/** What the daemon found is of use while the text is still the one that was looked for. */
function onCompleted(state: State, { text, choices }: MessageOf<"completed">): Step {
  const { dialog } = state;
  if (dialog?.dialog !== "prompt" && dialog?.dialog !== "form") return step(state);
  const typed = dialog.dialog === "prompt" ? dialog.field : dialog.fields[dialog.focus]?.value;
  if (typed?.text !== text) return step(state);
  const found = { text, choices: offered(state, dialog, choices) };
  return step({ ...state, dialog: { ...dialog, found } });
}
