import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { describePostgres } from "../../support/store.ts";

describePostgres("the session that writes", (open) => {
  test("plans each statement for the current state of the tables, however often the statement ran before", async () => {
    const { target } = await open.database();
    const backend = await openPostgres({ schema: "svc", ...target, clock: systemClock });
    onTestFinished(async () => await backend.close());
    const writer = await backend.writer();
    const find = "select uid from issue where uid = $1";
    for (let times = 0; times < 20; times += 1) await writer.execute(find, ["A"]);
    const { rows } = await writer.execute(
      "select generic_plans::int as kept, custom_plans::int as made from pg_prepared_statements where statement = $1",
      [find],
    );
    expect(rows).toEqual([{ kept: 0, made: 20 }]);
  });
});
