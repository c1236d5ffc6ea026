import { z } from "zod";
import { createToken } from "../../../contract/tokens.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { TokenRecord, tokenOf } from "./token-output.ts";

export const tokenCreate = tool({
  name: "svc.token_create",
  title: "Create token",
  description: "Creates an API token. Its secret is in this answer and in no later one.",
  annotations: { ...CHANGES, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    token_actor: inputs.actor.describe("the actor under whose name it writes"),
    name: z.string().max(256).optional().describe("a label, such as where it is kept"),
  }),
  output: z.strictObject({ token: z.string(), record: TokenRecord }),
  async run({ token_actor, name }, { call }) {
    const { token, plaintext } = await call(createToken, { body: { actor: token_actor, name } });
    // Only the answer to a repeated request has no plaintext. This request has no idempotency key, so it is never a
    // repeated one.
    if (plaintext === undefined) throw new ToolError("the daemon answered without the token");
    return { token: plaintext, record: tokenOf(token) };
  },
});
