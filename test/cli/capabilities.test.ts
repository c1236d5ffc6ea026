import { expect, test } from "vitest";
import { EVENT_FEATURES } from "../../src/contract/capabilities.ts";
import { projectWorld } from "./harness.ts";

test("svc cron capabilities prints the same JSON in every mode, and is refused for an unknown project", async () => {
  const w = await projectWorld();
  const text = await w.ok(["cron", "capabilities"]);
  expect(JSON.parse(text)).toEqual({
    svc_api_version: 1,
    project_uid: expect.stringMatching(/^[0-9A-Z]{26}$/),
    event_features: [...EVENT_FEATURES],
  });
  for (const mode of ["--json", "--agent", "-q"])
    expect(await w.ok(["cron", "capabilities", mode])).toBe(text);
  expect((await w.refused(["cron", "capabilities", "--project", "none"])).code).toBe(4);
});
