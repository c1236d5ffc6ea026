import { expect, test } from "vitest";
import { ROUTES } from "../../src/contract/index.ts";
import type { WriteGuard } from "../../src/store/types/store.ts";
import { rawOf } from "../support/broken.ts";
import { sqliteDatabase } from "../support/store.ts";
import { seeded, sent, wholeOf } from "../support/whole.ts";
import { world } from "../support/world.ts";

test("every route that writes has the lease gate before its store", async () => {
  const w = await world({ store: (await sqliteDatabase()).open });
  const seeds = await seeded(w);
  const writes: (WriteGuard | undefined)[] = [];
  const write = w.store.write.bind(w.store);
  w.store.write = async (work, guard) => {
    writes.push(guard);
    return await write(work, guard);
  };
  const found: string[] = [];
  // The stream asks for more than reading, and writes nothing.
  const routes = ROUTES.filter(({ id, access }) => access === "write" && id !== "streamEvents");
  for (const route of routes) {
    writes.length = 0;
    await sent(w, rawOf(route, wholeOf(route, seeds)));
    if (writes.length === 0) found.push(`${route.id} wrote nothing`);
    if (writes.some((guard) => guard?.append === undefined || guard.purgeIssue === undefined))
      found.push(`${route.id} wrote without the gate`);
  }
  expect(found).toEqual([]);
  expect(routes.length).toBeGreaterThan(40);
});
