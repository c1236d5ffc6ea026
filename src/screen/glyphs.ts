/** The signs that stand beside words; each is one cell wide. No meaning hangs on them alone: help and columns name it. */
export interface Glyphs {
  readonly cursor: string;
  readonly marked: string;
  readonly pending: string;
  readonly failed: string;
  /** A holder without an event for a long time. */
  readonly silent: string;
  readonly open: string;
  readonly blocked: string;
  readonly waiting: string;
  readonly closed: string;
  /** A row that is shown only because of another. */
  readonly context: string;
  readonly folded: string;
  readonly unfolded: string;
  /** Where a text goes on that is not shown. */
  readonly cut: string;
  readonly line: string;
  readonly branch: string;
  readonly end: string;
  readonly rule: string;
}

/** Every terminal and font has these, and drawing them costs least. */
export const ASCII: Glyphs = {
  cursor: ">",
  marked: "*",
  pending: "%",
  failed: "!",
  silent: "z",
  open: "o",
  blocked: "b",
  waiting: "w",
  closed: "x",
  context: "~",
  folded: "+",
  unfolded: "-",
  cut: "~",
  line: "|",
  branch: "|-",
  end: "`-",
  rule: "-",
};

export const UNICODE: Glyphs = {
  cursor: "❯",
  marked: "●",
  pending: "⋯",
  failed: "!",
  silent: "☾",
  open: "○",
  blocked: "⊘",
  waiting: "◌",
  closed: "✓",
  context: "·",
  folded: "▸",
  unfolded: "▾",
  cut: "…",
  line: "│",
  branch: "├─",
  end: "└─",
  rule: "─",
};

/** A tree that was drawn in ASCII (`|  |-blocks-> `), in these signs. */
export function treeIn({ line, branch, end }: Glyphs, lead: string): string {
  if (line === ASCII.line) return lead;
  return lead.replaceAll("|-", branch).replaceAll("`-", end).replaceAll("|", line);
}

/** The letter of a state in these signs. */
export function stateIn(glyphs: Glyphs, letter: string): string {
  const { open, blocked, waiting, closed, context } = glyphs;
  return { o: open, b: blocked, w: waiting, x: closed, "~": context }[letter] ?? letter;
}
