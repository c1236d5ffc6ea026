import { z } from "zod";
import { component, shape } from "./shape.ts";
import { Count } from "./values.ts";

/** This file has what all answers to browser pages have in common (docs/contract/http-api.md#314-browser-pages). */

export const UI_CONTRACT_VERSION = "1";

const Capabilities = component("UICapabilities", () =>
  z.looseObject({
    writable: z.boolean().describe("whether this caller may change anything"),
    updates: z
      .enum(["sse", "poll"])
      .describe("sse: follow the stream of events; poll: ask again with If-None-Match"),
    actor_policy: z
      .enum(["request", "identity"])
      .describe("request: each write names its actor; identity: the credential does"),
  }),
);

export const envelope = () => ({
  contract_version: z.string().describe(`of the answers to pages: "${UI_CONTRACT_VERSION}"`),
  cursor: Count().describe("the last event that the answer knows of; follow the stream from it"),
  capabilities: Capabilities(),
  origin: z.string().describe("the origin of the daemon's pages"),
  origin_stable: z.boolean().describe("whether the origin stays the same after a restart"),
});

export const IfNoneMatch = shape(() =>
  z.object({
    "if-none-match": z
      .string()
      .optional()
      .describe("ETags that the page has, with commas between them, or *; a match answers 304"),
  }),
);

/** A whole uid. The operations convert it to upper case. */
export const Uid = shape(() =>
  z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/, "must be a whole uid"),
);

export const TAGGED = {
  ETag: "changes whenever the answer does",
  "Cache-Control": "private, no-store",
  Vary: "Cookie, X-Svc-Web-Session",
} as const;
