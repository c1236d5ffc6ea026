import type { JsonObject } from "../../base/json.ts";
import { ACCESS_ERRORS, BODY_ERRORS, COMMON_ERRORS } from "../common-errors.ts";
import { ERRORS, type ErrorCode } from "../error-codes.ts";
import { ROUTES } from "../index.ts";
import { codesOf, type Route } from "../route.ts";
import type { OpenApiVersion } from "./schemas.ts";

/**
 * The body of every refusal (docs/contract/http-api.md#12-error-body). The schema allows other fields, since a newer
 * daemon may add some.
 */
export function errorSchema(version: OpenApiVersion): JsonObject {
  const open = version === "3.1" ? { additionalProperties: true } : {};
  return {
    type: "object",
    required: ["status", "error"],
    properties: {
      status: { type: "integer", description: "the HTTP status again" },
      error: {
        type: "object",
        required: ["code", "message"],
        properties: {
          code: { type: "string", description: "what to branch on; new codes may come" },
          message: { type: "string", description: "for people" },
          hint: { type: "string", description: "what can be done about it" },
          data: { type: "object", description: "particulars, by code", ...open },
        },
        ...open,
      },
    },
    ...open,
  };
}

/**
 * The refusals that several routes share, each with the name of its OpenAPI component. A name begins with the first
 * access of `ACCESS_ERRORS` that has the refusal. The access `open` comes first, and its refusals get no such prefix.
 */
const SHARED_REFUSALS = sharedRefusals();

function sharedRefusals(): ReadonlyMap<string, { readonly name: string; readonly codes: Codes }> {
  const found = new Map<string, { readonly name: string; readonly codes: Codes }>();
  for (const [access, codes] of Object.entries(ACCESS_ERRORS)) {
    if (!ROUTES.some((route) => route.access === access)) continue;
    const prefix = access === "open" ? "" : access.charAt(0).toUpperCase() + access.slice(1);
    for (const [status, of] of byStatus([...COMMON_ERRORS, ...codes, ...BODY_ERRORS])) {
      const key = keyOf(of);
      if (!found.has(key)) found.set(key, { name: `${prefix}Refused${status}`, codes: of });
    }
  }
  return found;
}

type Codes = readonly ErrorCode[];

function keyOf(codes: Codes): string {
  return codes.toSorted().join();
}

export function sharedResponses(): JsonObject {
  return Object.fromEntries(
    [...SHARED_REFUSALS.values()].map(({ name, codes }) => [name, refusal(codes)]),
  );
}

export function errorResponses(route: Route): JsonObject {
  const statuses = [...byStatus(codesOf(route))].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, codes]) => {
      const shared = SHARED_REFUSALS.get(keyOf(codes));
      return [
        String(status),
        shared === undefined ? refusal(codes) : { $ref: `#/components/responses/${shared.name}` },
      ];
    }),
  );
}

function byStatus(codes: readonly ErrorCode[]): ReadonlyMap<number, readonly ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = ERRORS[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}

function refusal(codes: readonly ErrorCode[]): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join("\n"),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}
