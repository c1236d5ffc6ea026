import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import type { Value } from "../../../src/store/connection.ts";
import { PostgresConnection } from "../../../src/store/postgres/connection.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { describePostgres } from "../../support/store.ts";
import { created, log, projectCreated, projectRemoved, uid } from "../drafts.ts";

const P = uid(1);

describePostgres("a purge of a project", (open) => {
  test("finds the project's rows by joins, never by scanning them all for each row", async () => {
    const { target, open: openDatabase } = await open.database();
    const store = await openDatabase();
    await log(store, projectCreated(P, "web"));
    await log(store, created(P, uid(100)));
    await log(store, projectRemoved(P));
    const execute = vi.spyOn(PostgresConnection.prototype, "execute");
    await store.write(async (tx) => {
      const project = await tx.projects.find(P);
      if (project === undefined) throw new Error("it is there");
      await tx.purgeProject(project, { actor: "ann", reason: null });
    });
    const sent = [...execute.mock.calls] as (readonly [string, readonly Value[]])[];
    execute.mockRestore();
    const changes = sent.filter(([sql]) => /^(delete|update|select)\b.*\bin \(select/s.test(sql));
    expect(changes.length).toBeGreaterThan(10);

    const backend = await openPostgres({ schema: "svc", ...target, clock: systemClock });
    onTestFinished(async () => await backend.close());
    const connection = await backend.writer();
    for (const [sql, values] of changes) {
      const { rows } = await connection.execute(`explain ${sql}`, values);
      expect(JSON.stringify(rows), sql).not.toMatch(/ANY \([^"]*SubPlan/);
    }
  });
});
