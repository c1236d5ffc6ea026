import type { JsonObject } from "../../base/json.ts";
import { BODY_ERRORS, COMMON_ERRORS, ERRORS, type ErrorCode } from "../error-codes.ts";
import type { Route } from "../route.ts";
import { Nothing } from "../shape.ts";
import type { OpenApiVersion } from "./schemas.ts";

/** The body of every refusal (facts http-api 1.2). It is open, since a newer daemon may add fields. */
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

const SHARED = byStatus([...COMMON_ERRORS, ...BODY_ERRORS]);
const sharedName = (status: number): string => `Refused${status}`;

/** The responses that all routes share. */
export function sharedResponses(): JsonObject {
  return Object.fromEntries(
    [...SHARED].map(([status, codes]) => [sharedName(status), refusal(codes)]),
  );
}

/** All refusals of a route by status, including the shared ones. */
export function errorResponses(route: Route): JsonObject {
  const common = route.body === Nothing ? COMMON_ERRORS : [...COMMON_ERRORS, ...BODY_ERRORS];
  const statuses = [...byStatus([...route.errors, ...common])].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, codes]) => [
      String(status),
      codes.length === SHARED.get(status)?.length
        ? { $ref: `#/components/responses/${sharedName(status)}` }
        : refusal(codes),
    ]),
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
