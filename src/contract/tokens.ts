import { z } from "zod";
import { ACTOR_RULE } from "./actor-name.ts";
import { MAX_ACTOR_BYTES, MAX_TOKEN_NAME_BYTES } from "./limits.ts";
import { Event } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { ActorName, handle, IdempotencyKey, Instant } from "./values.ts";

const route = routesOf("tokens");

const CONTROL = /\p{Cc}/u;
const noControls = (value: string) => !CONTROL.test(value);
const CONTROLS_MESSAGE = { error: "must not contain control characters", abort: true };

const Token = component("Token", () =>
  z.looseObject({
    id: z.int(),
    actor: z.string().describe("who a write with this token is attributed to"),
    name: z.string().nullable().describe("a label, such as where the token is kept"),
    created_at: Instant(),
    last_used_at: Instant().nullable().describe("to the minute; null if it was never used"),
    revoked_at: Instant().nullable(),
  }),
);

export const listTokens = route({
  id: "listTokens",
  method: "GET",
  path: "/tokens",
  access: "tokens",
  summary: "list the API tokens, revoked ones included, by id; never a secret or a hash",
  response: component("ListTokensResponse", () => z.looseObject({ tokens: z.array(Token()) })),
});

/** The answer to a repeated request has no plaintext, since the plaintext is stored nowhere. */
export const createToken = route({
  id: "createToken",
  method: "POST",
  path: "/tokens",
  access: "tokens",
  summary: "create an API token for an actor, and answer with its plaintext once (API 0.16.0)",
  headers: shape(() => z.object({ "idempotency-key": IdempotencyKey() })),
  body: component("CreateTokenRequest", () =>
    z.strictObject({
      actor: ActorName().meta({
        description: `who a write with this token is attributed to; at most ${MAX_ACTOR_BYTES} bytes; ${ACTOR_RULE}`,
      }),
      name: handle(MAX_TOKEN_NAME_BYTES)
        .refine(noControls, CONTROLS_MESSAGE)
        .optional()
        .describe(`a label; at most ${MAX_TOKEN_NAME_BYTES} bytes; empty is none`),
    }),
  ),
  response: component("CreateTokenResponse", () =>
    z.looseObject({
      token: Token(),
      plaintext: z
        .string()
        .optional()
        .describe(
          "the secret; in no later answer, since only its hash is stored. Missing when the request repeats one with the same idempotency key",
        ),
      reused: z
        .boolean()
        .optional()
        .describe("present if an earlier request with this key created the token"),
      accepted: z
        .boolean()
        .describe(
          "whether this daemon accepts tokens of persons; false unless it has require_token_identity",
        ),
    }),
  ),
  errors: ["idempotency_mismatch"],
});

export const revokeToken = route({
  id: "revokeToken",
  method: "POST",
  path: "/tokens/{id}/actions/revoke",
  access: "tokens",
  summary: "revoke an API token; it is refused from the next request on (API 0.16.0)",
  params: shape(() =>
    z.object({ id: z.int().positive().describe("the id in the list of tokens") }),
  ),
  response: component("RevokeTokenResponse", () =>
    z.looseObject({
      token: Token(),
      event: Event()
        .nullable()
        .describe("null if the token was revoked before; its project is no project of the list"),
      enrollments: z
        .array(z.int())
        .optional()
        .describe(
          "ids of active federation enrollments that were made with the token; they stay until somebody revokes them",
        ),
    }),
  ),
  errors: ["token_not_found"],
});
