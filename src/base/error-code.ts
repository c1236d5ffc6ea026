/**
 * Returns the code of an error of the operating system or of a database driver, such as ENOENT; `undefined` if it has
 * none.
 */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The code as the end of a message, ` (ENOENT)`; empty for an error without one. */
export function codeSuffix(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? "" : ` (${code})`;
}
