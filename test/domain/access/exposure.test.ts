import { expect, test } from "vitest";
import { exposureOf } from "../../../src/domain/access/exposure.ts";

const NOBODY = [] as const;
const ALL = ["none"] as const;
const OWN = ["daemon_token"] as const;
const BOTH = ["daemon_token", "person_token"] as const;

/** Mode, whether a proxy names actors; then who reads, follows events, writes, administers tokens. */
test.each([
  ["open", false, ALL, ALL, ALL, ALL, "request"],
  ["open", true, ALL, ALL, ALL, NOBODY, "header"],
  ["tokenless", false, ALL, ALL, ALL, NOBODY, "request"],
  ["tokenless", true, ALL, ALL, ALL, NOBODY, "header"],
  ["readonly", false, ALL, NOBODY, NOBODY, NOBODY, "request"],
  ["static", false, OWN, OWN, OWN, OWN, "request"],
  ["static", true, OWN, OWN, OWN, NOBODY, "header"],
  ["identity", false, BOTH, BOTH, ["person_token"], OWN, "token"],
  ["identity", true, BOTH, BOTH, BOTH, NOBODY, "header"],
] as const)(
  "the exposure in the mode %s, behind a proxy that names actors (%s), says who may read, write and administer",
  (mode, proxied, ...rest) => {
    const [read, follow, write, administer, writes_as] = rest;
    expect(exposureOf(mode, proxied)).toEqual({
      ...{ read, follow, write, administer, writes_as },
    });
  },
);
