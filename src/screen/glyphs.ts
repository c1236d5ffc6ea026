/** The signs that are drawn beside words, each one cell wide. The words can be understood without the signs. */
export interface Glyphs {
  readonly cursor: string;
  readonly marked: string;
  readonly pending: string;
  readonly failed: string;
  readonly silent: string;
  readonly open: string;
  readonly blocked: string;
  readonly waiting: string;
  readonly closed: string;
  /** Marks a row that is shown only because a row below it matches. */
  readonly context: string;
  /** Marks an issue that a search found by its meaning only. */
  readonly meant: string;
  readonly folded: string;
  readonly unfolded: string;
  /** The sign at the end of a cut text. */
  readonly cut: string;
  readonly line: string;
  readonly branch: string;
  readonly end: string;
  readonly rule: string;
}

/** Every terminal and font has these signs, and they are the fastest to draw. */
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
  meant: "=",
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
  meant: "≈",
  folded: "▸",
  unfolded: "▾",
  cut: "…",
  line: "│",
  branch: "├─",
  end: "└─",
  rule: "─",
};

/** Replaces the ASCII lines of a tree (`|  |-blocks-> `) by the lines of the glyphs. */
export function treeIn({ line, branch, end }: Glyphs, lead: string): string {
  if (line === ASCII.line) return lead;
  return lead.replaceAll("|-", branch).replaceAll("`-", end).replaceAll("|", line);
}

export function stateIn(glyphs: Glyphs, letter: string): string {
  const { open, blocked, waiting, closed, context } = glyphs;
  return { o: open, b: blocked, w: waiting, x: closed, "~": context }[letter] ?? letter;
}
