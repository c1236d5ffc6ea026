/** What a person reads when something did not work: the message, and what mends it where that is known. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = "hint" in error && typeof error.hint === "string" ? `: ${error.hint}` : "";
  return `${error.message}${hint}`;
}
