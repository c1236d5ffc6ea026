import { z } from "zod";
import { component, shape } from "./shape.ts";
import { Count } from "./values.ts";

/** A content hash or a sum of content hashes. */
export const Hash = shape(() =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("64 lower-case hex digits"),
);

/** Lets a copy see whether it has the events that its hub has. It finds accidents, not forgeries. */
export const FederationDigest = component("FederationDigest", () =>
  z.looseObject({
    from: Count().describe("the horizon of the project: the first event that is counted"),
    through: Count().describe("the end of the log: the last event that may be counted"),
    count: Count().describe("how many events between them are sent to other daemons"),
    sum: Hash().describe("the sum of their content hashes modulo 2^256"),
    fold_version: Count().describe(
      "the version of the rules by which the hub makes rows of events",
    ),
  }),
);
