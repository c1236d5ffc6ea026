import type { listConnectors as contract } from "../../contract/connectors.ts";
import type { Output } from "../../contract/route.ts";
import type { ExternalRoots } from "../bridges/external-roots.ts";
import { connectorOut } from "./connector-out.ts";

/** `roots` is undefined if config.toml has no connectors. `gone` is aborted if the caller stops waiting. */
export async function listConnectors(
  { roots }: { readonly roots: ExternalRoots | undefined },
  gone: AbortSignal,
): Promise<Output<typeof contract>> {
  if (roots === undefined) return { connectors: [] };
  const found = await roots.health(roots.instances(), gone);
  return { connectors: found.map(connectorOut) };
}
