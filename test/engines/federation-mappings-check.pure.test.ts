import { expect, test } from "vitest";
import { healthChecks } from "../../src/engines/checks/all.ts";
import type { Health } from "../../src/engines/checks/engine-checks.ts";

const look = (federation_config: Health["federation_config"]) => {
  const check = healthChecks().find(({ id }) => id === "daemon.federation");
  return check?.look({ federation_config } as Health);
};

const counts = (reconciled: number, pending: number, conflicted: number) => ({
  ...{ configured: reconciled + pending + conflicted, reconciled, pending, conflicted },
});

test("svc doctor skips the mappings of a daemon that has none", () => {
  expect(look(undefined)).toMatchObject({ status: "skipped" });
});

test("svc doctor finds nothing wrong with mappings that are reconciled, or were not attempted yet", () => {
  expect(look({ ...counts(2, 0, 0), last_error_category: "hub_unavailable" })).toMatchObject({
    status: "ok",
    summary: "2 mappings of federation, all reconciled",
  });
  expect(look(counts(1, 1, 0))).toMatchObject({
    status: "ok",
    summary: "1 of 2 mappings not attempted yet",
  });
});

test.each([
  ["configuration_conflict", "put the mapping back as it was"],
  ["binding_conflict", "svc federation rebind"],
  ["binding_conflict", "write it to hub_project"],
  ["credential_io", "chmod 600"],
  ["hub_unavailable", "tries again by itself"],
  ["hub_authentication", "token_env"],
  ["hub_validation", "upgrade the older"],
  ["local_storage", "database"],
  ["internal", "federation_mapping.bug"],
] as const)("svc doctor warns of %s and names a cure and the log event", (category, cure) => {
  const found = look({ ...counts(1, 2, 3), last_error_category: category, last_error_status: 418 });
  expect(found).toMatchObject({
    status: "warning",
    summary: `2 of 6 mappings of federation pending and 3 in conflict; last: ${category}, status 418`,
    fix: expect.stringContaining("federation_mapping.failed") as string,
  });
  expect(found?.fix).toContain(cure);
});
