import type { Glyphs } from "./glyphs.ts";
import type { KeyScope } from "./keys.ts";

/** The meaning of a sign, and the scopes that show it. With `glyph`, a setting decides how the sign is drawn. */
export interface Sign {
  readonly on: readonly KeyScope[];
  readonly text: string;
  readonly glyph?: keyof Glyphs;
  readonly label: string;
}

const LISTS: readonly KeyScope[] = [
  "list",
  "inbox",
  "graph",
  "cron",
  "projects",
  "fleet",
  "browse",
];
const BOARD: readonly KeyScope[] = ["list"];
const CHANGED: readonly KeyScope[] = ["list", "cron"];
const STATES: readonly KeyScope[] = ["list", "graph", "detail"];

/** The only table of signs: help and docs/tui.md come from it. */
export const SIGNS: readonly Sign[] = [
  { on: LISTS, text: ">", glyph: "cursor", label: "the cursor: what a key acts on" },
  { on: BOARD, text: "*", glyph: "marked", label: "marked: a command acts on all that are" },
  { on: CHANGED, text: "%", glyph: "pending", label: "a change is on its way to the daemon" },
  { on: CHANGED, text: "!", glyph: "failed", label: "a change was refused: M shows why" },
  { on: STATES, text: "o", glyph: "open", label: "open and ready: nothing holds it back" },
  { on: STATES, text: "b", glyph: "blocked", label: "open, and blocked by another issue" },
  {
    on: STATES,
    text: "w",
    glyph: "waiting",
    label: "waits: parked, for its day, or for its children",
  },
  { on: STATES, text: "x", glyph: "closed", label: "closed" },
  {
    on: BOARD,
    text: "~",
    glyph: "context",
    label: "does not match: shown for what is below it",
  },
  { on: BOARD, text: "+", glyph: "folded", label: "its children are hidden: right shows them" },
  { on: BOARD, text: "-", glyph: "unfolded", label: "its children follow: left hides them" },
  { on: BOARD, text: "(1/6)", label: "of six children one is closed" },
  { on: STATES, text: "P0 P4", label: "the highest and the lowest priority" },
  { on: BOARD, text: "bold", label: "another hand changed it just now" },
  {
    on: ["list", "detail", "inbox", "graph", "cron", "projects", "fleet"],
    text: "~ at an end",
    label: "the text goes on; the open issue has all of it",
  },
  { on: ["graph"], text: "(seen above)", label: "what it is linked to stands where it came first" },
  {
    on: ["graph"],
    text: "-blocks->",
    label: "the issue that it hangs on blocks the one on this line",
  },
  { on: ["graph"], text: "unresolved", label: "links to what cannot be read from here" },
  { on: ["fleet"], text: "z", glyph: "silent", label: "silent for long" },
  { on: ["fleet"], text: "held", label: "a lease that ends when it is released" },
  { on: ["cron"], text: "R", label: "the run is running" },
  { on: ["cron"], text: "S", label: "the run succeeded" },
  { on: ["cron"], text: "F", label: "the run failed" },
  { on: ["cron"], text: "C", label: "the run was cancelled" },
  { on: ["cron"], text: "?", label: "how the run ended is not known" },
  { on: ["everywhere"], text: "Inbox(3)", label: "so many requests wait for you" },
];
