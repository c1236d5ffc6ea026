import { z } from "zod";
import { listTokens } from "../../../contract/tokens.ts";
import { firstRows, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { tool } from "../../tool.ts";
import { TokenRecord, tokenOf } from "./token-output.ts";

export const tokens = tool({
  name: "svc.tokens",
  title: "List tokens",
  description: "The daemon's API tokens by id, revoked ones too; never a secret.",
  hints: "+-+-",
  input: z.strictObject({
    limit: inputs.limit,
    after_id: z.int().min(0).default(0).describe("tokens after this id"),
  }),
  output: z.strictObject({ tokens: z.array(TokenRecord), truncated: z.boolean() }),
  async run({ limit, after_id }, { call }) {
    const answer = await call(listTokens, {});
    const rest = answer.tokens.filter(({ id }) => id > after_id).map(tokenOf);
    const rows = firstRows(rest, roomFor(limit));
    return { tokens: [...rows], truncated: rows.length < rest.length };
  },
});
