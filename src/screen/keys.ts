/** The keys of a command in one scope, and how help and palette show the command. */
export interface KeyRow {
  readonly keys: readonly string[];
  readonly label: string;
  /** The row's text in the footer. A row without `word` is listed only in help and palette. */
  readonly word?: string;
  /**
   * The name that the palette shows instead of the command. Where the command line has the same command or flag, the
   * name comes from there.
   */
  readonly name?: string;
  /**
   * Other names of the command, such as its name on the command line. Help and palette search in them but do not show
   * them.
   */
  readonly also?: string;
  /** The name that the command had before, so that an older configuration goes on working. */
  readonly before?: string;
  /**
   * A word for the one line of text that the command asks for. In the palette, the text can be typed after the
   * command's name.
   */
  readonly asks?: string;
}

/** Rows by scope and command. */
export type KeyTable = Readonly<Record<string, Readonly<Record<string, KeyRow>>>>;

/** The keys that the screens share. The keys of a screen are in its folder, and its record names them. */
const SHARED = {
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
    new: { keys: ["n"], label: "new issue", word: "n new", also: "create add", name: "create" },
    "quick-add": { keys: ["Q"], label: "new issue in one line", also: "create" },
    "new-child": {
      keys: ["N"],
      label: "new child of this issue",
      word: "N child",
      name: "create child",
    },
    close: { keys: ["x"], label: "close", word: "x close", also: "done finish resolve" },
    "close-with": {
      keys: ["X"],
      label: "close with reason, message and evidence",
      also: "wontfix duplicate superseded",
      name: "close with evidence",
    },
    reopen: { keys: ["r"], label: "open again", word: "r reopen" },
    edit: {
      keys: ["e"],
      label: "edit title and text; after an error, try again",
      word: "e edit",
      also: "rename",
    },
    "add-label": {
      keys: ["+"],
      label: "add a label",
      word: "+ label",
      also: "tag",
      name: "label add",
      asks: "label",
    },
    "remove-label": { keys: ["-"], label: "take a label off", name: "label rm", asks: "label" },
    assign: {
      keys: ["a"],
      label: "set the owner; empty is you",
      word: "a owner",
      also: "claim take mine",
      asks: "owner",
    },
    unassign: { keys: ["A"], label: "clear the owner" },
    priority: {
      keys: ["!"],
      label: "set the priority: 0 to 4, or - for none",
      word: "! priority",
      asks: "0 to 4, or -",
    },
    "set-parent": {
      keys: ["p"],
      label: "set the parent, or none",
      also: "reparent epic under",
      name: "parent",
      asks: "issue",
    },
    "add-blocker": {
      keys: ["b"],
      label: "wait for another issue",
      word: "b blocker",
      also: "depends block dependency",
      name: "blocked-by",
      asks: "issue",
    },
    "add-blocked": {
      keys: ["alt+b"],
      label: "let another issue wait for this one",
      also: "block blocker dependency",
      name: "blocks",
      asks: "issue",
    },
    "add-related": {
      keys: ["l"],
      label: "relate to another issue",
      name: "related",
      asks: "issue",
    },
    unlink: { keys: ["B"], label: "take a link off: parent, blocker, related" },
    dates: {
      keys: ["t"],
      label: "set dates",
      also: "park parked defer snooze due deadline scheduled someday when",
      name: "schedule",
    },
    tick: {
      keys: ["T"],
      label: "tick a task of the text, or clear it",
      also: "checklist checkbox todo done",
    },
    move: { keys: ["m"], label: "move to another project", asks: "project" },
    notify: {
      keys: ["i"],
      label: "ask somebody to look at it",
      also: "mention message",
      asks: "who",
    },
    bridge: {
      keys: ["F"],
      label: "its root in another tracker: answer, pause ...",
      also: "connector external",
      asks: "what",
    },
    delete: { keys: ["delete"], label: "delete; can be restored" },
    copy: { keys: ["y"], label: "copy the id", also: "yank" },
    "copy-part": { keys: ["Y"], label: "copy title, reference, command, text ...", also: "yank" },
  },
  everywhere: {
    daemons: { keys: ["D"], label: "another daemon" },
    "next-pane": { keys: ["tab"], label: "next pane", word: "tab pane" },
    "previous-pane": { keys: ["shift+tab"], label: "pane before" },
    filter: { keys: ["/"], label: "filter the list, or the board", also: "find", asks: "filter" },
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
} as const satisfies KeyTable;

/** The key tables: the shared table, and for each screen a table that the screen's folder adds. */
export interface KeyTables {
  readonly shared: typeof SHARED;
}

/**
 * A scope in which keys have a meaning. If several of the current scopes have a row for a key, the first of these
 * scopes decides.
 */
export type KeyScope = { [Owner in keyof KeyTables]: keyof KeyTables[Owner] }[keyof KeyTables];

/** The commands of a table. */
export type CommandIn<Table> = { [Scope in keyof Table]: keyof Table[Scope] }[keyof Table];
export type Command = { [Owner in keyof KeyTables]: CommandIn<KeyTables[Owner]> }[keyof KeyTables];
export type SharedCommand = CommandIn<typeof SHARED>;

export interface Key extends KeyRow {
  readonly scope: KeyScope;
  readonly command: Command;
}

/** Scopes in the order in which a key is looked up in them. */
export type ScopeList = readonly KeyScope[];

/** The fields of a screen's record from which the key table is built. */
export interface KeyedScreen {
  readonly keys: KeyTable;
  readonly scopes: readonly ScopeList[];
}

/**
 * Returns the key table. Commands with a number key come first, in the order of the numbers. Then come the other keys
 * of the screens, and then the keys that the screens share. Key presses, footer, help, palette and docs/tui.md use this
 * table.
 */
export function allKeys(screens: readonly Pick<KeyedScreen, "keys">[]): readonly Key[] {
  const rows = [...screens.map(({ keys }) => keys), SHARED].flatMap((table) =>
    Object.entries<KeyTable[string]>(table).flatMap(([scope, commands]) =>
      // The cast is safe: scopes and commands are the names in these tables.
      Object.entries(commands).map(([command, row]) => ({ scope, command, ...row }) as Key),
    ),
  );
  return rows.toSorted((a, b) => numberKeyOf(a) - numberKeyOf(b));
}

/** The number key of the row if it works on every screen; 10 for a row without such a key. */
function numberKeyOf({ scope, keys }: Key): number {
  const key = scope === "everywhere" ? keys.find((one) => /^\d$/.test(one)) : undefined;
  return key === undefined ? 10 : Number(key);
}

/** The scopes of an open issue. */
export const DETAIL_SCOPES: ScopeList = ["detail", "issue", "everywhere"];

/** All lists of scopes that can be in use. */
export function scopeLists(screens: readonly Pick<KeyedScreen, "scopes">[]): readonly ScopeList[] {
  return [...screens.flatMap(({ scopes }) => scopes), DETAIL_SCOPES];
}

/** The help texts of a scope. */
export interface ScopeHelp {
  /** Where the keys of the scope work, as words after "only". */
  readonly where: string;
  /** The heading of the scope's keys on the browser page. */
  readonly heading: string;
}

/** The help texts of the scopes that the screens share. */
export const SHARED_HELP: Readonly<Partial<Record<KeyScope, ScopeHelp>>> = {
  lines: { where: "in a list", heading: "Lists" },
  detail: { where: "in an open issue", heading: "An open issue" },
  issue: { where: "on an issue", heading: "Issues" },
  everywhere: { where: "elsewhere", heading: "Everywhere" },
} satisfies Readonly<Record<keyof typeof SHARED, ScopeHelp>>;
