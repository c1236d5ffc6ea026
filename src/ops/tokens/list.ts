import type { listTokens as contract } from "../../contract/tokens.ts";
import type { ReadOp } from "../deps.ts";
import { tokenOut } from "./out.ts";

export const listTokens: ReadOp<typeof contract> = async ({ store }) => {
  const found = await store.read(async ({ tokens }) => await tokens.list());
  return { tokens: found.map(tokenOut) };
};
