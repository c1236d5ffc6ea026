import { errorCode } from "../../base/error-code.ts";
import { faultOf } from "../../base/system-faults.ts";

/** Returns why a file cannot be read, in words. Returns the error code if svc has no words for it. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return faultOf(code)?.what ?? code;
}

/** The message and hint for an unexpected error of the operating system; `undefined` for other errors. */
export function systemFault(
  error: unknown,
): { readonly message: string; readonly hint: string } | undefined {
  const fault = faultOf(codeOf(error));
  if (fault === undefined || !(error instanceof Error) || !("syscall" in error)) return undefined;
  const { path, dest } = error as { readonly path?: unknown; readonly dest?: unknown };
  const place = [dest, path].find((named) => typeof named === "string");
  const where = place === undefined ? "" : `${String(place)}: `;
  return { message: `${where}${fault.what} (${String(error.syscall)})`, hint: fault.hint };
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? "";
}
