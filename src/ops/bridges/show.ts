import type { getExternalRootBridge as contract } from "../../contract/bridges.ts";
import type { Op } from "../deps.ts";
import { requireBoundAnywhere } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";

/** Shows the bridge of an issue, also in an archived project. */
export const getExternalRootBridge: Op<typeof contract> = async ({ store }, _who, { params }) =>
  await store.read(async (reader) =>
    bridgeOut(reader, await requireBoundAnywhere(reader, params)),
  );
