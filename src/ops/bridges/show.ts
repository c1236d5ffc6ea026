import type { getExternalRootBridge as contract } from "../../contract/bridges.ts";
import type { Op } from "../deps.ts";
import { requireBound } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";

export const getExternalRootBridge: Op<typeof contract> = async ({ store }, _who, { params }) =>
  await store.read(async (reader) => await bridgeOut(reader, await requireBound(reader, params)));
