/** Commands whose name could also be the beginning of a query of `svc search`. */
const ONLY_ALONE: ReadonlySet<string> = new Set(["search:status", "search:reindex"]);

/** Whether the name of a command is meant as words to search for, because the next argument is a word, too. */
export function isQuery(id: string, next: string | undefined): boolean {
  return ONLY_ALONE.has(id) && next !== undefined && !next.startsWith("-");
}

/** Whether these words, of which the first is a command, name another command that stands alone. */
export function isInnerCommand([id, word, next]: readonly string[]): boolean {
  const inner = `${id}:${word}`;
  return ONLY_ALONE.has(inner) && !isQuery(inner, next);
}
