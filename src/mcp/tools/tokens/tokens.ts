import { z } from "zod";
import { listTokens } from "../../../contract/tokens.ts";
import { roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { cut } from "../../objects.ts";
import { foreignCursor, pageOf } from "../../paging.ts";
import { READS, tool } from "../../tool.ts";
import { TokenRecord, tokenOf } from "./token-output.ts";

export const tokens = tool({
  name: "svc.tokens",
  title: "List tokens",
  description:
    "The daemon's API tokens by id, revoked ones too, without their secrets. One page; pass next_cursor for more.",
  annotations: READS,
  input: z.strictObject({
    limit: inputs.limit,
    cursor: inputs.cursor,
  }),
  output: z.strictObject({ tokens: z.array(TokenRecord), ...cut }),
  async run({ limit, cursor = "0" }, { call }) {
    if (!ID.test(cursor)) throw foreignCursor();
    const answer = await call(listTokens, {});
    const rest = answer.tokens.filter(({ id }) => id > Number(cursor)).map(tokenOf);
    const page = pageOf(rest, roomFor(limit), ({ id }) => String(id));
    return { tokens: [...page.rows], ...page.cut };
  },
});

const ID = /^\d{1,15}$/;
