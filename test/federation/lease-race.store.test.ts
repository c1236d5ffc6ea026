import fc from "fast-check";
import { expect, test } from "vitest";
import { getIssueLeaseStatus, takeReadyIssue } from "../../src/contract/leases.ts";
import { leasingHub, leasingSpoke, type Trouble } from "../support/leasing.ts";
import { describeStore } from "../support/store.ts";
import type { World } from "../support/world.ts";

/** For longer runs by hand: SVC_LEASE_AGENTS=64 SVC_LEASE_ROUNDS=20, and another SVC_LEASE_SEED. */
const AGENTS = Number(process.env["SVC_LEASE_AGENTS"] ?? 12);
const ROUNDS = Number(process.env["SVC_LEASE_ROUNDS"] ?? 2);
const SEED = Number(process.env["SVC_LEASE_SEED"] ?? fc.sample(fc.nat(), 1)[0]);
const ISSUES = 10;
const TTL = 60;

type Answer = { readonly issue?: { readonly uid: string } | null; readonly changed?: boolean };

describeStore("agents on three daemons whose network is cut at random", (open) => {
  test.each(["lease", "claim"] as const)("never get one issue twice with a %s", async (how) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const seed = SEED + round;
      const uids: string[] = [];
      const at = await leasingHub(open, async (hub, project) => {
        for (let n = 0; n < ISSUES; n += 1)
          uids.push((await hub.given.issue({ project, title: `issue ${n}` })).uid);
      });
      const spokes = [
        await leasingSpoke(open, at),
        await leasingSpoke(open, at, { start: 40_000 }),
      ];
      const weather = fc.sample(
        fc.constantFrom<Trouble | undefined>("cut", "lost", undefined, undefined),
        {
          numRuns: 4000,
          seed,
        },
      );
      let asked = 0;
      at.trouble(() => weather[asked++ % weather.length]);
      const nodes: readonly (readonly [World, number])[] = [
        [at.hub, at.project.id],
        ...spokes.map(({ spoke, project_id }) => [spoke, project_id] as const),
      ];
      const body = how === "lease" ? { lease: { ttl_seconds: TTL } } : {};
      const winners = new Map<string, string>();
      const agent = async (name: string, [w, project_id]: readonly [World, number]) => {
        for (let tries = 0; tries < 3; tries += 1) {
          const params = { project_id };
          const response = await w.send(takeReadyIssue, { params, body, actor: name });
          const { issue, changed } = (await response.json()) as Answer;
          if (response.status !== 200 || changed !== true || issue === null) continue;
          const uid = issue?.uid ?? "";
          expect(winners.get(uid), `two of ${uid}, seed ${seed}`).toBeUndefined();
          winners.set(uid, name);
        }
      };
      const agents = Array.from({ length: AGENTS }, async (_, n) => {
        const node = nodes[n % nodes.length];
        if (node !== undefined) await agent(`agent-${n}`, node);
      });
      const passes = spokes.map(async ({ pass }) => {
        for (let n = 0; n < 5; n += 1) await pass();
      });
      await Promise.all([...agents, ...passes]);
      expect(winners.size).toBeGreaterThan(0);
      at.trouble(undefined);
      at.hub.clock.advance(TTL * 1000 + 31_000);
      for (let n = 0; n < 3; n += 1) for (const { pass } of spokes) await pass();
      for (const { pending } of spokes) expect(await pending()).toEqual([]);
      for (const ref of uids) {
        const params = { project_id: at.project.id, ref };
        const { held } = await at.hub.call(getIssueLeaseStatus, { params });
        expect(held, `a lease of nobody, seed ${seed}`).toBe(false);
      }
    }
  });
});
