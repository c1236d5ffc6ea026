import { join } from "node:path";
import { expect, test } from "vitest";
import { call } from "../../../src/client/call.ts";
import { skipFederationQuarantine } from "../../../src/contract/federation-quarantine.ts";
import { createIssue, listIssues } from "../../../src/contract/issues.ts";
import { initProject } from "../../../src/contract/projects.ts";
import { Local } from "../../client/local.ts";
import { tempFolder } from "../../support/daemon.ts";
import { plantQuarantine } from "../../support/quarantine.ts";

/** More events than the daemon takes back on its own thread. */
const MANY = 60;

test("a large batch that the hub refused is skipped only with the exact confirmation, and all of it is taken back", async () => {
  const folder = tempFolder();
  const local = new Local(folder);
  const first = await local.daemon();
  const before = await local.client();
  const { project } = await call(before, initProject, { body: { name: "web", actor: "ann" } });
  const params = { project_id: project.id };
  const create = async (title: string) =>
    await call(before, createIssue, { params, body: { title, actor: "ann", force_new: true } });
  await create("kept");
  await create("refused");
  for (let n = 1; n < MANY; n++) await create(`one of many ${n}`);
  await first.stop();
  await plantQuarantine(join(folder, "svc.db"), "web", "refused");
  await local.daemon();
  const client = await local.client();
  const skip = async (confirm: string) =>
    await call(client, skipFederationQuarantine, {
      params: { ...params, quarantine_id: 1 },
      headers: { "x-svc-confirm": confirm },
      body: { actor: "ann" },
    });
  await expect(skip("yes")).rejects.toMatchObject({ code: "confirm_mismatch" });
  expect(await skip("SKIP FEDERATION BATCH 1")).toMatchObject({
    resolution: "skip",
    skipped_event_count: MANY,
  });
  const { issues } = await call(client, listIssues, { params });
  expect(issues.map(({ title }) => title)).toEqual(["kept"]);
  await expect(skip("SKIP FEDERATION BATCH 1")).rejects.toMatchObject({
    code: "federation_quarantine_not_found",
  });
});
