import { z } from "zod";
import { revokeToken } from "../../../contract/tokens.ts";
import { EventSummary } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { eventOf } from "../../views.ts";
import { TokenRecord, tokenOf } from "./token-output.ts";

export const tokenRevoke = tool({
  name: "svc.token_revoke",
  title: "Revoke token",
  description: "Revokes an API token: its next request is refused.",
  annotations: CHANGES,
  input: z.strictObject({ id: z.int().min(1).describe("id from svc.tokens") }),
  output: z.strictObject({ record: TokenRecord, event: EventSummary.optional() }),
  async run({ id }, { call }) {
    const { token, event } = await call(revokeToken, { params: { id } });
    return { record: tokenOf(token), ...(event ? { event: eventOf(event) } : {}) };
  },
});
