import { expect, test } from "vitest";
import { checkConnectors, checkSilentConnectors } from "../../src/cli/doctor-connectors.ts";

const healthy = (instance_id: string) => ({ instance_id, healthy: true, display_name: "Files" });
const failing = (instance_id: string) => ({
  ...{ instance_id, healthy: false },
  health_error: "external connector process failed",
});
const TEXT = "external connector process failed";

test.each([
  ["one healthy", [healthy("a")], "ok", "1 connector healthy"],
  ["two healthy", [healthy("a"), healthy("b")], "ok", "2 connectors healthy"],
  ["one that fails", [healthy("a"), failing("b")], "warning", `b: ${TEXT}`],
  [
    "four that fail, of which three are named",
    ["a", "b", "c", "d"].map(failing),
    "warning",
    `a: ${TEXT}; b: ${TEXT}; c: ${TEXT}; and 1 more`,
  ],
] as const)("svc doctor says of connectors, $0: $2, $3", (_what, connectors, status, summary) => {
  const found = checkConnectors([...connectors]);
  expect(found).toMatchObject({ status, summary, details: { connectors } });
  if (status === "ok") expect(found).not.toHaveProperty("fix");
  else expect(found.fix).toContain("svc connector test");
});

test("svc doctor warns of connectors that have not answered, and names the command that waits for them", () => {
  expect(checkSilentConnectors("no answer within 10s")).toEqual({
    status: "warning",
    summary: "not all connectors have answered: no answer within 10s",
    fix: "svc connector list waits for each, and shows which it is",
  });
});
