import type { InferredFlags } from "@oclif/core/interfaces";
import { leaseSeconds } from "../../shared/leases.ts";
import { usage } from "../failure/failure.ts";
import { type labelFilters, labelQuery } from "./filters.ts";
import { booleanFlag, type Globals, textFlag } from "./flags.ts";

export const ttlFlag = {
  ttl: textFlag("how long it lasts, 60s to 24h; by default until it is released", "<time>"),
};

export function ttlOf({ ttl }: { readonly ttl?: string | undefined }): number | undefined {
  return ttl === undefined ? undefined : leaseSeconds("--ttl", ttl);
}

/** Flags that cannot be combined with taking an issue: some filters, and flags that only affect the output. */
const NOT_TAKEN_BY = [
  ...["owner", "author", "changed-since", "limit", "order"],
  ...["full", "fields", "max-bytes", "after"],
];

export const takeFlags = {
  claim: booleanFlag("claim the first that nobody owns: become its owner", {
    exclusive: [...NOT_TAKEN_BY, "lease"],
  }),
  lease: textFlag(
    "lease the first that nobody else owns or leases, for this long (60s to 24h)",
    "<time>",
    { exclusive: [...NOT_TAKEN_BY, "claim"] },
  ),
  "idempotency-key": textFlag(
    "with --claim or --lease: a repeat with the same key gives the same issue while it is held",
    "<key>",
  ),
};

export type TakeFlags = InferredFlags<typeof takeFlags & typeof labelFilters> & {
  readonly containers: boolean;
};

/** Returns the body of the request that takes an issue, or `undefined` if no flag asks for this. */
export function takeRequest(flags: TakeFlags) {
  const { claim, lease, containers } = flags;
  if (!claim && lease === undefined) {
    if (flags["idempotency-key"] === undefined) return undefined;
    throw usage("--idempotency-key is for taking an issue", "add --claim or --lease");
  }
  const { label: labels, exclude_label: exclude_labels } = labelQuery(flags);
  return {
    labels,
    exclude_labels,
    containers: containers || undefined,
    lease:
      lease === undefined
        ? undefined
        : { ttl_seconds: leaseSeconds("--lease", lease), client_kind: CLIENT_KIND },
  };
}

export const CLIENT_KIND = "cli";

/**
 * Requires `--as` for commands that end another person's lease (docs/contract/command-line.md#22-further-operations).
 */
export function requireExplicitActor({ as }: Pick<Globals, "as">): string {
  if (as !== undefined && as.trim() !== "") return as;
  throw usage("--as is required", "say who you are: others lose their lease by this");
}
