import { type Command, KEYS, type KeyRow, type KeyScope } from "../keys.ts";
import { redo, send, undo } from "./acts.ts";
import {
  boardHeight,
  boardRows,
  chosen,
  cursorIndex,
  fold,
  foldAll,
  foldOrLeave,
  keepingCursor,
  markRange,
  moveBy,
  moveTo,
  nextOrder,
  nextStatus,
  setQuery,
  shownIssue,
  toggleMark,
  withBoard,
} from "./board.ts";
import { cronIssue, moveInCron, ofJob, openCron, toTab } from "./cron.ts";
import {
  back,
  detailUid,
  isSplit,
  loadDetail,
  needsIssue,
  nextSection,
  openIssue,
} from "./detail.ts";
import { fieldOf } from "./field.ts";
import { closeForm, commentForm, datesForm, editForm, newForm } from "./forms.ts";
import { graphRows, loadGraph, openGraph } from "./graph.ts";
import { clearRequest, loadInbox, moveInInbox, requestUnderCursor, whyNoRequest } from "./inbox.ts";
import type { Issue } from "./issues.ts";
import { confirmDelete, named, sendOrAsk } from "./sheets.ts";
import { EMPTY_CRON, type GraphState, type PromptKind, type Screen, type State } from "./state.ts";
import { hint, type Step, say, step } from "./step.ts";
import { atOf, type Write } from "./writes.ts";

interface Doing {
  run(state: State): Step;
  /** Why it cannot be done now. */
  why?(state: State): string | undefined;
}

/** The scopes in which a key is looked up now, the nearest first. */
export function scopesOf(state: State): readonly KeyScope[] {
  const inDetail = state.open.length > 0 || state.focus === "detail";
  if (inDetail) return ["detail", "issue", "everywhere"];
  switch (state.screen) {
    case "board":
      return ["list", "issue", "everywhere"];
    case "cron":
      return ["cron", "everywhere"];
    case "inbox":
      return ["inbox", "issue", "everywhere"];
    case "graph":
      return ["graph", "issue", "everywhere"];
    case "projects":
      return ["projects", "everywhere"];
    case "fleet":
      return ["fleet", "issue", "everywhere"];
  }
}

export function rowOfKey(
  state: State,
  key: string,
): (KeyRow & { readonly command: Command }) | undefined {
  for (const scope of scopesOf(state)) {
    const row = KEYS.find((one) => one.scope === scope && one.keys.includes(key));
    if (row !== undefined) return row;
  }
  return undefined;
}

export function whyNot(state: State, command: Command): string | undefined {
  return DOING[command].why?.(state);
}

export function runCommand(state: State, command: Command): Step {
  const why = whyNot(state, command);
  return why === undefined ? DOING[command].run(state) : hint(state, why);
}

const to = (next: (state: State) => State): Doing => ({ run: (state) => step(next(state)) });

/** A command on what is chosen: the marked issues, or the one in view. */
const onChosen = (run: (state: State, issues: readonly Issue[]) => Step): Doing => ({
  run: (state) => run(state, chosen(state)),
  why: needsIssue,
});

const onOne = (run: (state: State, issue: Issue) => Step): Doing => ({
  run: (state) => {
    const uid = shownIssue(state);
    const issue = uid === undefined ? undefined : state.issues.get(uid);
    return issue === undefined ? step(state) : run(state, issue);
  },
  why: needsIssue,
});

const toScreen = (screen: Screen): Doing => ({
  run: (state) => step({ ...state, screen, open: [], focus: "list", scroll: 0 }),
});

const prompt = (
  kind: PromptKind,
  label: string,
  choices: (state: State) => readonly string[],
): Doing =>
  onChosen((state, issues) => {
    const uids = issues.map(({ uid }) => uid);
    const about = issues.length === 1 ? (issues[0]?.qualified_id ?? "") : `${issues.length} issues`;
    return step({
      ...state,
      sheet: {
        sheet: "prompt",
        kind,
        label: `${label} ${about}`,
        field: fieldOf(""),
        uids,
        before: "",
        choices: choices(state),
      },
    });
  });

const acting = (write: (issue: Issue, state: State) => Write | undefined, nothing: string): Doing =>
  onChosen((state, issues) => {
    const writes = issues.flatMap((issue) => write(issue, state) ?? []);
    if (writes.length === 0) return hint(state, nothing);
    return sendOrAsk(state, writes, `change ${writes.length} issues?`);
  });

const inGraph = (change: (graph: GraphState, state: State) => GraphState, load = false): Doing => ({
  run: (state) => {
    if (state.graph === undefined) return step(state);
    const graph = change(state.graph, state);
    const next = { ...state, graph };
    return load ? loadGraph(next, graph) : step(next);
  },
});

const graphMove = (by: number): Doing =>
  inGraph((graph, state) => {
    const count = graphRows(state).length;
    return { ...graph, cursor: Math.max(0, Math.min(graph.cursor + by, count - 1)) };
  });

const clamp = (at: number, count: number): number => Math.max(0, Math.min(at, count - 1));

function sorted(values: Iterable<string>): readonly string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
}

const labelsOf = ({ issues }: State): readonly string[] =>
  sorted([...issues.values()].flatMap(({ labels }) => labels));
const ownersOf = ({ issues }: State): readonly string[] =>
  sorted([...issues.values()].flatMap(({ owner }) => owner ?? []));
const refsOf = (state: State): readonly string[] =>
  boardRows({ ...state, board: { ...state.board, query: "status:all", flat: true } }).map(
    ({ issue }) => `${issue.qualified_id}  ${issue.title}`,
  );
const filterWords = (state: State): readonly string[] => [
  ...["open", "ready", "blocked", "closed", "all"].map((status) => `status:${status}`),
  "owner:none",
  ...ownersOf(state).map((owner) => `owner:${owner}`),
  ...labelsOf(state).flatMap((label) => [`label:${label}`, `-label:${label}`]),
  "p<=1",
];

const DEPTHS = [1, 2, 3, 4, 6, 8, "full"] as const;

function depthBy(depth: GraphState["depth"], by: 1 | -1): GraphState["depth"] {
  const at = DEPTHS.findIndex((known) => known === depth);
  return DEPTHS[clamp((at === -1 ? 1 : at) + by, DEPTHS.length)] ?? "full";
}

const DOING: Readonly<Record<Command, Doing>> = {
  down: to((state) => moveBy(state, 1)),
  up: to((state) => moveBy(state, -1)),
  "page-down": to((state) => moveBy(state, boardHeight(state) - 1)),
  "page-up": to((state) => moveBy(state, 1 - boardHeight(state))),
  first: to((state) => moveTo(state, 0)),
  last: to((state) => moveTo(state, boardRows(state).length - 1)),
  open: { run: (state) => openIssue(state, state.board.cursor), why: needsIssue },
  mark: { ...to(toggleMark), why: needsIssue },
  "mark-range": { ...to(markRange), why: needsIssue },
  filter: {
    run: (state) => {
      const { query } = state.board;
      const text = query === "" || query.endsWith(" ") ? query : `${query} `;
      const choices = filterWords(state);
      return step({
        ...state,
        sheet: {
          sheet: "prompt",
          kind: "filter",
          label: "filter",
          field: fieldOf(text),
          uids: [],
          before: query,
          choices,
        },
      });
    },
  },
  "next-status": to(nextStatus),
  "clear-filter": {
    ...to((state) => setQuery(state, "status:open")),
    why: ({ board }) => (board.query === "status:open" ? "no filter is set" : undefined),
  },
  flat: to((state) => keepingCursor(state, (now) => withBoard(now, { flat: !now.board.flat }))),
  "next-order": to(nextOrder),
  unfold: to((state) => {
    const row = boardRows(state)[cursorIndex(state)];
    return row?.fold === "folded" ? fold(state, row.issue.uid, false) : state;
  }),
  fold: to(foldOrLeave),
  "fold-all": to(foldAll),

  "graph-down": graphMove(1),
  "graph-up": graphMove(-1),
  "graph-open": {
    run: (state) => openIssue(state, graphRows(state)[state.graph?.cursor ?? 0]?.uid),
  },
  "graph-fold": inGraph((graph, state) => {
    const row = graphRows(state)[graph.cursor];
    if (row?.uid === undefined || !row.parent) return graph;
    const folded = new Set(graph.folded);
    if (!folded.delete(row.uid)) folded.add(row.uid);
    return { ...graph, folded };
  }),
  "graph-root": {
    run: (state) => openGraph(state, graphRows(state)[state.graph?.cursor ?? 0]?.uid),
  },
  "graph-less": inGraph((graph) => ({ ...graph, depth: depthBy(graph.depth, -1) }), true),
  "graph-more": inGraph((graph) => ({ ...graph, depth: depthBy(graph.depth, 1) }), true),
  "graph-done": inGraph((graph) => ({ ...graph, hideDone: !graph.hideDone }), true),
  "graph-transitive": inGraph((graph) => ({ ...graph, transitive: !graph.transitive, cursor: 0 })),
  "graph-chain": inGraph((graph) => ({ ...graph, showChain: !graph.showChain, cursor: 0 }), true),

  "inbox-down": to((state) => moveInInbox(state, 1)),
  "inbox-up": to((state) => moveInInbox(state, -1)),
  "inbox-open": {
    run: (state) => openIssue(state, requestUnderCursor(state)?.issue_uid),
    why: whyNoRequest,
  },
  "inbox-clear": {
    run: (state) => {
      const write = clearRequest(state);
      return write === undefined ? step(state) : send(state, [write]);
    },
    why: whyNoRequest,
  },
  "inbox-address": {
    run: (state) => {
      const { address } = state.inbox;
      const choices = [state.actor, ...ownersOf(state)];
      return step({
        ...state,
        sheet: {
          sheet: "prompt",
          kind: "address",
          label: "requests for",
          field: fieldOf(address),
          uids: [],
          before: address,
          choices: [...new Set(choices)],
        },
      });
    },
  },

  "cron-down": { run: (state) => moveInCron(state, 1) },
  "cron-up": { run: (state) => moveInCron(state, -1) },
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

  "project-down": to((state) => {
    return { ...state, projectCursor: clamp(state.projectCursor + 1, state.projects.length + 1) };
  }),
  "project-up": to((state) => ({ ...state, projectCursor: Math.max(0, state.projectCursor - 1) })),
  "project-choose": {
    run: (state) => {
      const project = state.projects[state.projectCursor - 1];
      const serial = state.serial + 1;
      const next: State = {
        ...state,
        serial,
        scopeSerial: serial,
        scope: { project },
        screen: "board",
        issues: new Map(),
        loading: "first",
        open: [],
        graph: undefined,
        cron: EMPTY_CRON,
      };
      const board = { ...next.board, cursor: undefined, line: 0, marks: new Set<string>() };
      return step({ ...next, board }, { effect: "load-issues", project_id: project?.id, serial });
    },
  },

  "fleet-down": to((state) => {
    return { ...state, fleetCursor: clamp(state.fleetCursor + 1, state.fleet.length) };
  }),
  "fleet-up": to((state) => ({ ...state, fleetCursor: Math.max(0, state.fleetCursor - 1) })),
  "fleet-open": { run: (state) => openIssue(state, shownIssue(state)), why: needsIssue },
  "fleet-release": onOne((state, issue) => {
    const reason = `released by ${state.actor} from the board`;
    const writes: readonly Write[] = [{ act: "release", at: atOf(issue), reason }];
    const text = `release the lease of ${named([issue])}`;
    return step({
      ...state,
      sheet: { sheet: "type", text, expected: issue.qualified_id, field: fieldOf(""), writes },
    });
  }),
  "fleet-steal": onOne((state, issue) => {
    const writes: readonly Write[] = [{ act: "steal", at: atOf(issue) }];
    const text = `take over ${named([issue])}`;
    return step({
      ...state,
      sheet: { sheet: "type", text, expected: issue.qualified_id, field: fieldOf(""), writes },
    });
  }),

  "scroll-down": to((state) => ({ ...state, scroll: state.scroll + 1 })),
  "scroll-up": to((state) => ({ ...state, scroll: Math.max(0, state.scroll - 1) })),
  "scroll-page": to((state) => ({ ...state, scroll: state.scroll + boardHeight(state) - 1 })),
  "scroll-page-up": to((state) => {
    return { ...state, scroll: Math.max(0, state.scroll - boardHeight(state) + 1) };
  }),
  "scroll-top": to((state) => ({ ...state, scroll: 0 })),
  "next-section": to((state) => nextSection(state, 1)),
  "previous-section": to((state) => nextSection(state, -1)),
  comment: onOne((state, issue) => {
    const serial = state.serial + 1;
    return step({ ...state, serial, sheet: commentForm(issue, keyOf(state, serial)) });
  }),

  new: {
    run: (state) => {
      const serial = state.serial + 1;
      return step({ ...state, serial, sheet: newForm(state, undefined, keyOf(state, serial)) });
    },
    why: ({ projects, scope }) =>
      projects.length === 0 && scope.project === undefined ? "there is no project yet" : undefined,
  },
  "new-child": onOne((state, issue) => {
    const serial = state.serial + 1;
    return step({ ...state, serial, sheet: newForm(state, issue, keyOf(state, serial)) });
  }),
  close: onChosen((state, issues) => {
    const open = issues.filter(({ status }) => status === "open");
    if (open.length === 0) return hint(state, "it is closed already");
    if (!state.quickClose) return closeWith(state, open);
    const writes = open.map((issue): Write => {
      return {
        act: "close",
        at: atOf(issue),
        reason: undefined,
        message: undefined,
        evidence: undefined,
      };
    });
    return sendOrAsk(state, writes, `close ${writes.length} issues?`);
  }),
  "close-with": onChosen((state, issues) => {
    const open = issues.filter(({ status }) => status === "open");
    return open.length === 0 ? hint(state, "it is closed already") : closeWith(state, open);
  }),
  reopen: acting(
    (issue) => (issue.status === "closed" ? { act: "reopen", at: atOf(issue) } : undefined),
    "it is open already",
  ),
  edit: onOne((state, issue) => step({ ...state, sheet: editForm(issue) })),
  "add-label": prompt("add-label", "add a label to", labelsOf),
  "remove-label": prompt("remove-label", "take a label off", (state) =>
    sorted(chosen(state).flatMap(({ labels }) => labels)),
  ),
  assign: prompt("owner", "owner (empty is you) of", ownersOf),
  unassign: acting(
    (issue) => (issue.owner === undefined ? undefined : { act: "unassign", at: atOf(issue) }),
    "nobody owns it",
  ),
  priority: onChosen((state, issues) => {
    return step({ ...state, sheet: { sheet: "priority", uids: issues.map(({ uid }) => uid) } });
  }),
  "set-parent": prompt("parent", "parent of", refsOf),
  "add-blocker": prompt("blocker", "what must be done before", refsOf),
  "add-related": prompt("related", "related to", refsOf),
  dates: onOne((state, issue) => step({ ...state, sheet: datesForm(issue) })),
  move: prompt("move", "project for", ({ projects }) => projects.map(({ name }) => name)),
  notify: prompt("recipient", "who should look at", ownersOf),
  delete: { run: confirmDelete, why: needsIssue },
  graph: { run: (state) => openGraph(state, shownIssue(state)), why: needsIssue },
  copy: onOne((state, issue) => {
    const said = say(state, `copied ${issue.qualified_id}`);
    return { ...said, effects: [...said.effects, { effect: "copy", text: issue.qualified_id }] };
  }),

  board: toScreen("board"),
  cron: { run: openCron },
  inbox: {
    run: (state) => step({ ...state, screen: "inbox", open: [], focus: "list" }, loadInbox(state)),
  },
  "graph-screen": {
    run: (state) =>
      state.graph === undefined
        ? openGraph(state, shownIssue(state))
        : step({ ...state, screen: "graph", open: [], focus: "list" }),
    why: (state) => (state.graph === undefined ? needsIssue(state) : undefined),
  },
  projects: {
    run: (state) =>
      step({ ...state, screen: "projects", open: [], focus: "list" }, { effect: "load-projects" }),
  },
  fleet: {
    run: (state) => {
      const issues = [...state.issues.values()]
        .filter(({ status, owner }) => status === "open" && owner !== undefined)
        .map(({ uid, project_id, short_id, owner, updated_at }) => {
          return { uid, project_id, ref: short_id, owner, since: updated_at };
        });
      const next: State = { ...state, screen: "fleet", open: [], focus: "list" };
      return step(next, { effect: "load-fleet", issues });
    },
  },
  "next-pane": {
    run: (state) => step({ ...state, focus: state.focus === "list" ? "detail" : "list" }),
    why: (state) => (isSplit(state) ? undefined : "there is one pane only"),
  },
  stack: to((state) => ({ ...state, stacked: !state.stacked, focus: "list" })),
  undo: { run: undo },
  redo: { run: redo },
  writes: to((state) => ({ ...state, sheet: { sheet: "list", kind: "writes", at: 0 } })),
  messages: to((state) => ({ ...state, sheet: { sheet: "list", kind: "messages", at: 0 } })),
  back: { run: back },
  reload: { run: reload },
  repaint: { run: (state) => step(state, { effect: "repaint" }) },
  suspend: { run: (state) => step(state, { effect: "suspend" }) },
  palette: to((state) => {
    return { ...state, sheet: { sheet: "menu", kind: "palette", field: fieldOf(""), at: 0 } };
  }),
  help: to((state) => {
    return { ...state, sheet: { sheet: "menu", kind: "help", field: fieldOf(""), at: 0 } };
  }),
  quit: {
    run: (state) =>
      state.confirmQuit || state.done.some((one) => one.state === "pending")
        ? step({ ...state, sheet: { sheet: "quit" } })
        : step(state, { effect: "quit" }),
  },
  "quit-now": { run: (state) => step(state, { effect: "quit" }) },
};

/** Reads everything again that is shown. */
export function reload(state: State): Step {
  const serial = state.serial + 1;
  const next = { ...state, serial, scopeSerial: serial };
  const uid = detailUid(state);
  const issues = { effect: "load-issues", project_id: state.scope.project?.id, serial } as const;
  const detail = uid === undefined ? [] : [loadDetail(next, uid, true)];
  return step(next, { effect: "load-projects" }, issues, loadInbox(next), ...detail);
}

function closeWith(state: State, issues: readonly Issue[]): Step {
  const serial = state.serial + 1;
  return step({ ...state, serial, sheet: closeForm(issues, keyOf(state, serial)) });
}

/** One for each form that was opened, so that saving twice makes one thing. */
function keyOf(state: State, serial: number): string {
  return `tui-${state.session}-${serial}`;
}
