import { expect, test, vi } from "vitest";
import { applyPlan } from "../../src/contract/plans.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { expectFolded } from "../store/fold.ts";
import { describePostgres } from "../support/store.ts";
import { world } from "../support/world.ts";

const ISSUES = 120;

describePostgres("an undo of a plan", (open) => {
  test("takes fewer than two statements for each issue, with labels, parents and blockers", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project("shop");
    const issues = Array.from({ length: ISSUES }, (_, at) => ({
      name: `n${at}`,
      title: `issue ${at}`,
      labels: ["all", `n${at % 7}`],
      ...(at === 0 ? {} : { parent: `n${Math.floor((at - 1) / 10)}` }),
      ...(at % 10 === 3 ? { blocked_by: [`n${at - 1}`] } : {}),
    }));
    await w.call(applyPlan, { params, body: { plan: "p", actor: "cyd", issues } });
    const body = { of_actor: "cyd", since: "2020-01-01T00:00:00Z", actor: "bea" };
    const { confirm } = await w.call(undoGlobal, { body: { ...body, dry_run: true } });
    const execute = vi.spyOn(PostgresConnection.prototype, "execute");
    await w.call(undoGlobal, { body, headers: { "x-svc-confirm": confirm } });
    const statements = execute.mock.calls.length;
    execute.mockRestore();
    expect(statements).toBeLessThan(2 * ISSUES);
    await expectFolded(w.store);
  });
});
