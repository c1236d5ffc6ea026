interface Row {
  readonly keys: readonly string[];
  readonly label: string;
  /** The row's text in the footer. A row without `word` is listed only in help and palette. */
  readonly word?: string;
  /**
   * Other names of the command, such as its name on the command line. Help and palette search in them but do not show
   * them.
   */
  readonly also?: string;
}

/**
 * For each place, the scopes in which a key is looked up, in this order. The places are the screens, the lanes, the
 * browse pane, the open issue and the page that covers the rows of cron.
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

/** The only table of keys, by scope and command: typed keys, footer, help, palette and docs/tui.md come from it. */
const TABLE = {
  lanes: {
    "lane-left": { keys: ["left"], label: "to the lane on the left", word: "left/right lane" },
    "lane-right": { keys: ["right"], label: "to the lane on the right" },
    "carry-right": {
      keys: [">", "shift+right"],
      label: "carry to the right: to the next owner, or close",
      word: "< > carry",
    },
    "carry-left": {
      keys: ["<", "shift+left"],
      label: "carry to the left: to the owner before, or reopen",
    },
    "carry-to": { keys: ["."], label: "carry to a lane of your choice" },
  },
  list: {
    down: { keys: ["j", "down", "ctrl+n"], label: "one line down", word: "j/k move" },
    up: { keys: ["k", "up"], label: "one line up" },
    "page-down": { keys: ["pgdn", "ctrl+d", "ctrl+v"], label: "one page down" },
    "page-up": { keys: ["pgup", "ctrl+u", "alt+v"], label: "one page up" },
    first: { keys: ["g", "home", "alt+<"], label: "first line" },
    last: { keys: ["G", "end", "alt+>"], label: "last line" },
    open: { keys: ["enter"], label: "open the issue", word: "enter open" },
    mark: { keys: ["space"], label: "mark, and act on all that are marked", word: "space mark" },
    "mark-range": { keys: ["V"], label: "mark from the last mark to here", word: "V range" },
    filter: { keys: ["/"], label: "filter as you type", word: "/ filter", also: "find" },
    "filter-form": { keys: ["f"], label: "filter with a form" },
    search: { keys: ["ctrl+f"], label: "search the daemon, also in comments", also: "find" },
    "save-view": { keys: ["w"], label: "save the filter as a view" },
    "next-status": {
      keys: ["s"],
      label: "show open, ready, blocked, waiting, closed, all",
      word: "s status",
    },
    "clear-filter": { keys: ["c"], label: "clear the filter" },
    "next-view": {
      keys: ["v"],
      label: "nested, flat, lanes by state, lanes by owner",
      word: "v view",
    },
    "next-group": {
      keys: ["z"],
      label: "group by state, owner, priority, project",
      also: "headings group by",
    },
    "next-order": {
      keys: ["o"],
      label: "order by change, creation, priority, blockers, due",
      word: "o order",
      also: "sort",
    },
    "next-tab": { keys: ["]"], label: "the next of your views" },
    "previous-tab": { keys: ["["], label: "the view before" },
    columns: { keys: ["|"], label: "choose the columns" },
    "reverse-order": { keys: ["O"], label: "reverse the order", also: "sort" },
    "list-comment": { keys: ["C"], label: "comment", also: "reply" },
    unfold: { keys: ["right"], label: "show children, or the nearest folded group" },
    fold: { keys: ["left"], label: "hide children or the group, or go to the parent" },
    "fold-all": { keys: ["E"], label: "fold or show all children or groups" },
  },
  browse: {
    "browse-apply": {
      keys: ["enter", "space"],
      label: "show it, or put it into the filter",
      word: "enter choose",
    },
    "remove-view": { keys: ["delete"], label: "remove the saved view", word: "delete remove" },
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
  inbox: {
    "inbox-open": { keys: ["enter"], label: "open the issue", word: "enter open" },
    "inbox-clear": { keys: ["c"], label: "clear the request: it was handled", word: "c clear" },
    "inbox-answer": {
      keys: ["C"],
      label: "answer: comment, clear, tell who asked",
      word: "C clear+comment",
    },
    "inbox-mark": {
      keys: ["space"],
      label: "mark, and act on all that are marked",
      word: "space mark",
    },
    "inbox-all": { keys: ["A"], label: "this address, or all of mine", word: "A addresses" },
    "inbox-address": { keys: ["/"], label: "read another address", word: "/ address" },
  },
  cron: {
    "cron-next-tab": {
      keys: ["tab"],
      label: "runs, jobs, workflows, ledger, preview, series",
      word: "tab next tab",
    },
    "cron-previous-tab": { keys: ["shift+tab"], label: "the tab before" },
    "cron-open": {
      keys: ["enter"],
      label: "open its issue, or the ledger of a job",
      word: "enter open",
    },
    "cron-preview": { keys: ["p"], label: "when a job comes next", word: "p preview" },
    "cron-toggle": {
      keys: ["T"],
      label: "turn a job on or off",
      word: "T on/off",
      also: "pause disable enable",
    },
    "series-new": {
      keys: ["n"],
      label: "new series: an issue that comes again",
      word: "n new series",
      also: "repeat recurrence",
    },
    "series-edit": { keys: ["e"], label: "edit rule and template of a series", word: "e edit" },
    "series-delete": {
      keys: ["delete"],
      label: "end a series; its issues stay",
      also: "pause stop remove",
    },
    "cron-versions": {
      keys: ["d"],
      label: "the definition as the run had it, or as it is",
      word: "d definition",
    },
  },
  lines: {
    "next-line": {
      keys: ["j", "down"],
      label: "one line down; at the end, what is older",
      word: "j/k move",
    },
    "previous-line": { keys: ["k", "up"], label: "one line up" },
    "next-page": { keys: ["pgdn", "ctrl+d"], label: "one page down" },
    "previous-page": { keys: ["pgup", "ctrl+u"], label: "one page up" },
    "first-line": { keys: ["g", "home"], label: "to the first line" },
    "last-line": { keys: ["G", "end"], label: "to the last line" },
  },
  projects: {
    "project-choose": { keys: ["enter"], label: "show this project", word: "enter show" },
    "project-new": { keys: ["n"], label: "new project", word: "n new" },
  },
  fleet: {
    "fleet-open": { keys: ["enter"], label: "open the issue", word: "enter open" },
    "fleet-left": { keys: ["left"], label: "to the holder before", also: "lane" },
    "fleet-right": { keys: ["right"], label: "to the next holder", also: "lane" },
    "fleet-message": { keys: ["m"], label: "ask the holder about the issue", word: "m message" },
    "fleet-release": {
      keys: ["R"],
      label: "end the holder's lease",
      word: "R release",
      also: "unlock",
    },
    "fleet-steal": {
      keys: ["S"],
      label: "take the lease over",
      word: "S steal",
      also: "take over",
    },
    "fleet-silent": { keys: ["v"], label: "only who is silent, or everybody", word: "v silent" },
    "fleet-filter": { keys: ["/"], label: "filter by holder, project or words", word: "/ filter" },
    "fleet-clear": { keys: ["c"], label: "clear the filter" },
  },
  detail: {
    back: { keys: ["esc", "backspace"], label: "back", word: "esc back" },
    follow: { keys: ["enter"], label: "open the issue that is chosen in it", word: "enter open" },
    "scroll-down": {
      keys: ["j", "down"],
      label: "to the next issue that it names, or a line down",
      word: "j/k move",
    },
    "scroll-up": { keys: ["k", "up"], label: "to the one before, or a line up" },
    "scroll-page": { keys: ["pgdn", "ctrl+d", "space"], label: "one page down" },
    "scroll-page-up": { keys: ["pgup", "ctrl+u"], label: "one page up" },
    "scroll-top": { keys: ["g", "home"], label: "to the top" },
    "scroll-bottom": { keys: ["G", "end"], label: "to the end" },
    "next-section": {
      keys: ["tab"],
      label: "next section, and after the last the next pane",
      word: "tab section",
    },
    "previous-section": { keys: ["shift+tab"], label: "section before, or pane" },
    "raw-text": { keys: ["ctrl+t"], label: "texts as they were written" },
    comment: { keys: ["c"], label: "comment", word: "c comment" },
    "edit-comment": { keys: ["C"], label: "edit a comment of yours" },
  },
  issue: {
    new: { keys: ["n"], label: "new issue", word: "n new", also: "create add" },
    "quick-add": { keys: ["Q"], label: "new issue in one line", also: "create" },
    "new-child": { keys: ["N"], label: "new child of this issue", word: "N child" },
    close: { keys: ["x"], label: "close", word: "x close", also: "done finish resolve" },
    "close-with": {
      keys: ["X"],
      label: "close with reason, message and evidence",
      also: "wontfix duplicate superseded",
    },
    reopen: { keys: ["r"], label: "open again", word: "r reopen" },
    edit: {
      keys: ["e"],
      label: "edit title and text; after an error, try again",
      word: "e edit",
      also: "rename",
    },
    "add-label": { keys: ["+"], label: "add a label", word: "+ label", also: "tag" },
    "remove-label": { keys: ["-"], label: "take a label off" },
    assign: {
      keys: ["a"],
      label: "set the owner; empty is you",
      word: "a owner",
      also: "claim take mine",
    },
    unassign: { keys: ["A"], label: "clear the owner" },
    priority: { keys: ["!"], label: "set the priority: 0 to 4, or - for none", word: "! priority" },
    "set-parent": { keys: ["p"], label: "set the parent, or none", also: "reparent epic under" },
    "add-blocker": {
      keys: ["b"],
      label: "wait for another issue",
      word: "b blocker",
      also: "depends block dependency",
    },
    "add-blocked": {
      keys: ["alt+b"],
      label: "let another issue wait for this one",
      also: "block blocker dependency",
    },
    "add-related": { keys: ["l"], label: "relate to another issue" },
    unlink: { keys: ["B"], label: "take a link off: parent, blocker, related" },
    dates: {
      keys: ["t"],
      label: "set dates",
      also: "park parked defer snooze due deadline scheduled someday when",
    },
    tick: {
      keys: ["T"],
      label: "tick a task of the text, or clear it",
      also: "checklist checkbox todo done",
    },
    move: { keys: ["m"], label: "move to another project" },
    notify: { keys: ["i"], label: "ask somebody to look at it", also: "mention message" },
    delete: { keys: ["delete"], label: "delete; can be restored" },
    copy: { keys: ["y"], label: "copy the id", also: "yank" },
    "copy-part": { keys: ["Y"], label: "copy title, reference, command, text ...", also: "yank" },
  },
  everywhere: {
    board: { keys: ["1"], label: "board" },
    inbox: { keys: ["2", "I"], label: "inbox: what is asked of you" },
    "graph-screen": { keys: ["3"], label: "graph" },
    cron: { keys: ["4"], label: "cron: runs, jobs and what came due" },
    projects: { keys: ["5", "P"], label: "projects: one of them, or all" },
    daemons: { keys: ["D"], label: "another daemon" },
    fleet: { keys: ["6"], label: "fleet: who works on what" },
    series: {
      keys: ["7"],
      label: "recurrences: what comes again, and when",
      also: "repeat rrule schedule",
    },
    "next-pane": { keys: ["tab"], label: "next pane", word: "tab pane" },
    "previous-pane": { keys: ["shift+tab"], label: "pane before" },
    "show-view": { keys: ["W"], label: "show a view" },
    filter: { keys: ["/"], label: "filter the list, or the board", also: "find" },
    stack: { keys: ["L"], label: "one pane or two" },
    "own-command": { keys: ["$"], label: "run a command of your own", also: "program shell" },
    undo: { keys: ["u"], label: "take the last change back", also: "revert take back" },
    redo: { keys: ["U"], label: "make it again" },
    writes: { keys: ["@"], label: "what this session changed, as commands" },
    messages: { keys: ["M"], label: "messages and errors" },
    back: { keys: ["esc", "backspace"], label: "back", word: "esc back" },
    reload: { keys: ["ctrl+r"], label: "read everything again" },
    repaint: { keys: ["ctrl+l"], label: "draw the screen again" },
    suspend: { keys: ["ctrl+z"], label: "leave to the shell for a while" },
    palette: { keys: [":", "ctrl+p"], label: "find a command", word: ": commands" },
    help: { keys: ["?"], label: "all keys", word: "? help" },
    quit: { keys: ["q"], label: "quit", word: "q quit" },
    "quit-now": { keys: ["ctrl+c"], label: "quit, unless something would be lost" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>;

type Table = typeof TABLE;
/**
 * A scope in which keys have a meaning. If several scopes of a place have a row for the key, the first of these scopes
 * decides.
 */
export type KeyScope = keyof ScopeCommands;
export type Command = ScopeCommands[KeyScope];

type TableCommands = { readonly [Scope in keyof Table]: keyof Table[Scope] };

/** The commands of each scope. A screen with keys in its own record (`ScreenRecord.keys`) adds its scope. */
export interface ScopeCommands extends TableCommands {}

export interface Key extends Row {
  readonly scope: KeyScope;
  readonly command: Command;
}

export const KEYS: readonly Key[] = Object.entries(TABLE).flatMap(([scope, rows]) =>
  // The cast is safe: the keys of the table are the scopes and commands.
  Object.entries<Row>(rows).map(([command, row]) => ({ scope, command, ...row }) as Key),
);
