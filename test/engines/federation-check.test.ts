import { expect, test } from "vitest";
import { databaseChecks } from "../../src/engines/checks/all.ts";
import { noteStatus } from "../../src/ops/federation/replica.ts";
import { makeHub } from "../support/federated.ts";
import { quarantine, SENDING } from "../support/quarantine.ts";
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

  test("names a batch that the hub refused rather than the error of the pass, and the command that shows it", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("our web");
    await w.given.issue({ project });
    await makeHub(w, project, { ...SENDING, hub_project_uid: project.uid });
    await w.store.write(
      async (tx) =>
        await noteStatus(tx, project.uid, { last_error: "validation", last_error_at: tx.now }),
    );
    const look = async () => {
      const check = databaseChecks().find(({ id }) => id === "storage.federation");
      return await w.store.read(async (reader) => await check?.look(reader));
    };
    expect((await look())?.summary).toContain("could not be read (validation)");
    const row = await quarantine(w, project, await w.events());
    expect(await look()).toMatchObject({
      status: "warning",
      summary:
        "the hub of our web refused a batch of changes (validation), so the copy neither sends nor reads",
      fix: 'svc federation quarantine show 1 --project "our web" names the changes, and the commands to send them again or give them up',
    });
    const resolved = { ...row, skipped_at: w.clock.now() };
    await w.store.write(async (tx) => await tx.unfolded.put("federation_quarantine", resolved));
    expect((await look())?.summary).toContain("could not be read");
  });

  test.each([
    ["auth_invalid", "svc federation enrollments rotate <id>"],
    ["hub_authentication", "svc federation enrollments rotate <id>"],
    ["project_not_found", 'svc federation leave "our web" --local-only'],
    ["hub_unavailable", "NODE_EXTRA_CA_CERTS"],
    ["credential_missing", "svc federation join"],
    ["own_event_missing", 'svc federation resync "our web"'],
    ["credential_unreadable", "chmod 600"],
    ["federation_credential_conflict", 'svc federation leave "our web"'],
    ["unsupported_event_features", "upgrade the older one"],
    ["unsupported_federation_schema", "upgrade the older one"],
    ["unavailable", "make room"],
    ["busy", "tries again by itself"],
  ])("says what to do about the error %s", async (last_error, cure) => {
    const w = await world({ store: open });
    const project = await w.given.project("our web");
    await makeHub(w, project, { ...SENDING, hub_project_uid: project.uid });
    await w.store.write(
      async (tx) => await noteStatus(tx, project.uid, { last_error, last_error_at: tx.now }),
    );
    const check = databaseChecks().find(({ id }) => id === "storage.federation");
    const found = await w.store.read(async (reader) => await check?.look(reader));
    expect(found?.fix).toContain(cure);
  });
});
