import { sendWrites } from "../answers/answered.ts";
import { toOrder, toView } from "../board/board.ts";
import { GROUPED_VIEWS, type GroupedView } from "../board/state.ts";
import { removeView, showView } from "../board/views.ts";
import { whyNot } from "../commands.ts";
import { changeDaemon } from "../daemons/daemons.ts";
import { openIssue } from "../detail/detail.ts";
import { draftsHere, offerDrafts } from "../forms/drafts.ts";
import { projectNames, refsOf } from "../issues/choices.ts";
import { oldIdsOf } from "../issues/old-ids.ts";
import { ORDERS, SORTS } from "../issues/sort.ts";
import { hint, say } from "../messages/messages.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { type Argument, type Entry, withPalette } from "./entry.ts";

const ALL_PROJECTS = "all projects";
const UNGROUPED = "none";

/** Entries that only the palette has, most of them with an argument. */
export const OWN_ENTRIES: readonly Entry[] = [
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
  entry("group", "group the list of the board", {
    what: "what by",
    choices: () => [...GROUPED_VIEWS.map(groupingOf), UNGROUPED],
    run: (state, text) => {
      const view = GROUPED_VIEWS.find((known) => groupingOf(known) === text);
      if (view === undefined && text !== UNGROUPED)
        return hint(state, `the list is grouped by ${GROUPED_VIEWS.map(groupingOf).join(", ")}`);
      return step(toView(toScreen(state, "board"), view ?? "flat"));
    },
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

function groupingOf(view: GroupedView): string {
  return view.slice("by-".length);
}

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
