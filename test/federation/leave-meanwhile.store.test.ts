import { expect, test, vi } from "vitest";
import { leaveFederationReplica } from "../../src/contract/federation-replicas.ts";
import { answer, bytesOf } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { statusOf } from "./copies.ts";
import { writingCopy } from "./push-world.ts";

describeStore("a copy that leaves its hub while it sends changes", (open) => {
  test.each(["accepted", "refused"])(
    "has no rows of federation left if its batch is then %s",
    async (how) => {
      const it = await writingCopy(open);
      const { hub, spoke, server, project, local } = it;
      await spoke.given.issue({ project: local, title: "on the way" });
      const held: (() => Promise<void> | void)[] = [];
      server.intercept((request, response) => {
        if (request.method !== "POST") return void answer(hub, request, response);
        void bytesOf(request).then((body) =>
          held.push(async () => {
            if (how === "accepted") return await answer(hub, request, response, undefined, body);
            response.writeHead(400).end('{"error":{"code":"validation","message":"no"}}');
          }),
        );
      });
      const passing = it.pull();
      await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 20_000 });
      const params = { project_id: local.id };
      const left = await spoke.call(leaveFederationReplica, { params, body: {} });
      expect(left).toMatchObject({ detached: true });
      await held[0]?.();
      const { outcome } = await passing;
      expect(outcome).toBe(how === "accepted" ? "gone" : "failed");
      expect(await it.binding()).toBeUndefined();
      expect(await statusOf(spoke, project)).toBeUndefined();
      expect(await it.quarantine()).toBeUndefined();
      await spoke.given.issue({ project: local, title: "an ordinary project" });
    },
  );
});
