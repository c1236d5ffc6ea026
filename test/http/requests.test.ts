import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { exportLines } from "../../src/archive/export.ts";
import { ERRORS, type ErrorBody } from "../../src/contract/errors.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { resolveProject } from "../../src/contract/projects.ts";
import { BASE_PATH, type Route } from "../../src/contract/route.ts";
import { Nothing } from "../../src/contract/shape.ts";
import type { Store } from "../../src/store/types.ts";
import { X as JOB, W as WORKFLOW } from "../domain/cron/bases.ts";
import {
  brokenRequests,
  oddRequests,
  type Raw,
  rawOf,
  takesInput,
  type Whole,
} from "../support/broken.ts";
import { type Json, sampleOf } from "../support/broken-values.ts";
import { unwrapped } from "../support/schema-json.ts";
import { describeStore, sqliteDatabase } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

/** What requests name: an issue with all that an issue can have, in a project with all that a project can have. */
async function seeded(w: World) {
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
  return {
    project_id: String(project.id),
    ref: issue.uid,
    uid: issue.uid,
    comment_ref: comment.uid,
    label: "ui",
    link_id: String(link.id),
    alias_id: "1",
    other: other.uid,
    project_uid: project.uid,
  };
}

type Seeds = Awaited<ReturnType<typeof seeded>>;
type Fields = { readonly [name: string]: Json };

/** What a request needs where its schema alone does not say it. */
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
  acquireIssueLease: () => ({ claim_kind: "timed", ttl_seconds: 600 }),
  createRecurrence: () => ({ rrule: "FREQ=DAILY", dtstart: "2026-01-01", timezone: "UTC" }),
  renewIssueLease: () => ({ ttl_seconds: 600 }),
  createCronJob: ({ uid }) => ({ definition: { ...JOB, issue: { kind: "existing", uid } } }),
  replaceCronJob: ({ uid }) => ({ definition: { ...JOB, issue: { kind: "existing", uid } } }),
  createCronWorkflow: () => ({ definition: WORKFLOW }),
  replaceCronWorkflow: () => ({ definition: WORKFLOW }),
  undoGlobal: () => ({ of_actor: "ann", since: YESTERDAY }),
  undoProject: () => ({ of_actor: "ann", since: YESTERDAY }),
};

const YESTERDAY = "2025-12-31T00:00:00Z";

/** Headers that a route insists on. */
const INSISTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  moveIssue: { "if-match": '"rev-1"' },
  patchRecurrence: { "if-match": '"rev-1"' },
  deleteRecurrence: { "if-match": '"rev-1"' },
};

const ULID = "01J00000000000000000000000";

/** A request of the route without fault. */
function wholeOf(route: Route, seeds: Seeds): Whole {
  const params = Object.keys(route.params().shape).map((name) => [
    name,
    name in seeds ? seeds[name as keyof Seeds] : ULID,
  ]);
  const query = Object.entries(route.query().shape)
    .filter(
      ([name, field]) => !unwrapped(field).optional || (name === "actor" && route.method !== "GET"),
    )
    .map(([name, field]) => [
      name,
      name === "actor" ? "ann" : name === "since" ? YESTERDAY : String(sampleOf(field)),
    ]);
  return {
    params: Object.fromEntries(params),
    query: Object.fromEntries(query),
    headers: INSISTED[route.id] ?? {},
    body: route.body === Nothing ? undefined : bodyOf(route, seeds),
  };
}

function bodyOf(route: Route, seeds: Seeds): Fields {
  const schema = route.body();
  const body = { ...(sampleOf(schema) as Fields), ...MEANT[route.id]?.(seeds) };
  const asks = "shape" in schema && "actor" in (schema.shape as object);
  return asks ? { actor: "ann", ...body } : body;
}

async function sent(w: World, { method, path, query, headers, body }: Raw): Promise<Response> {
  const url = `http://localhost${BASE_PATH}${path}${query === "" ? "" : `?${query}`}`;
  return await w.app.fetch(
    new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
  );
}

/** All there is, in one number. */
async function stateOf({ store }: { readonly store: Store }): Promise<string> {
  const hash = createHash("sha256");
  const snapshot = await store.openSnapshot();
  try {
    for await (const line of exportLines(snapshot, { includeDeleted: true })) hash.update(line);
    return hash.digest("hex");
  } finally {
    await snapshot.close();
  }
}

/** Why an answer is not how a refusal has to be; nothing when it is. */
async function faultOf(response: Response): Promise<string | undefined> {
  const text = await response.text();
  if (response.status < 400 || response.status >= 500)
    return `${response.status} ${text.slice(0, 200)}`;
  const { status, error } = JSON.parse(text) as ErrorBody;
  const entry = Object.hasOwn(ERRORS, error.code)
    ? ERRORS[error.code as keyof typeof ERRORS]
    : undefined;
  if (entry?.status !== response.status || status !== response.status)
    return `status of ${text.slice(0, 200)}`;
  const known = new Set(["code", "message", "hint", "data"]);
  if (error.message === "" || !Object.keys(error).every((key) => known.has(key)))
    return `body ${text.slice(0, 200)}`;
  return undefined;
}

describeStore("requests made of the contract", (open) => {
  test("broken in one place each are refused, by a code of the route, and change nothing", async () => {
    const w = await world({ store: open });
    const seeds = await seeded(w);
    const faults: string[] = [];
    for (const route of ROUTES) {
      const before = await stateOf(w);
      for (const { how, raw } of brokenRequests(route, wholeOf(route, seeds))) {
        const fault = await faultOf(await sent(w, raw)).catch(String);
        if (fault !== undefined) faults.push(`${route.id}, where ${how}: ${fault}`);
      }
      if ((await stateOf(w)) !== before) faults.push(`${route.id} changed something`);
    }
    expect(faults).toEqual([]);
  }, 240_000);

  test("of odd texts and numbers break nothing", async () => {
    const w = await world({ store: open });
    const seeds = await seeded(w);
    const faults: string[] = [];
    for (const route of ROUTES) {
      for (const { how, raw } of oddRequests(route, wholeOf(route, seeds))) {
        const response = await sent(w, raw);
        if (response.status >= 400) {
          const fault = await faultOf(response);
          if (fault !== undefined) faults.push(`${route.id}, where ${how}: ${fault}`);
        } else await response.text();
      }
    }
    expect(faults).toEqual([]);
  }, 120_000);
});

/** Codes that say nothing about the one fault: what such a request was to show would be shown by none. */
const FAULTS_OF_FORM = [
  "not_found",
  "method_not_allowed",
  "validation",
  "payload_too_large",
  "unsupported_media_type",
  "origin_forbidden",
];

describe("the requests that are broken", () => {
  test("are without fault before, and broken in twenty ways and more", async () => {
    const w = await world({ store: (await sqliteDatabase()).open });
    const seeds = await seeded(w);
    const few: string[] = [];
    const refused: string[] = [];
    for (const route of ROUTES) {
      const whole = wholeOf(route, seeds);
      if (takesInput(route) && brokenRequests(route, whole).length < 20) few.push(route.id);
      if (route.responseType !== undefined) continue;
      const response = await sent(w, rawOf(route, whole));
      const { error } = (await response.json()) as Partial<ErrorBody>;
      if (error !== undefined && FAULTS_OF_FORM.includes(error.code))
        refused.push(`${route.id}: ${error.message}`);
    }
    expect({ few, refused }).toEqual({ few: [], refused: [] });
  });
});
