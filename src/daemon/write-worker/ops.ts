import { enableProjectFederation } from "../../contract/federation.ts";
import { skipFederationQuarantine } from "../../contract/federation-quarantine.ts";
import {
  getFederationProjectMetadata,
  ingestFederationProjectEvents,
} from "../../contract/federation-transport.ts";
import { undoImport } from "../../contract/import-batches.ts";
import { importIssues } from "../../contract/imports.ts";
import { applyPlan } from "../../contract/plans.ts";
import {
  mergeProject,
  purgeProject,
  removeProject,
  restoreProject,
  rewriteAuthorIdentity,
} from "../../contract/project-actions.ts";
import { renameProject } from "../../contract/projects.ts";
import type { Output, Route } from "../../contract/route.ts";
import { undoGlobal, undoProject } from "../../contract/undo.ts";
import type { Deps, Op, Principal } from "../../ops/deps.ts";
import * as enable from "../../ops/federation/enable.ts";
import { featureHeaders, ownFeatures } from "../../ops/federation/enrolled.ts";
import * as ingest from "../../ops/federation/ingest.ts";
import * as metadata from "../../ops/federation/metadata.ts";
import * as quarantine from "../../ops/federation/quarantine.ts";
import * as imports from "../../ops/imports/import.ts";
import * as undoImports from "../../ops/imports/undo.ts";
import * as plans from "../../ops/plans/apply.ts";
import * as merge from "../../ops/projects/merge.ts";
import * as purge from "../../ops/projects/purge.ts";
import * as remove from "../../ops/projects/remove.ts";
import * as rename from "../../ops/projects/rename.ts";
import * as restore from "../../ops/projects/restore.ts";
import * as rewrite from "../../ops/projects/rewrite-author.ts";
import * as undo from "../../ops/undo/undo.ts";

export interface HeavyWrite {
  readonly route: Route;
  readonly run: (deps: Deps, who: Principal, input: never) => Promise<unknown>;
  /** The headers of the answer in addition to those that every answer has. */
  readonly headers?: (output: never) => Readonly<Record<string, string>>;
}

const op = <T extends Route>(
  route: T,
  run: Op<T, keyof Deps>,
  headers?: (output: Output<T>) => Readonly<Record<string, string>>,
): readonly [string, HeavyWrite] => [
  route.id,
  { route, run, ...(headers === undefined ? {} : { headers }) },
];

/**
 * Skips a quarantined batch. Its route is added in `routes/federation.ts`; the route also starts the copy's next pass.
 */
export const SKIP_QUARANTINE: HeavyWrite = {
  route: skipFederationQuarantine,
  run: quarantine.skipFederationQuarantine,
};

/** The operation of a route, if the write worker can carry it out. */
export function writeWorkerOp(routeId: string): HeavyWrite | undefined {
  const known = WRITE_WORKER_OPS.get(routeId);
  return known ?? (routeId === SKIP_QUARANTINE.route.id ? SKIP_QUARANTINE : undefined);
}

/** The operations that may write a lot, by the id of their route. `routes/all.ts` adds a route for each of them. */
export const WRITE_WORKER_OPS: ReadonlyMap<string, HeavyWrite> = new Map([
  op(importIssues, imports.importIssues),
  op(undoImport, undoImports.undoImport),
  op(applyPlan, plans.applyPlan),
  op(mergeProject, merge.mergeProject),
  op(removeProject, remove.removeProject),
  op(restoreProject, restore.restoreProject),
  op(purgeProject, purge.purgeProject),
  op(renameProject, rename.renameProject),
  op(rewriteAuthorIdentity, rewrite.rewriteAuthorIdentity),
  op(undoGlobal, undo.undoGlobal),
  op(undoProject, undo.undoProject),
  op(enableProjectFederation, enable.enableProjectFederation, featureHeaders),
  op(ingestFederationProjectEvents, ingest.ingestFederationProjectEvents, ownFeatures),
  op(getFederationProjectMetadata, metadata.getFederationProjectMetadata, featureHeaders),
]);
