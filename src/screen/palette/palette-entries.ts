import { toOrder } from "../board/board.ts";
import { projectNames, refsOf } from "../board/choices.ts";
import { oldIdsOf } from "../board/old-ids.ts";
import { ORDERS, SORTS } from "../board/sort.ts";
import { removeView, showView } from "../board/views.ts";
import { commandStateOf, runCommand, whyNot } from "../commands.ts";
import { changeDaemon } from "../connection/daemons.ts";
import { openIssue } from "../detail/detail.ts";
import { suggestions } from "../forms/completion.ts";
import { menuDialog } from "../forms/dialog.ts";
import { closed, onDialogKey } from "../forms/dialogs.ts";
import { draftsHere, offerDrafts } from "../forms/drafts.ts";
import { fieldOf } from "../forms/field.ts";
import { typedPrompt } from "../forms/prompts.ts";
import type { Command } from "../keys.ts";
import { hint, say } from "../messages/messages.ts";
import { minuteOf } from "../minute.ts";
import { chooseProject } from "../projects/choose-project.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendWrites } from "../writes/writes-in-flight.ts";

export interface Entry {
  readonly name: string;
  readonly keys: readonly string[];
  readonly label: string;
  /** Other names by which the entry is found. */
  readonly also?: string | undefined;
  /** Why the entry cannot run now. */
  readonly why: string | undefined;
  /** What the person may type after the name. */
  readonly argument: Argument | undefined;
  run(state: State): Step;
}

export interface Argument {
  /** The kind of the argument, in one word. */
  readonly what: string;
  choices(state: State, text: string): readonly string[];
  run(state: State, text: string): Step;
}

/** The names that these commands have on the command line; the key table names them differently. */
const NAMES: Readonly<Partial<Record<Command, string>>> = {
  new: "create",
  "new-child": "create child",
  "close-with": "close with evidence",
  "add-label": "label add",
  "remove-label": "label rm",
  "set-parent": "parent",
  "show-view": "view",
  "add-blocker": "blocked-by",
  "add-related": "related",
  dates: "schedule",
  "graph-screen": "graph",
  "inbox-clear": "inbox clear",
  "cron-preview": "cron job preview",
  "cron-turn": "cron job enable or disable",
  "cron-versions": "cron job show",
  series: "recurrence list",
  "series-new": "recurrence create",
  "series-edit": "recurrence update",
  "series-delete": "recurrence delete",
  "fleet-release": "lease force-release",
  "fleet-steal": "lease steal",
};

/**
 * The commands that ask for one line of text, each with a word for that text. In the palette, the text can be typed
 * after the command's name.
 */
const ASKING: Readonly<Partial<Record<Command, string>>> = {
  filter: "filter",
  search: "words",
  "save-view": "name",
  "show-view": "view",
  "add-label": "label",
  "remove-label": "label",
  assign: "owner",
  priority: "0 to 4, or -",
  "set-parent": "issue",
  "add-blocker": "issue",
  "add-related": "issue",
  move: "project",
  notify: "who",
  "inbox-address": "address",
};

const ALL_PROJECTS = "all projects";

/** Entries that only the palette has, most of them with an argument. */
const MORE: readonly Entry[] = [
  entry("open", "open an issue by its id", {
    what: "issue",
    choices: refsOf,
    run: openRef,
  }),
  entry("project", "show a project on the board", {
    what: "project",
    choices: (state) => [ALL_PROJECTS, ...projectNames(state)],
    run: (state, text) => {
      const project = state.projects.all.find(({ name }) => name === text);
      if (project === undefined && text !== ALL_PROJECTS)
        return hint(state, `no project is called ${text}`);
      return chooseProject(withSlice(state, "window", { focus: "list" }), project);
    },
  }),
  entry(ALL_PROJECTS, "show the issues of all projects on the board", toAllProjects),
  ...(
    [
      ["today", "the view Today: scheduled or due by today"],
      ["upcoming", "the view Upcoming: scheduled for a later day"],
      ["deadlines", "the view Deadlines: whatever has one"],
      ["capture", "the view Capture: what belongs to no other project"],
      ["logbook", "the view Logbook: what is closed"],
      ["open issues", "the view All open"],
    ] as const
  ).map(([name, label]) =>
    entry(name, label, (state) => showView(state, name.split(" ", 1)[0] ?? name)),
  ),
  entry("times", "tell times by the clock, or how long ago", otherTimes),
  entry("drafts", "drafts that were kept", (state) =>
    draftsHere(state).length === 0
      ? hint(state, "no draft is kept for this board")
      : step(offerDrafts(state)),
  ),
  entry("remove view", "remove a saved view", {
    what: "view",
    choices: ({ board: { views } }) => views.map(({ name }) => name),
    run: removeView,
  }),
  entry("restore", "bring a deleted issue back", {
    what: "issue",
    choices: deletedHere,
    run: restoreRef,
  }),
  entry("daemon", "change to another daemon of config.toml", {
    what: "daemon",
    choices: ({ connection: { daemons } }) => daemons.map(({ name }) => name),
    run: changeDaemon,
  }),
  entry("order", "the order of the board", {
    what: "order",
    choices: () => SORTS,
    run: (state, text) => {
      const order = SORTS.find((known) => known === text);
      if (order === undefined)
        return hint(
          state,
          `the order is one of ${ORDERS.join(", ")}, or one of these with - before it`,
        );
      const why = whyNot(state, "next-order");
      return why === undefined ? step(toOrder(state, order)) : hint(state, why);
    },
  }),
];

function otherTimes(state: State): Step {
  return state.preferences.times === "ago"
    ? say(
        withSlice(state, "preferences", { times: "clock" }),
        "times are by this machine's clock   :times again: how long ago",
      )
    : say(withSlice(state, "preferences", { times: "ago" }), "times say how long ago it was");
}

/** An entry that runs at once, or that asks for its argument if it is run without one. */
function entry(name: string, label: string, what: Argument | Entry["run"]): Entry {
  const known = { name, keys: [], label, why: undefined };
  if (typeof what === "function") return { ...known, argument: undefined, run: what };
  return { ...known, argument: what, run: (state) => step(withPalette(state, `${name} `)) };
}

function toAllProjects(state: State): Step {
  return chooseProject(withSlice(state, "window", { focus: "list" }), undefined);
}

export function withPalette(state: State, text: string): State {
  return { ...state, dialog: menuDialog("palette", text) };
}

function openRef(state: State, text: string): Step {
  const ref = text.split(" ", 1)[0]?.toLowerCase() ?? "";
  const all = [...state.issues.values()];
  const found = all.find(
    ({ uid, short_id, qualified_id }) =>
      uid.toLowerCase() === ref || qualified_id.toLowerCase() === ref || short_id === ref,
  );
  if (found !== undefined) return openIssue(state, found.uid);
  const [old, another] = all.filter((issue) =>
    oldIdsOf(issue).some((id) => id.toLowerCase() === ref),
  );
  if (old === undefined) return hint(state, `no issue here is called ${ref}`);
  if (another === undefined) return openIssue(state, old.uid);
  return hint(state, `${ref} was the id of ${old.qualified_id} and ${another.qualified_id}`);
}

/** Issues deleted in this session; the person names other deleted issues by id. */
function deletedHere({ issues, writes: { done } }: State): readonly string[] {
  const deleted = done.flatMap(({ write, state, before }) =>
    write.act === "delete" && state === "done" && !issues.has(write.at.uid)
      ? [`${write.at.name}  ${before?.title ?? ""}`]
      : [],
  );
  return [...new Set(deleted)];
}

function restoreRef(state: State, text: string): Step {
  const name = text.split(" ", 1)[0] ?? "";
  const [first = "", second] = name.split("#");
  const project = second === undefined ? state.projects.scope.project?.name : first;
  const project_id = state.projects.all.find((known) => known.name === project)?.id;
  if (project_id === undefined)
    return hint(state, `which issue is it? Name it as project#id: ${name} names no project`);
  const ref = second ?? first;
  return sendWrites(state, [
    { act: "restore", at: { uid: ref, project_id, ref, name: `${project}#${ref}` } },
  ]);
}

/**
 * Each command once, from the nearest scope, and the palette's own entries. The result is remembered while the person
 * only types text.
 */
export function entriesOf(state: State): readonly Entry[] {
  return state.memo.last(makeEntries, behindDialog(state));
}

/** The state without the parts that change with each letter that is typed into a dialog. */
function behindDialog(state: State): State {
  return { ...closed(state), now: minuteOf(state.now) };
}

function makeEntries(state: State): readonly Entry[] {
  const commands = commandStateOf(state).map(
    ({ row: { command, keys, label, also }, isHere, why }): Entry => ({
      name: NAMES[command] ?? command,
      keys,
      label,
      also,
      why,
      argument: isHere ? asking(command) : undefined,
      run: (now) => runCommand(now, command),
    }),
  );
  const names = new Set<string>();
  // A command and an entry of `MORE` may have the same name. Without an argument the name means the command (`open`
  // opens the issue under the cursor), with an argument the entry (`open abc4`), so both are kept.
  return [...commands, ...MORE].filter(({ name, argument, why }) => {
    const isMore = argument !== undefined && MORE.some((one) => one.argument === argument);
    const key = isMore ? `${name} ...` : name;
    if (names.has(key) || (why !== undefined && names.has(name))) return false;
    names.add(key);
    return true;
  });
}

function asking(command: Command): Argument | undefined {
  const what = ASKING[command];
  if (what === undefined) return undefined;
  return {
    what,
    choices: (state, text) => {
      const dialog = askedBy(state, command);
      return dialog?.dialog === "prompt" ? suggestions({ ...dialog, field: fieldOf(text) }) : [];
    },
    run: (state, text) => answered(runCommand(closed(state), command), text),
  };
}

/** The dialog that the command would open. The result is remembered while the person only types text. */
function askedBy(state: State, command: Command): State["dialog"] {
  return state.memo.last(asked, { ...behindDialog(state), command });
}

function asked({ command, ...state }: State & { readonly command: Command }): State["dialog"] {
  return runCommand(state, command).state.dialog;
}

/**
 * Types the text into the dialog of the command and confirms it. A dialog that waits for one key receives the text as
 * that key.
 */
function answered(asked: Step, text: string): Step {
  const { dialog } = asked.state;
  if (dialog?.dialog === "prompt") {
    const { state } = typedPrompt(asked.state, dialog, fieldOf(text));
    return state.dialog === undefined ? asked : onDialogKey(state, state.dialog, "enter");
  }
  if (dialog !== undefined && dialog.dialog !== "menu")
    return onDialogKey(asked.state, dialog, text);
  return asked;
}
