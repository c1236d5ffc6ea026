import type { Log } from "../../base/log.ts";
import { forgetLeftCredentials } from "../../ops/federation/left-credentials.ts";

/**
 * Deletes tokens for hubs that are no longer needed. A failure is only logged: a credentials file that cannot be used
 * is not changed, and the status of federation says that it cannot be used.
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
