import { z } from "zod";
import type { Output } from "../../../contract/route.ts";
import type { listTokens } from "../../../contract/tokens.ts";

/** A token without its secret or hash (docs/contract/tools.md#7-shared-objects). */
export const TokenRecord = z.strictObject({
  id: z.int(),
  actor: z.string(),
  name: z.string().optional(),
  created_at: z.string(),
  last_used_at: z.string().optional(),
  revoked_at: z.string().optional(),
});

export function tokenOf(row: Output<typeof listTokens>["tokens"][number]) {
  const { id, actor, name, created_at, last_used_at, revoked_at } = row;
  return {
    id,
    actor,
    ...(name === null ? {} : { name }),
    created_at,
    ...(last_used_at === null ? {} : { last_used_at }),
    ...(revoked_at === null ? {} : { revoked_at }),
  };
}
