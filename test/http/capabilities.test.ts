import { expect, test } from "vitest";
import {
  EVENT_FEATURES,
  featuresOf,
  getCronCapabilities,
} from "../../src/contract/capabilities.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

describeStore("capabilities", (open) => {
  test("are the same in the body and in the header, in order, and reading them changes nothing", async () => {
    const w = await world({ store: open });
    const { path: params, uid } = await w.given.project();
    const before = await w.events();
    const response = await w.send(getCronCapabilities, { params });
    const body = (await response.json()) as { readonly event_features: readonly string[] };
    expect(body).toEqual({ project_uid: uid, event_features: [...EVENT_FEATURES].sort() });
    expect(featuresOf(response.headers.get("x-svc-event-features") ?? undefined)).toEqual(
      body.event_features,
    );
    expect(await w.events()).toEqual(before);
  });

  test("are not shown for an archived or a missing project", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    await w.given.archived(project);
    for (const project_id of [project.id, 99])
      expect(await w.refused(getCronCapabilities, { params: { project_id } })).toMatchObject({
        code: "project_not_found",
      });
  });
});

test.each<[string | undefined, readonly string[]]>([
  [undefined, []],
  ["", []],
  [" , ", []],
  ["cron_v1", ["cron_v1"]],
  ["cron_v1,next_v9 , cron_notify_children_v1", ["cron_v1", "next_v9", "cron_notify_children_v1"]],
])("the header %j names the capabilities %j", (header, names) => {
  expect(featuresOf(header)).toEqual(names);
});
