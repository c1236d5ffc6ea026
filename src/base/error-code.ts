/** Returns the code of an operating system or database driver error, such as ENOENT, or `undefined` if it has none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Returns the error's code as the end of a message, such as ` (ENOENT)`, or an empty text if the error has no code. */
export function codeSuffix(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? "" : ` (${code})`;
}
