import { expect } from "vitest";
import { getProjectFederationStatus } from "../../src/contract/federation-status.ts";
import { answer, bytesOf, type Joined, joined } from "../support/replica.ts";
import type { OpenStore } from "../support/world.ts";
import { bindingOf, expectClean, rowsOf } from "./copies.ts";

/** A batch as the hub got it. */
export interface Batch {
  readonly schema_version: number;
  readonly bytes: number;
  readonly events: readonly {
    readonly event_id: number;
    readonly event_uid: string;
    readonly type: string;
    readonly actor: string;
  }[];
}

/** A hub, and a spoke that has read it and sends it what is written there as sam. */
export async function writingCopy(
  open: OpenStore,
  fill?: (hub: Joined["hub"], project: Joined["project"]) => Promise<void>,
) {
  const it = await joined(open, fill, { push: true });
  expect(await it.pull()).toMatchObject({ outcome: "current" });
  const { hub, spoke, server, project } = it;
  const found = await spoke.store.read(async ({ projects }) => await projects.find(project.uid));
  const local = { id: found?.id ?? 0 };
  const batches: Batch[] = [];
  const record: Parameters<typeof server.intercept>[0] = (request, response) => {
    if (request.method !== "POST") return void answer(hub, request, response);
    void bytesOf(request).then(async (body) => {
      const batch = JSON.parse(Buffer.from(body).toString()) as Omit<Batch, "bytes">;
      batches.push({ ...batch, bytes: body.length });
      await answer(hub, request, response, undefined, body);
    });
  };
  server.intercept(record);
  const status = async () => {
    const params = { project_id: local.id };
    return (await spoke.call(getProjectFederationStatus, { params })).statuses[0];
  };
  return {
    ...it,
    /** The project of the spoke. */
    local,
    /** The batches that reached the hub while nothing else was intercepted. */
    batches,
    /** Lets the hub answer again, after another interception. */
    mend: () => server.intercept(record),
    status,
    binding: async () => await bindingOf(spoke, project),
    quarantine: async () =>
      await spoke.store.read(
        async ({ federation }) => await federation.activeQuarantine(project.uid),
      ),
    posts: () => server.asked.filter(({ method }) => method === "POST").length,
    /** One history: the same rows on both sides, each of them what the log says. */
    expectOneHistory: async () => {
      expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
      await expectClean(spoke);
      await expectClean(hub);
    },
  };
}

export type WritingCopy = Awaited<ReturnType<typeof writingCopy>>;
