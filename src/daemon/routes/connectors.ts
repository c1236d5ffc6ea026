import type { H3Event } from "h3";
import * as contract from "../../contract/connectors.ts";
import type { ExternalRoots } from "../../ops/bridges/external-roots.ts";
import { listConnectors } from "../../ops/connectors/list.ts";
import { getConnectorStatus } from "../../ops/connectors/status.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import type { ConnectorHost } from "../connectors.ts";
import { whileThere } from "../requests/while-there.ts";

/** `connectors` is undefined if config.toml has none. */
export function connectorRoutes(
  app: App,
  deps: UngatedDeps,
  connectors: Pick<ConnectorHost, "get"> | undefined,
): void {
  const ask = async <T>(
    event: H3Event,
    answer: (roots: ExternalRoots | undefined, gone: AbortSignal) => Promise<T>,
  ): Promise<T> => await whileThere(event, async (gone) => answer(await connectors?.get(), gone));
  bind(app, deps, contract.listConnectors, async (_deps, _who, _input, event) =>
    ask(event, async (roots, gone) => await listConnectors({ roots }, gone)),
  );
  bind(app, deps, contract.getConnectorStatus, async (_deps, _who, input, event) =>
    ask(event, async (roots, gone) => await getConnectorStatus({ roots }, input, gone)),
  );
}
