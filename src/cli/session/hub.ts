import { SvcError } from "../../contract/errors.ts";

/**
 * The error codes of a daemon that does not accept the token. The usual hints of these errors are about this machine's
 * daemon.
 */
const OF_TOKEN: ReadonlySet<string> = new Set(["auth_required", "auth_invalid", "token_invalid"]);

/**
 * Runs requests to a hub. If the hub refuses a request, the error says that the refusal comes from the hub. Otherwise a
 * person could think that it comes from this machine's daemon. `tokenCure` is the hint for the case that the hub does
 * not accept the token for administration.
 */
export async function saidByHub<T>(work: () => Promise<T>, tokenCure?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, data } = error;
    const isOfToken = tokenCure !== undefined && OF_TOKEN.has(code);
    const hint = isOfToken ? tokenCure : error.hint;
    const said = isOfToken ? `it does not accept the token (${code})` : error.message;
    throw new SvcError(code, data, {
      ...(hint === undefined ? {} : { hint }),
      message: `the hub refuses: ${said}`,
      cause: error,
    });
  }
}

/** What to do if a hub does not accept the token of a variable or a `[[daemon]]` entry. */
export function adminTokenCure(from: string): string {
  return `${from} must have a token of the hub for administration, as [auth] token of its config.toml; the token of an enrollment (svc_fed_…) is none`;
}
