import type { Log } from "../../base/log.ts";
import { forgetLeftCredentials } from "../../ops/federation/left-credentials.ts";

/**
 * Deletes tokens for hubs that are no longer needed. A failure is only logged: a file that cannot be used stays as it
 * is, and the status says so.
 */
export async function forgetLeftTokens(
  deps: Parameters<typeof forgetLeftCredentials>[0],
  log: Log,
): Promise<void> {
  try {
    const tokens = await forgetLeftCredentials(deps);
    if (tokens > 0) log.info("federation.tokens_forgotten", { tokens });
  } catch (error) {
    log.warn("federation.tokens_not_read", { error });
  }
}
