import type { getExternalRootBridge as contract } from "../../contract/bridges.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Principal } from "../deps.ts";
import { requireBoundAnywhere } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import { requireConnectors } from "./require-client.ts";
import type { RunDeps } from "./run.ts";

/** Shows the bridge of an issue, also in an archived project. */
export async function getExternalRootBridge(
  { store, roots }: Pick<RunDeps, "store" | "roots">,
  _who: Principal,
  { params }: Pick<Input<typeof contract>, "params">,
): Promise<Output<typeof contract>> {
  requireConnectors(roots);
  return await store.read(async (reader) =>
    bridgeOut(reader, await requireBoundAnywhere(reader, params)),
  );
}
