import { GO_TO_BOARD } from "../empty-text.ts";
import { uidIn } from "../issues/issue-address.ts";
import type { LiveEvent } from "../message.ts";
import { cursorIn, type ScreenRecord } from "../screen.ts";
import { CURSOR, CUT, PRIORITY, STATES } from "../signs.ts";
import type { State } from "../state.ts";
import { step } from "../step.ts";
import { GRAPH_COMMANDS } from "./commands.ts";
import { emptyGraph } from "./empty.ts";
import {
  backInGraph,
  graphIssue,
  graphReads,
  graphRows,
  showGraph,
  sourcesBefore,
  touchesGraph,
} from "./graph.ts";
import { GRAPH_KEYS } from "./keys.ts";
import { graphReducer } from "./reducer.ts";

declare module "../place/place.ts" {
  interface ScreenPlaces {
    /** The uid of the issue whose graph is shown. */
    readonly graph: { readonly source: string | undefined };
  }
}

/** A read waits this long after an event, so that a burst of events causes one read. */
const AFTER_EVENT_MS = 500;

/**
 * Shows one issue, the source, with the issues that are linked with it. With `showChain`, shows instead the longest
 * chain of open blockers that ends in the source.
 */
export const GRAPH: ScreenRecord<"graph"> = {
  name: "graph",
  initial: () => undefined,

  keys: GRAPH_KEYS,
  help: { graph: { where: "in the graph", heading: "Graph" } },
  signs: {
    graph: [
      CURSOR,
      ...STATES,
      PRIORITY,
      CUT,
      { text: "(seen above)", label: "what it is linked to stands where it came first" },
      { text: "-blocks->", label: "the issue that it hangs on blocks the one on this line" },
      { text: "unresolved", label: "links to what cannot be read from here" },
    ],
  },
  shownBy: "graph-screen",
  opensBy: "graph-open",
  commands: GRAPH_COMMANDS,
  scopes: [["graph", "lines", "issue", "everywhere"]],
  prompts: undefined,
  forms: undefined,
  targets: undefined,

  rows: {
    ...cursorIn("graph"),
    count: (state) => graphRows(state).length,
    issues: (state) => graphRows(state).map(({ uid }) => uid),
    isRead: ({ graph }) =>
      graph === undefined || graph.data !== undefined || graph.error !== undefined,
  },
  issueUnderCursor: graphIssue,
  issueBeside: (state) => (state.fit.isWide(state) ? graphIssue(state) : undefined),

  empty: emptyGraph,
  emptyActs: () => [GO_TO_BOARD],

  reducer: graphReducer,
  reads: (state) =>
    state.screen === "graph" && state.graph !== undefined ? graphReads(state, state.graph) : [],
  readsAfterEvents,
  withoutProject: (state) => ({ ...state, graph: undefined }),

  back: backInGraph,
  address: {
    fields: {
      source: {
        parameter: "source",
        usual: undefined,
        parse: (text, screen) => (screen === "graph" ? uidIn(text) : undefined),
        // An address without an issue leads to the graph that was shown last. The address then gets the issue of that
        // graph, and the place stays the same.
        leadsElsewhere: (from, to) => from !== undefined && from !== to,
      },
    },
    firstIssue: ({ graph }) => graph?.source,
    of: ({ screen, graph }) => (screen === "graph" ? { source: graph?.source } : {}),
    show: (state, { source }) => {
      if (source === undefined) return undefined;
      return state.screen === "graph" && state.graph?.source === source
        ? step(state)
        : showGraph(state, source, sourcesBefore(state, source));
    },
  },
};

function readsAfterEvents(state: State, events: readonly LiveEvent[]) {
  const { graph } = state;
  const uids = events.flatMap((event) => event.uids);
  if (graph === undefined || !touchesGraph(state, uids)) return [];
  return graphReads(state, graph, AFTER_EVENT_MS);
}
