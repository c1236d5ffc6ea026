import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventKind } from "../../../src/contract/event-kinds.ts";
import { enableProjectFederation } from "../../../src/contract/federation.ts";
import { wireOf } from "../../../src/domain/federation/wire.ts";
import { checkForeignEvent } from "../../../src/ops/federation/foreign-event.ts";
import { RandomRun } from "../../support/random-run.ts";
import { step } from "../../support/random-steps.ts";
import { describeStore } from "../../support/store.ts";
import { world } from "../../support/world.ts";

/** Kinds that the random steps always come to. */
const COMMON = [
  "project.federation_enabled",
  "issue.created",
  "issue.snapshot",
  "issue.updated",
  "issue.closed",
  "issue.commented",
  "issue.labeled",
  "issue.linked",
  "issue.links_changed",
  "issue.metadata_updated",
] as const satisfies readonly EventKind[];

describeStore("the events that svc writes itself", (open) => {
  test("would be accepted from another daemon, including the baseline of each project", {
    timeout: 120_000,
  }, async () => {
    const kinds = new Set<string>();
    for (const seed of open.dialect === "sqlite" ? [1, 2, 3] : [4]) {
      const w = await world({ store: open });
      await (await RandomRun.begin(w)).steps(fc.sample(step, { seed, numRuns: 250 }));
      const projects = await w.store.read(async (reader) => await reader.projects.list(false));
      for (const { id: project_id } of projects)
        await w.call(enableProjectFederation, { params: { project_id }, body: {} });
      for (const event of await w.events()) {
        if (wireOf(event.type) === undefined) continue;
        kinds.add(event.type);
        checkForeignEvent(event);
      }
    }
    expect([...kinds]).toEqual(expect.arrayContaining([...COMMON]));
  });
});
