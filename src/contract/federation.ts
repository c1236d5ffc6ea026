import { z } from "zod";
import { isUlid } from "../base/ulid.ts";
import { EVENT_FEATURE_HEADERS, FederationMetadata } from "./federation-transport.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Instant, ProjectId } from "./values.ts";

const route = routesOf("federation");

const MAX_CAPABILITIES = 16;
/** For a token that the client generated itself, instead of letting the hub do it. */
const [MIN_TOKEN_CHARACTERS, MAX_TOKEN_CHARACTERS] = [32, 256];

const InstanceUid = () =>
  z.string().refine(isUlid, "must be the 26 characters that svc federation identity prints");

const Enrollment = component("FederationEnrollment", () =>
  z.looseObject({
    id: z.int(),
    spoke_instance_uid: z.string().describe("the daemon that may use it"),
    project_id: z.int().nullable().describe("null: all projects that are federated here"),
    capabilities: z.array(z.string()).describe("sorted; claim is for leases"),
    actor: z.string().describe("to whom the changes of the spoke are attributed"),
    allow_adoption_snapshot_authors: z
      .boolean()
      .describe("whether the first upload of a project may name other authors"),
    created_at: Instant(),
    updated_at: Instant(),
    revoked_at: Instant().optional(),
    last_used_at: Instant()
      .optional()
      .describe("the last request with its token that was answered"),
  }),
);

/** Makes this daemon the hub of a project. Repeating it changes nothing, and enables a binding that was disabled. */
export const enableProjectFederation = route({
  id: "enableProjectFederation",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/federation/enable",
  access: "write",
  pages: "none",
  summary: "let other daemons keep copies of the project, which this daemon then owns",
  body: component("EnableFederationRequest", () => z.strictObject({ actor: Actor() })),
  response: FederationMetadata,
  responseHeaders: EVENT_FEATURE_HEADERS,
  errors: ["not_a_hub"],
});

export const getProjectFederation = route({
  id: "getProjectFederation",
  method: "GET",
  path: "/projects/{project_id}/federation",
  access: "read",
  pages: "none",
  summary: "show the event from which the hub sends the events of the project",
  response: FederationMetadata,
  responseHeaders: EVENT_FEATURE_HEADERS,
  errors: ["federation_not_found", "not_a_hub"],
});

export const listFederationEnrollments = route({
  id: "listFederationEnrollments",
  method: "GET",
  path: "/federation/enrollments",
  access: "read",
  pages: "none",
  summary: "list the enrollments, revoked ones included, by id; never a secret",
  response: component("ListFederationEnrollmentsResponse", () =>
    z.looseObject({ enrollments: z.array(Enrollment()) }),
  ),
});

const EnrollmentToken = () =>
  z
    .string()
    .min(MIN_TOKEN_CHARACTERS)
    .max(MAX_TOKEN_CHARACTERS)
    .regex(/^[!-~]+$/, "must be printable ASCII without spaces");

const SECRET = `a secret that the caller made, ${MIN_TOKEN_CHARACTERS} to ${MAX_TOKEN_CHARACTERS} characters`;

const Capabilities = () =>
  z
    .union([z.array(z.string()).max(MAX_CAPABILITIES), z.string()])
    .describe("a list, or a text with commas, of pull, push and lease (in answers: claim)");

const AllowAuthors = () =>
  z
    .boolean()
    .optional()
    .describe("whether the first upload of a project may name other authors; of one project");

const MadeEnrollment = component("CreateFederationEnrollmentResponse", () =>
  Enrollment().extend({
    token: z.string().describe("the secret; in no later answer, since only its hash is stored"),
  }),
);

/**
 * Permits another daemon to copy a project. A request with the token of an enrollment that is still active and has the
 * same attributes is answered with that enrollment.
 */
export const createFederationEnrollment = route({
  id: "createFederationEnrollment",
  method: "POST",
  path: "/federation/enrollments",
  access: "write",
  pages: "none",
  summary: "permit another daemon to copy a project, and answer with a token once",
  body: component("CreateFederationEnrollmentRequest", () =>
    z.strictObject({
      token: EnrollmentToken()
        .optional()
        .describe(
          `${SECRET}; without it, this daemon makes one. A request whose answer was lost can then be repeated`,
        ),
      spoke_instance_uid: InstanceUid().describe("what svc federation identity prints there"),
      project_id: ProjectId()
        .nullable()
        .describe("null: all projects that are federated here, also later ones"),
      capabilities: Capabilities(),
      actor: Actor(),
      allow_adoption_snapshot_authors: AllowAuthors(),
    }),
  ),
  response: MadeEnrollment,
  errors: [
    "federation_enrollment_token_conflict",
    "federation_not_found",
    "project_not_found",
    "not_a_hub",
    "token_admin_forbidden",
  ],
});

/**
 * Gives a spoke another token: one write makes an enrollment with this token, and revokes all other enrollments of the
 * spoke for the project. A request with the token of an enrollment that is still active and has the same attributes is
 * answered with that enrollment. The spoke uses the new token once it has joined with it.
 */
export const rotateFederationEnrollment = route({
  id: "rotateFederationEnrollment",
  method: "POST",
  path: "/federation/enrollments/actions/rotate",
  access: "write",
  pages: "none",
  summary: "replace the enrollments of another daemon for a project by one with another token",
  body: component("RotateFederationEnrollmentRequest", () =>
    z.strictObject({
      token: EnrollmentToken().describe(SECRET),
      spoke_instance_uid: InstanceUid().describe("of the enrollments that end"),
      project_id: ProjectId().describe("of the enrollments that end; others of the daemon stay"),
      capabilities: Capabilities(),
      actor: Actor(),
      allow_adoption_snapshot_authors: AllowAuthors(),
    }),
  ),
  response: MadeEnrollment,
  errors: [
    "federation_enrollment_token_conflict",
    "federation_not_found",
    "project_not_found",
    "not_a_hub",
  ],
});

export const revokeFederationEnrollment = route({
  id: "revokeFederationEnrollment",
  method: "POST",
  path: "/federation/enrollments/{enrollment_id}/revoke",
  access: "write",
  pages: "none",
  summary: "end an enrollment; its token is refused from the next request on",
  params: shape(() =>
    z.object({ enrollment_id: z.int().positive().describe("the id in the list of enrollments") }),
  ),
  response: component("RevokeFederationEnrollmentResponse", () =>
    z.looseObject({ id: z.int(), revoked: z.boolean() }),
  ),
  errors: ["federation_enrollment_not_found"],
});
