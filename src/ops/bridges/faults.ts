import { SvcError } from "../../contract/errors.ts";
import { isGone } from "../../domain/bridges/pauses.ts";
import { ConnectorFault, SAFE_TEXTS } from "./far-side.ts";

/**
 * What a bridge stores of a failed run: one of four texts, and a code. The connector's own text is in no answer and in
 * no log (docs/contract/connectors.md#35-faults).
 */
export function storedError(error: unknown): string {
  if (error instanceof ConnectorFault) return textOf(error);
  return `${SAFE_TEXTS.request}: ${error instanceof SvcError ? error.code : "internal"}`;
}

export function textOf({ message, code }: Pick<ConnectorFault, "message" | "code">): string {
  return code === undefined ? message : `${message}: ${code}`;
}

/** The error that a caller gets for a failed call of a connector. Any other error is returned as it is. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof ConnectorFault)) return error;
  const data = error.code === undefined ? {} : { connector_code: error.code };
  const hint = isGone(error) ? { hint: "see what names the record in the other tracker now" } : {};
  return new SvcError("connector_error", data, { message: textOf(error), ...hint, cause: error });
}

/** Carries out calls of a connector for a caller, who gets `connector_error` if one fails. */
export async function withRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error);
  }
}

/** A result of a connector that svc cannot use. The code is one of svc. */
export function unusable(code: string): ConnectorFault {
  return new ConnectorFault("protocol", { code });
}

export function conflict(message: string, hint?: string): SvcError {
  return new SvcError(
    "external_root_conflict",
    {},
    { message, ...(hint === undefined ? {} : { hint }) },
  );
}
