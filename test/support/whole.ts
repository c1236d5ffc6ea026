import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { createFederationEnrollment } from "../../src/contract/federation.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { resolveProject } from "../../src/contract/projects.ts";
import type { Route } from "../../src/contract/route.ts";
import { Nothing } from "../../src/contract/shape.ts";
import { createToken } from "../../src/contract/tokens.ts";
import { BASE_PATH } from "../../src/contract/version.ts";
import { X as JOB, W as WORKFLOW } from "../domain/cron/bases.ts";
import type { Raw, Whole } from "./broken.ts";
import { type Json, sampleOf } from "./broken-values.ts";
import { makeHub, SPOKE } from "./federated.ts";
import { unwrapped } from "./schema-json.ts";
import type { World } from "./world.ts";

/**
 * Makes what requests name: an issue with everything that an issue can have, in a project with everything that a
 * project can have.
 */
export async function seeded(w: World) {
  // A project of its own, since a federated one is not merged and no issue is moved from it.
  const federated = await w.given.project("federated");
  await makeHub(w, federated);
  const project = await w.given.project();
  const [issue, other] = [
    await w.given.issue({ project, labels: ["ui"] }),
    await w.given.issue({ project }),
  ];
  const { comment } = await w.given.comment({ on: issue });
  const link = await w.given.link(issue, "blocks", other);
  const aliases = [
    { identity: "git/a", kind: "git" } as const,
    { identity: "git/b", kind: "git" } as const,
  ];
  for (const alias of aliases) await w.call(resolveProject, { body: { name: "web", alias } });
  await w.call(acquireIssueLease, { params: other.path, body: {} });
  const { job } = await w.call(createCronJob, {
    params: project.path,
    body: {
      name: "check",
      definition: { ...JOB, issue: { kind: "existing", uid: issue.uid } } as never,
    },
  });
  const enrollment = await w.call(createFederationEnrollment, {
    body: { spoke_instance_uid: SPOKE, project_id: federated.id, capabilities: ["pull"] },
  });
  const { token } = await w.call(createToken, { body: { actor: "ann" } });
  return {
    id: String(token.id),
    project_id: String(project.id),
    ref: issue.uid,
    provider: "github",
    instance: "files",
    uid: issue.uid,
    comment_ref: comment.uid,
    label: "ui",
    link_id: String(link.id),
    enrollment_id: String(enrollment.id),
    federated: String(federated.id),
    alias_id: "1",
    quarantine_id: "1",
    cron_uid: job.uid,
    job_event_uid: job.definition_event_uid,
    other: other.uid,
    project_uid: project.uid,
  };
}

export type Seeds = Awaited<ReturnType<typeof seeded>>;
type Fields = { readonly [name: string]: Json };

/** Values that a request needs so that it fits the data. Its schema does not say them. */
const MEANT: Readonly<Record<string, (seeds: Seeds) => Fields>> = {
  initProject: () => ({ name: "new" }),
  resolveProject: () => ({ name: "web" }),
  mergeProject: ({ project_id }) => ({ source_project_id: Number(project_id) + 1 }),
  rewriteAuthorIdentity: () => ({ from: "nobody", to: "somebody" }),
  editIssue: () => ({ title: "another title" }),
  closeIssue: () => ({ source: "tui" }),
  moveIssue: ({ project_uid }) => ({ to_project_uid: project_uid }),
  createLink: ({ other }) => ({ type: "related", to_ref: other }),
  addLabel: () => ({ label: "ui" }),
  resolveExternalComment: () => ({ action: "retry" }),
  acquireIssueLease: () => ({ claim_kind: "timed", ttl_seconds: 600 }),
  createRecurrence: () => ({ rrule: "FREQ=DAILY", dtstart: "2026-01-01", timezone: "UTC" }),
  renewIssueLease: () => ({ ttl_seconds: 600 }),
  createCronJob: ({ uid }) => ({ definition: { ...JOB, issue: { kind: "existing", uid } } }),
  previewCronDefinition: ({ uid }) => ({
    definition: {
      ...JOB,
      trigger: { kind: "interval", interval_seconds: 3600 },
      issue: { kind: "existing", uid },
    },
  }),
  replaceCronJob: ({ uid }) => ({ definition: { ...JOB, issue: { kind: "existing", uid } } }),
  createCronWorkflow: () => ({ definition: WORKFLOW }),
  replaceCronWorkflow: () => ({ definition: WORKFLOW }),
  observeCronRun: ({ cron_uid, job_event_uid }) => ({
    job_uid: cron_uid,
    definition_event_uid: job_event_uid,
    status: "running",
    summary: { version: 1 },
    expected_revision: 0,
  }),
  createFederationEnrollment: ({ federated }) => ({
    spoke_instance_uid: SPOKE,
    project_id: Number(federated),
    capabilities: "pull",
  }),
  rotateFederationEnrollment: ({ federated }) => ({
    token: "svc_fed_0123456789-0123456789-0123456789",
    spoke_instance_uid: SPOKE,
    project_id: Number(federated),
    capabilities: "pull",
  }),
  createFederationReplica: () => ({
    hub_url: "https://hub.example",
    hub_project_id: 7,
    hub_project_uid: ULID,
    project_name: "copy",
    replay_horizon_event_id: 5,
    token: "svc_fed_0123456789",
    capabilities: "pull",
    push_enabled: false,
    adopt_existing: false,
  }),
  leaveFederationReplica: () => ({ disposition: "detach", preflight: false, prepare: false }),
  enableIssueSync: () => ({ config: { owner: "ann", repo: "web" } }),
  undoGlobal: () => ({ of_actor: "ann", since: YESTERDAY }),
  undoProject: () => ({ of_actor: "ann", since: YESTERDAY }),
};

const YESTERDAY = "2025-12-31T00:00:00Z";

/** Headers that a route requires. */
const REQUIRED_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  moveIssue: { "if-match": '"rev-1"' },
  streamEvents: { accept: "text/event-stream" },
  patchRecurrence: { "if-match": '"rev-1"' },
  deleteRecurrence: { "if-match": '"rev-1"' },
};

const ULID = "01J00000000000000000000000";

/** Returns a valid request of the route. */
export function wholeOf(route: Route, seeds: Seeds): Whole {
  const params = Object.keys(route.params().shape).map((name) => [
    name,
    name in seeds ? seeds[name as keyof Seeds] : ULID,
  ]);
  const meant = new Map([
    ["actor", "ann"],
    ["since", YESTERDAY],
    ["issue_uid", seeds.uid],
  ]);
  const query = Object.entries(route.query().shape)
    .filter(
      ([name, field]) => !unwrapped(field).optional || (name === "actor" && route.method !== "GET"),
    )
    .map(([name, field]) => [name, meant.get(name) ?? String(sampleOf(field))]);
  return {
    params: Object.fromEntries(params),
    query: Object.fromEntries(query),
    headers: REQUIRED_HEADERS[route.id] ?? {},
    body: route.body === Nothing ? undefined : bodyOf(route, seeds),
  };
}

function bodyOf(route: Route, seeds: Seeds): Fields {
  const schema = route.body();
  const body = { ...(sampleOf(schema) as Fields), ...MEANT[route.id]?.(seeds) };
  const asks = "shape" in schema && "actor" in (schema.shape as object);
  return asks ? { actor: "ann", ...body } : body;
}

export async function sent(
  w: World,
  { method, path, query, headers, body }: Raw,
): Promise<Response> {
  const url = `http://localhost${BASE_PATH}${path}${query === "" ? "" : `?${query}`}`;
  return await w.app.fetch(
    new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
  );
}
