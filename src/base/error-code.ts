/** The code of an error of the system or of a driver, such as ENOENT; `undefined` for anything without one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The code as the end of a message, ` (ENOENT)`; empty for an error without one. */
export function codeSuffix(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? "" : ` (${code})`;
}
