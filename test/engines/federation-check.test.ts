import { expect, test } from "vitest";
import { databaseChecks } from "../../src/engines/checks/all.ts";
import { makeHub } from "../support/federated.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

describeStore("the check of federation in svc doctor", (open) => {
  test("warns of a disabled binding of an active project", async () => {
    const w = await world({ store: open });
    const look = async () => {
      const check = databaseChecks().find(({ id }) => id === "storage.federation");
      const found = await w.store.read(async (reader) => await check?.look(reader));
      return [found?.status, found?.summary];
    };
    expect(await look()).toEqual(["ok", "no project is federated"]);
    const project = await w.given.project();
    await makeHub(w, project);
    expect(await look()).toEqual(["ok", "1 federated project, and none is disabled"]);
    await makeHub(w, project, { enabled: 0, disabled_reason: "new_instance" });
    expect(await look()).toEqual(["warning", "federation is disabled for web (new_instance)"]);
    await w.given.archived(project);
    expect((await look())[0]).toBe("ok");
  });
});
