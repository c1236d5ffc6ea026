import type { H3Event } from "h3";
import * as contract from "../../contract/bridges.ts";
import { bindExternalRoot } from "../../ops/bridges/bind.ts";
import type { ExternalRoots } from "../../ops/bridges/external-roots.ts";
import { pauseExternalRootBridge } from "../../ops/bridges/pause.ts";
import { resolveExternalComment } from "../../ops/bridges/resolve-comment.ts";
import { resolveExternalField } from "../../ops/bridges/resolve-field.ts";
import { resumeExternalRootBridge } from "../../ops/bridges/resume.ts";
import type { RunDeps } from "../../ops/bridges/run.ts";
import {
  reconcileExternalRootBridge,
  reconcileExternalRootByKey,
} from "../../ops/bridges/run-now.ts";
import { getExternalRootBridge } from "../../ops/bridges/show.ts";
import { unbindExternalRoot } from "../../ops/bridges/unbind.ts";
import {
  listConnectorFields,
  mapConnectorField,
  unmapConnectorField,
} from "../../ops/connectors/fields.ts";
import type { Deps, UngatedDeps } from "../../ops/deps.ts";
import { withGuard } from "../../ops/guarded.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import type { ConnectorHost } from "../connectors.ts";
import { whileThere } from "../requests/while-there.ts";

/** `connectors` is undefined if config.toml has none. */
export function bridgeRoutes(
  app: App,
  deps: UngatedDeps,
  connectors: Pick<ConnectorHost, "get" | "during"> | undefined,
): void {
  const roots = async (): Promise<ExternalRoots | undefined> => await connectors?.get();
  const during = async <T>(work: (deps: RunDeps) => Promise<T>): Promise<T> => {
    // A run writes what the root says, whoever works on the issue, so its store checks no lease.
    const store = withGuard(deps.store, {});
    const run = async (): Promise<T> => await work({ ...deps, store, roots: await roots() });
    return await (connectors?.during(run) ?? run());
  };
  const asking = async <T>(
    event: H3Event,
    opDeps: Deps,
    work: (deps: RunDeps, gone: AbortSignal) => Promise<T>,
  ): Promise<T> =>
    await whileThere(event, async (gone) => await work({ ...opDeps, roots: await roots() }, gone));
  connectorFieldRoutes(app, deps, asking);
  bind(app, deps, contract.bindExternalRoot, async ({ store: asked }, who, input, event) =>
    whileThere(event, async (gone) =>
      during(async (own) => bindExternalRoot({ ...own, asked }, who, input, gone)),
    ),
  );
  bind(app, deps, contract.getExternalRootBridge, async ({ store }, who, input) =>
    getExternalRootBridge({ store, roots: await roots() }, who, input),
  );
  bind(app, deps, contract.unbindExternalRoot, async ({ store }, who, input) =>
    unbindExternalRoot({ store, roots: await roots() }, who, input),
  );
  bind(app, deps, contract.pauseExternalRootBridge, async ({ store }, who, input) =>
    pauseExternalRootBridge({ store, roots: await roots() }, who, input),
  );
  bind(app, deps, contract.resumeExternalRootBridge, async (opDeps, who, input, event) =>
    asking(event, opDeps, async (own, gone) => resumeExternalRootBridge(own, who, input, gone)),
  );
  bind(app, deps, contract.reconcileExternalRootBridge, async (_deps, who, input) =>
    during(async (own) => reconcileExternalRootBridge(own, who, input)),
  );
  bind(app, deps, contract.reconcileExternalRootByKey, async (_deps, who, input) =>
    during(async (own) => reconcileExternalRootByKey(own, who, input)),
  );
  bind(app, deps, contract.resolveExternalField, async (_deps, who, input) =>
    during(async (own) => resolveExternalField(own, who, input)),
  );
  bind(app, deps, contract.resolveExternalComment, async (opDeps, who, input, event) =>
    asking(event, opDeps, async (own, gone) => resolveExternalComment(own, who, input, gone)),
  );
}

type Asking = <T>(
  event: H3Event,
  deps: Deps,
  work: (deps: RunDeps, gone: AbortSignal) => Promise<T>,
) => Promise<T>;

function connectorFieldRoutes(app: App, deps: UngatedDeps, asking: Asking): void {
  bind(app, deps, contract.listConnectorFields, async (opDeps, _who, input, event) =>
    asking(event, opDeps, async (own, gone) => listConnectorFields(own, input, gone)),
  );
  bind(app, deps, contract.mapConnectorField, async (opDeps, who, input, event) =>
    asking(event, opDeps, async (own, gone) => mapConnectorField(own, who, input, gone)),
  );
  bind(app, deps, contract.unmapConnectorField, async (opDeps, who, input, event) =>
    asking(event, opDeps, async (own) => unmapConnectorField(own, who, input)),
  );
}
