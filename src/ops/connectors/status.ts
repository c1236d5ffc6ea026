import { invariant } from "../../base/invariant.ts";
import type { getConnectorStatus as contract } from "../../contract/connectors.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { ExternalRoots } from "../bridges/external-roots.ts";
import { requireConnectors } from "../bridges/require-client.ts";
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
  const connectors = requireConnectors(roots);
  if (!connectors.instances().includes(instance)) throw new SvcError("bridge_not_found");
  const [health] = await connectors.health([instance], gone);
  invariant(health !== undefined, "health answers for each instance");
  return connectorOut(health);
}
