import { SvcError } from "../../contract/errors.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Principal } from "../deps.ts";

/**
 * Refuses a write whose token was revoked while it waited for its turn
 * (docs/contract/cron-and-inbox.md#16-error-codes).
 */
export async function requireActiveToken(tx: Tx, { tokenId }: Principal): Promise<void> {
  if (tokenId === undefined) return;
  const revoked = await tx.tokens.revoked([tokenId]);
  if (revoked.length > 0) throw new SvcError("token_invalid");
}
