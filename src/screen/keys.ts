/** Where a key means something. The first scope that knows a key decides. */
export type KeyScope =
  | "graph"
  | "cron"
  | "inbox"
  | "lines"
  | "projects"
  | "fleet"
  | "detail"
  | "lanes"
  | "list"
  | "browse"
  | "issue"
  | "everywhere";

/**
 * One line of help. `word` stands in the footer, most used first; what has none is in help and palette only. `also` is
 * what people call it elsewhere, on the command line and on the screen: found in help and palette, and never shown.
 */
export interface KeyRow {
  readonly scope: KeyScope;
  readonly keys: readonly string[];
  readonly command: string;
  readonly label: string;
  readonly word?: string;
  readonly also?: string;
}

/**
 * The scopes in which a key is looked up, the nearest first: on each screen, in the lanes of the board, in the pane of
 * views and facets beside it, in an issue, and on a page over the rows.
 */
export const SCOPES = {
  board: ["list", "issue", "everywhere"],
  lanes: ["lanes", "list", "issue", "everywhere"],
  browse: ["browse", "lines", "everywhere"],
  detail: ["detail", "issue", "everywhere"],
  inbox: ["inbox", "lines", "issue", "everywhere"],
  graph: ["graph", "lines", "issue", "everywhere"],
  cron: ["cron", "lines", "everywhere"],
  page: ["lines", "everywhere"],
  projects: ["projects", "lines", "everywhere"],
  fleet: ["fleet", "lines", "issue", "everywhere"],
} as const satisfies Readonly<Record<string, readonly KeyScope[]>>;

/** The only table of keys: what is typed, the footer, help and palette all read it. */
const TABLE = [
  {
    scope: "lanes",
    keys: ["left"],
    command: "lane-left",
    label: "to the lane on the left",
    word: "left/right lane",
  },
  { scope: "lanes", keys: ["right"], command: "lane-right", label: "to the lane on the right" },
  {
    scope: "lanes",
    keys: [">", "shift+right"],
    command: "carry-right",
    label: "carry to the right: to the next owner, or close",
    word: "< > carry",
  },
  {
    scope: "lanes",
    keys: ["<", "shift+left"],
    command: "carry-left",
    label: "carry to the left: to the owner before, or reopen",
  },

  {
    scope: "list",
    keys: ["j", "down", "ctrl+n"],
    command: "down",
    label: "one line down",
    word: "j/k move",
  },
  { scope: "list", keys: ["k", "up"], command: "up", label: "one line up" },
  {
    scope: "list",
    keys: ["pgdn", "ctrl+d", "ctrl+v"],
    command: "page-down",
    label: "one page down",
  },
  { scope: "list", keys: ["pgup", "ctrl+u", "alt+v"], command: "page-up", label: "one page up" },
  { scope: "list", keys: ["g", "home", "alt+<"], command: "first", label: "first line" },
  { scope: "list", keys: ["G", "end", "alt+>"], command: "last", label: "last line" },
  { scope: "list", keys: ["enter"], command: "open", label: "open the issue", word: "enter open" },
  {
    scope: "list",
    keys: ["space"],
    command: "mark",
    label: "mark, and act on all that are marked",
    word: "space mark",
  },
  {
    scope: "list",
    keys: ["V"],
    command: "mark-range",
    label: "mark from the last mark to here",
    word: "V range",
  },
  {
    scope: "list",
    keys: ["/"],
    command: "filter",
    label: "filter as you type",
    word: "/ filter",
    also: "find",
  },
  { scope: "list", keys: ["f"], command: "filter-form", label: "filter with a form" },
  {
    scope: "list",
    keys: ["ctrl+f"],
    command: "search",
    label: "search the daemon, also in comments",
    also: "find",
  },
  { scope: "list", keys: ["w"], command: "save-view", label: "save the filter as a view" },
  {
    scope: "list",
    keys: ["s"],
    command: "next-status",
    label: "show open, ready, blocked, waiting, closed, all",
    word: "s status",
  },
  { scope: "list", keys: ["c"], command: "clear-filter", label: "clear the filter" },
  {
    scope: "list",
    keys: ["v"],
    command: "next-view",
    label: "nested, flat, lanes by state, lanes by owner",
    word: "v view",
  },
  {
    scope: "list",
    keys: ["o"],
    command: "next-order",
    label: "order by change, creation, priority, blockers",
    word: "o order",
  },
  { scope: "list", keys: ["right"], command: "unfold", label: "show children" },
  { scope: "list", keys: ["left"], command: "fold", label: "hide children, or go to the parent" },
  { scope: "list", keys: ["E"], command: "fold-all", label: "fold or show all children" },

  {
    scope: "browse",
    keys: ["enter", "space"],
    command: "browse-apply",
    label: "show it, or put it into the filter",
    word: "enter choose",
  },
  {
    scope: "browse",
    keys: ["delete"],
    command: "remove-view",
    label: "remove the saved view",
    word: "delete remove",
  },

  {
    scope: "graph",
    keys: ["enter"],
    command: "graph-open",
    label: "open the issue",
    word: "enter open",
  },
  {
    scope: "graph",
    keys: ["left", "right"],
    command: "graph-fold",
    label: "fold or show what is below",
    word: "left/right fold",
  },
  {
    scope: "graph",
    keys: ["R"],
    command: "graph-root",
    label: "make this issue the source",
    word: "R re-root",
  },
  { scope: "graph", keys: ["["], command: "graph-less", label: "fewer links away" },
  {
    scope: "graph",
    keys: ["]"],
    command: "graph-more",
    label: "more links away, then all",
    word: "[ ] depth",
  },
  {
    scope: "graph",
    keys: ["H"],
    command: "graph-done",
    label: "hide or show closed issues",
    word: "H done",
  },
  {
    scope: "graph",
    keys: ["T"],
    command: "graph-transitive",
    label: "show links that others imply",
    word: "T transitive",
  },
  {
    scope: "graph",
    keys: ["C"],
    command: "graph-chain",
    label: "the longest chain of open blockers",
    word: "C chain",
    also: "critical path",
  },

  {
    scope: "inbox",
    keys: ["enter"],
    command: "inbox-open",
    label: "open the issue",
    word: "enter open",
  },
  {
    scope: "inbox",
    keys: ["c"],
    command: "inbox-clear",
    label: "clear the request: it was handled",
    word: "c clear",
  },
  {
    scope: "inbox",
    keys: ["C"],
    command: "inbox-answer",
    label: "comment, and clear the request",
    word: "C clear+comment",
  },
  {
    scope: "inbox",
    keys: ["space"],
    command: "inbox-mark",
    label: "mark, and act on all that are marked",
    word: "space mark",
  },
  {
    scope: "inbox",
    keys: ["A"],
    command: "inbox-all",
    label: "this address, or all of mine",
    word: "A addresses",
  },
  {
    scope: "inbox",
    keys: ["/"],
    command: "inbox-address",
    label: "read another address",
    word: "/ address",
  },

  {
    scope: "cron",
    keys: ["tab"],
    command: "cron-next-tab",
    label: "runs, jobs, workflows, ledger, preview",
    word: "tab next tab",
  },
  { scope: "cron", keys: ["shift+tab"], command: "cron-previous-tab", label: "the tab before" },
  {
    scope: "cron",
    keys: ["enter"],
    command: "cron-open",
    label: "open a run's issue, or the ledger of a job",
    word: "enter open",
  },
  {
    scope: "cron",
    keys: ["p"],
    command: "cron-preview",
    label: "when a job comes next",
    word: "p preview",
  },
  {
    scope: "cron",
    keys: ["T"],
    command: "cron-turn",
    label: "turn a job on or off",
    word: "T on/off",
    also: "pause disable enable",
  },
  {
    scope: "cron",
    keys: ["d"],
    command: "cron-versions",
    label: "the definition as the run had it, or as it is",
    word: "d definition",
  },

  {
    scope: "lines",
    keys: ["j", "down"],
    command: "next-line",
    label: "one line down; at the end, what is older",
    word: "j/k move",
  },
  { scope: "lines", keys: ["k", "up"], command: "previous-line", label: "one line up" },
  { scope: "lines", keys: ["pgdn", "ctrl+d"], command: "next-page", label: "one page down" },
  { scope: "lines", keys: ["pgup", "ctrl+u"], command: "previous-page", label: "one page up" },
  { scope: "lines", keys: ["g", "home"], command: "first-line", label: "to the first line" },
  { scope: "lines", keys: ["G", "end"], command: "last-line", label: "to the last line" },

  {
    scope: "projects",
    keys: ["enter"],
    command: "project-choose",
    label: "show this project",
    word: "enter show",
  },
  {
    scope: "projects",
    keys: ["n"],
    command: "project-new",
    label: "new project",
    word: "n new",
  },

  {
    scope: "fleet",
    keys: ["enter"],
    command: "fleet-open",
    label: "open the issue",
    word: "enter open",
  },
  {
    scope: "fleet",
    keys: ["m"],
    command: "fleet-message",
    label: "ask the holder about the issue",
    word: "m message",
  },
  {
    scope: "fleet",
    keys: ["R"],
    command: "fleet-release",
    label: "end the holder's lease",
    word: "R release",
    also: "unlock",
  },
  {
    scope: "fleet",
    keys: ["S"],
    command: "fleet-steal",
    label: "take the lease over",
    word: "S steal",
    also: "take over",
  },
  {
    scope: "fleet",
    keys: ["v"],
    command: "fleet-silent",
    label: "only who is silent, or everybody",
    word: "v silent",
  },
  {
    scope: "fleet",
    keys: ["/"],
    command: "fleet-filter",
    label: "filter by holder, project or words",
    word: "/ filter",
  },
  { scope: "fleet", keys: ["c"], command: "fleet-clear", label: "clear the filter" },

  { scope: "detail", keys: ["esc", "backspace"], command: "back", label: "back", word: "esc back" },
  {
    scope: "detail",
    keys: ["enter"],
    command: "follow",
    label: "open the issue that is chosen in it",
    word: "enter open",
  },
  {
    scope: "detail",
    keys: ["j", "down"],
    command: "scroll-down",
    label: "to the next issue that it names, or a line down",
    word: "j/k move",
  },
  {
    scope: "detail",
    keys: ["k", "up"],
    command: "scroll-up",
    label: "to the one before, or a line up",
  },
  {
    scope: "detail",
    keys: ["pgdn", "ctrl+d", "space"],
    command: "scroll-page",
    label: "one page down",
  },
  { scope: "detail", keys: ["pgup", "ctrl+u"], command: "scroll-page-up", label: "one page up" },
  { scope: "detail", keys: ["g", "home"], command: "scroll-top", label: "to the top" },
  { scope: "detail", keys: ["G", "end"], command: "scroll-bottom", label: "to the end" },
  {
    scope: "detail",
    keys: ["tab"],
    command: "next-section",
    label: "next section, and after the last the next pane",
    word: "tab section",
  },
  {
    scope: "detail",
    keys: ["shift+tab"],
    command: "previous-section",
    label: "section before, or pane",
  },
  { scope: "detail", keys: ["ctrl+t"], command: "raw-text", label: "texts as they were written" },
  { scope: "detail", keys: ["c"], command: "comment", label: "comment", word: "c comment" },
  { scope: "detail", keys: ["C"], command: "edit-comment", label: "edit a comment of yours" },

  {
    scope: "issue",
    keys: ["n"],
    command: "new",
    label: "new issue",
    word: "n new",
    also: "create add",
  },
  {
    scope: "issue",
    keys: ["N"],
    command: "new-child",
    label: "new child of this issue",
    word: "N child",
  },
  {
    scope: "issue",
    keys: ["x"],
    command: "close",
    label: "close",
    word: "x close",
    also: "done finish resolve",
  },
  {
    scope: "issue",
    keys: ["X"],
    command: "close-with",
    label: "close with reason, message and evidence",
    also: "wontfix duplicate superseded",
  },
  { scope: "issue", keys: ["r"], command: "reopen", label: "open again", word: "r reopen" },
  {
    scope: "issue",
    keys: ["e"],
    command: "edit",
    label: "edit title and text; after an error, try again",
    word: "e edit",
    also: "rename",
  },
  {
    scope: "issue",
    keys: ["+"],
    command: "add-label",
    label: "add a label",
    word: "+ label",
    also: "tag",
  },
  { scope: "issue", keys: ["-"], command: "remove-label", label: "take a label off" },
  {
    scope: "issue",
    keys: ["a"],
    command: "assign",
    label: "set the owner; empty is you",
    word: "a owner",
    also: "claim take mine",
  },
  { scope: "issue", keys: ["A"], command: "unassign", label: "clear the owner" },
  {
    scope: "issue",
    keys: ["!"],
    command: "priority",
    label: "set the priority: 0 to 4, or - for none",
    word: "! priority",
  },
  {
    scope: "issue",
    keys: ["p"],
    command: "set-parent",
    label: "set the parent, or none",
    also: "reparent epic under",
  },
  {
    scope: "issue",
    keys: ["b"],
    command: "add-blocker",
    label: "wait for another issue",
    word: "b blocker",
    also: "depends block dependency",
  },
  { scope: "issue", keys: ["l"], command: "add-related", label: "relate to another issue" },
  {
    scope: "issue",
    keys: ["B"],
    command: "unlink",
    label: "take a link off: parent, blocker, related",
  },
  {
    scope: "issue",
    keys: ["t"],
    command: "dates",
    label: "set dates",
    also: "park parked defer snooze due someday when",
  },
  { scope: "issue", keys: ["m"], command: "move", label: "move to another project" },
  {
    scope: "issue",
    keys: ["i"],
    command: "notify",
    label: "ask somebody to look at it",
    also: "mention message",
  },
  { scope: "issue", keys: ["delete"], command: "delete", label: "delete; can be restored" },
  { scope: "issue", keys: ["y"], command: "copy", label: "copy the id", also: "yank" },

  { scope: "everywhere", keys: ["1"], command: "board", label: "board" },
  { scope: "everywhere", keys: ["2", "I"], command: "inbox", label: "inbox: what is asked of you" },
  { scope: "everywhere", keys: ["3"], command: "graph-screen", label: "graph" },
  {
    scope: "everywhere",
    keys: ["4"],
    command: "cron",
    label: "cron: runs, jobs and what came due",
  },
  {
    scope: "everywhere",
    keys: ["5", "P"],
    command: "projects",
    label: "projects: one of them, or all",
  },
  { scope: "everywhere", keys: ["D"], command: "daemons", label: "another daemon" },
  { scope: "everywhere", keys: ["6"], command: "fleet", label: "fleet: who works on what" },
  {
    scope: "everywhere",
    keys: ["tab"],
    command: "next-pane",
    label: "next pane",
    word: "tab pane",
  },
  { scope: "everywhere", keys: ["shift+tab"], command: "previous-pane", label: "pane before" },
  { scope: "everywhere", keys: ["W"], command: "show-view", label: "show a view" },
  { scope: "everywhere", keys: ["L"], command: "stack", label: "one pane or two" },
  {
    scope: "everywhere",
    keys: ["u"],
    command: "undo",
    label: "take the last change back",
    also: "revert take back",
  },
  { scope: "everywhere", keys: ["U"], command: "redo", label: "make it again" },
  {
    scope: "everywhere",
    keys: ["@"],
    command: "writes",
    label: "what this session changed, as commands",
  },
  { scope: "everywhere", keys: ["M"], command: "messages", label: "messages and errors" },
  {
    scope: "everywhere",
    keys: ["esc", "backspace"],
    command: "back",
    label: "back",
    word: "esc back",
  },
  { scope: "everywhere", keys: ["ctrl+r"], command: "reload", label: "read everything again" },
  { scope: "everywhere", keys: ["ctrl+l"], command: "repaint", label: "draw the screen again" },
  {
    scope: "everywhere",
    keys: ["ctrl+z"],
    command: "suspend",
    label: "leave to the shell for a while",
  },
  {
    scope: "everywhere",
    keys: [":", "ctrl+p"],
    command: "palette",
    label: "find a command",
    word: ": commands",
  },
  { scope: "everywhere", keys: ["?"], command: "help", label: "all keys", word: "? help" },
  { scope: "everywhere", keys: ["q"], command: "quit", label: "quit", word: "q quit" },
  {
    scope: "everywhere",
    keys: ["ctrl+c"],
    command: "quit-now",
    label: "quit, unless something would be lost",
  },
] as const satisfies readonly KeyRow[];

export type Command = (typeof TABLE)[number]["command"];

/** A row with a command that there is. */
export type Key = KeyRow & { readonly command: Command };

export const KEYS: readonly Key[] = TABLE;
