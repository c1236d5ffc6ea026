import { expect, test } from "vitest";
import { leaseStatusView } from "../../src/cli/render/leases.ts";
import { leaseLines, type ShownIssue } from "../../src/cli/render/show-parts.ts";

const linesOf = (hub_lease: ShownIssue["hub_lease"]) => leaseLines({ hub_lease } as ShownIssue);

test("svc show of an issue in a copy says who has its lease by the last answer of the hub, or that this is unknown", () => {
  expect(linesOf(undefined)).toEqual([]);
  expect(linesOf({ state: "unknown" })).toEqual([
    "lease: unknown here, the hub decides (svc lease status)",
  ]);
  const heard_at = "2026-01-01T00:00:00.000Z";
  const holder_instance_uid = "01J00000000000000000000HXB";
  expect(linesOf({ state: "held", holder: "kim", holder_instance_uid, heard_at })).toEqual([
    `lease: kim from instance ${holder_instance_uid}, as the hub said at ${heard_at}`,
  ]);
});

test("svc lease status does not call an issue free if the hub was not asked", () => {
  const view = leaseStatusView("abc4");
  const style = { paint: (_tone: string, text: string) => text, quiet: false, columns: 80 };
  const human = (hub_asked: false | undefined) =>
    view.human({ held: false, hub_now: "2026-01-01T00:00:00.000Z", hub_asked }, style);
  expect(human(undefined)).toBe("abc4 is free");
  expect(human(false)).toContain("is unknown, since only the hub knows");
  const agent = view.agent({ held: false, hub_now: "", hub_asked: false }, false);
  expect(agent).toBe("OK lease status issue=abc4 held=unknown");
});
