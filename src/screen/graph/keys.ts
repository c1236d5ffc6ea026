import type { KeyTable } from "../keys.ts";

export const GRAPH_KEYS = {
  everywhere: {
    "graph-screen": { keys: ["3"], label: "graph", name: "graph" },
  },
  graph: {
    "graph-open": { keys: ["enter"], label: "open the issue", word: "enter open" },
    "graph-fold": {
      keys: ["left", "right"],
      label: "fold or show what is below",
      word: "left/right fold",
    },
    "graph-root": { keys: ["R"], label: "make this issue the source", word: "R re-root" },
    "graph-less": { keys: ["["], label: "fewer links away" },
    "graph-more": { keys: ["]"], label: "more links away, then all", word: "[ ] depth" },
    "graph-done": { keys: ["H"], label: "hide or show closed issues", word: "H done" },
    "graph-transitive": {
      keys: ["T"],
      label: "show links that others imply",
      word: "T transitive",
    },
    "graph-chain": {
      keys: ["C"],
      label: "the longest chain of open blockers",
      word: "C chain",
      also: "critical path",
    },
  },
} as const satisfies KeyTable;

declare module "../keys.ts" {
  interface KeyTables {
    readonly graph: typeof GRAPH_KEYS;
  }
}
