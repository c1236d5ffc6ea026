import * as contract from "../../contract/federation.ts";
import * as batches from "../../contract/federation-quarantine.ts";
import * as replicas from "../../contract/federation-replicas.ts";
import * as status from "../../contract/federation-status.ts";
import * as verify from "../../contract/federation-verify.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { createFederationEnrollment } from "../../ops/federation/create-enrollment.ts";
import { featureHeaders } from "../../ops/federation/enrolled.ts";
import type { Federation } from "../../ops/federation/far-side.ts";
import { getProjectFederation } from "../../ops/federation/get-project.ts";
import { createFederationReplica } from "../../ops/federation/join.ts";
import { leaveFederationReplica } from "../../ops/federation/leave.ts";
import { beginPoll } from "../../ops/federation/poll.ts";
import {
  listFederationQuarantine,
  retryFederationQuarantine,
  showFederationQuarantine,
} from "../../ops/federation/quarantine.ts";
import { rebindFederationReplica } from "../../ops/federation/rebind.ts";
import { resyncFederationReplica } from "../../ops/federation/resync.ts";
import { revokeFederationEnrollment } from "../../ops/federation/revoke-enrollment.ts";
import { rotateFederationEnrollment } from "../../ops/federation/rotate-enrollment.ts";
import { getFederationStatus, getProjectFederationStatus } from "../../ops/federation/status.ts";
import { verifyFederationReplica } from "../../ops/federation/verify.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import { SPOKE_POLL } from "../read-worker/ops.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";
import { bindHeavyWrite } from "../write-worker/bind-heavy-write.ts";
import { SKIP_QUARANTINE } from "../write-worker/ops.ts";
import type { WriteWorker } from "../write-worker/write-worker.ts";

interface Hosts {
  readonly federation: Federation;
  readonly readWorker: ReadWorker | undefined;
  readonly writeWorker: WriteWorker | undefined;
}

export function federationRoutes(
  app: App,
  deps: UngatedDeps,
  { federation, readWorker, writeWorker }: Hosts,
): void {
  bind(app, deps, contract.getProjectFederation, getProjectFederation, {
    headers: featureHeaders,
  });
  bind(app, deps, status.getFederationStatus, async (opDeps, who, input) =>
    getFederationStatus({ ...opDeps, federation }, who, input),
  );
  bind(app, deps, status.getProjectFederationStatus, async (opDeps, who, input) =>
    getProjectFederationStatus({ ...opDeps, federation }, who, input),
  );
  bind(app, deps, replicas.createFederationReplica, async (opDeps, who, input) =>
    createFederationReplica({ ...opDeps, federation }, who, input),
  );
  bind(app, deps, replicas.leaveFederationReplica, async (opDeps, who, input) =>
    leaveFederationReplica({ ...opDeps, federation }, who, input),
  );
  bind(app, deps, replicas.rebindFederationReplica, async (opDeps, who, input) =>
    rebindFederationReplica({ ...opDeps, federation }, who, input),
  );
  bind(app, deps, replicas.resyncFederationReplica, async (opDeps, who, input) =>
    resyncFederationReplica({ ...opDeps, federation }, who, input),
  );
  bind(app, deps, verify.verifyFederationReplica, async (opDeps, who, input) =>
    verifyFederationReplica({ ...opDeps, federation }, who, input),
  );
  bind(app, deps, contract.createFederationEnrollment, createFederationEnrollment);
  bind(app, deps, contract.rotateFederationEnrollment, rotateFederationEnrollment);
  bind(app, deps, contract.revokeFederationEnrollment, revokeFederationEnrollment);
  bind(app, deps, batches.listFederationQuarantine, listFederationQuarantine);
  bind(app, deps, batches.showFederationQuarantine, showFederationQuarantine);
  bind(app, deps, batches.retryFederationQuarantine, async (opDeps, who, input) =>
    retryFederationQuarantine({ ...opDeps, federation }, who, input),
  );
  bindHeavyWrite(app, deps, writeWorker, SKIP_QUARANTINE, async ({ project_id }) => {
    const project = await deps.store.readOne(
      async ({ projects }) => await projects.findById(Number(project_id)),
    );
    if (project !== undefined) federation.wake(project.uid);
  });
  bindHeavyRead(app, deps, readWorker, SPOKE_POLL, async (_event, who, input) => {
    const begun = await beginPoll(deps, who, input);
    const headers = { ...featureHeaders(begun), "x-svc-replica-stamp": begun.replica_stamp };
    return { input: { ...input, begun }, headers };
  });
}
