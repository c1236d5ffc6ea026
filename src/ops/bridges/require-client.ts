import { SvcError } from "../../contract/errors.ts";
import type { ExternalRoots } from "./external-roots.ts";
import type { ConnectorClient } from "./far-side.ts";

/** Throws `unavailable` if the daemon has no connectors, and `bridge_not_found` if it has none with this id. */
export function requireClient(
  roots: ExternalRoots | undefined,
  instance: string,
  signal: AbortSignal,
): ConnectorClient {
  const client = requireConnectors(roots).client(instance, signal);
  if (client === undefined) throw new SvcError("bridge_not_found");
  return client;
}

export function requireConnectors(roots: ExternalRoots | undefined): ExternalRoots {
  if (roots !== undefined) return roots;
  throw new SvcError(
    "unavailable",
    {},
    {
      message: "this daemon has no connectors",
      hint: "add a [[connector]] to the daemon's config.toml and start the daemon again",
    },
  );
}
