import { invariant } from "../../base/invariant.ts";
import type { getConnectorStatus as contract } from "../../contract/connectors.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { ExternalRoots } from "../bridges/external-roots.ts";
import { connectorOut } from "./connector-out.ts";

/**
 * A connector that fails is an answer, not an error. `roots` is undefined if config.toml has no connectors. `gone` is
 * aborted if the caller stops waiting.
 */
export async function getConnectorStatus(
  { roots }: { readonly roots: ExternalRoots | undefined },
  { params: { instance } }: Pick<Input<typeof contract>, "params">,
  gone: AbortSignal,
): Promise<Output<typeof contract>> {
  if (roots === undefined) throw new SvcError("unavailable", {}, NO_CONNECTORS);
  if (!roots.instances().includes(instance)) throw new SvcError("bridge_not_found");
  const [health] = await roots.health([instance], gone);
  invariant(health !== undefined, "health answers for each instance");
  return connectorOut(health);
}

const NO_CONNECTORS = {
  message: "this daemon has no connectors",
  hint: "add a [[connector]] to the daemon's config.toml and start the daemon again",
};
