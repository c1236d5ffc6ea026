import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../config/folder.ts";
import { DESCRIBED, describedConnector } from "../connectors/described.ts";
import { projectWorld } from "./harness.ts";

async function configured() {
  const failing = { error: { code: "access_denied", message: "no" } };
  const plain = { result: { ...DESCRIBED, capabilities: [], self_actor_id: undefined } };
  const connectors = [
    describedConnector("files"),
    describedConnector("notes", plain),
    describedConnector("tickets", failing),
  ];
  const w = await projectWorld();
  const entries = connectors.map(({ entry }) => entry);
  await w.restart({ connectors: { entries, environment: {} } });
  return w;
}

test("svc connector list shows how each connector answers", async () => {
  const w = await configured();
  expect((await w.ok(["connector", "list"])).split("\n")).toEqual([
    "INSTANCE  STATE    NAME            CAPABILITIES",
    "files     healthy  Markdown files  publish_comment",
    "notes     healthy  Markdown files  -",
    "tickets   failing  -               external connector request failed: access_denied",
    "",
  ]);
  expect(await w.ok(["connector", "list", "-q"])).toBe("files\nnotes\ntickets\n");
  const digest = expect.stringMatching(
    /^- instance=files state=healthy name="Markdown files" connector=files protocol=svc.connector.v1 account=sha256:[0-9a-f]{16} capabilities=publish_comment$/,
  );
  expect((await w.ok(["connector", "list", "--agent"])).split("\n")).toEqual([
    "OK connectors count=3",
    digest,
    expect.stringMatching(/^- instance=notes state=healthy /),
    '- instance=tickets state=failing error="external connector request failed: access_denied"',
    "",
  ]);
  expect(JSON.parse(await w.ok(["connector", "list", "--json"]))).toMatchObject({
    connectors: [{ instance_id: "files" }, { instance_id: "notes" }, { instance_id: "tickets" }],
  });
});

test("svc connector status shows one of them, and names one that is not there", async () => {
  const w = await configured();
  expect((await w.ok(["connector", "status", "files"])).split("\n")).toEqual([
    "files healthy",
    "name Markdown files",
    "connector files",
    "protocol svc.connector.v1",
    expect.stringMatching(/^account sha256:[0-9a-f]{16}$/),
    "capabilities publish_comment",
    "",
  ]);
  expect(await w.ok(["connector", "status", "tickets"])).toBe(
    "tickets failing\nexternal connector request failed: access_denied\n",
  );
  expect(await w.ok(["connector", "status", "tickets", "-q"])).toBe("failing\n");
  expect(await w.ok(["connector", "status", "tickets", "--agent"])).toBe(
    'OK connector instance=tickets state=failing error="external connector request failed: access_denied"\n',
  );
  expect(await w.refused(["connector", "status", "other"])).toMatchObject({
    err: "svc: there is no such bridge or connector\nhint: svc bridge bind makes a bridge; svc connector list shows the connectors\n",
  });
});

async function connectorCheck(w: Pick<Awaited<ReturnType<typeof projectWorld>>, "run">) {
  const { out } = await w.run(["doctor", "--json"]);
  const { checks } = JSON.parse(out) as { checks: readonly { id: string }[] };
  return checks.find(({ id }) => id === "daemon.connectors");
}

test("svc doctor warns of connectors that fail with their fixed texts, and shows nothing of their settings", async () => {
  const secrets = { key: "key-of-the-account", setting: "name-of-the-folder" };
  const failing = describedConnector(
    "tickets",
    { error: { code: "access_denied", message: `${secrets.key} ${secrets.setting}` } },
    { env: { KEY: "TICKETS_KEY" }, settings: { folder: secrets.setting } },
  );
  const w = await projectWorld();
  expect(await connectorCheck(w)).toMatchObject({
    ...{ status: "skipped", summary: "the daemon has no connectors" },
  });
  const entries = [describedConnector("files").entry, failing.entry];
  await w.restart({ connectors: { entries, environment: { TICKETS_KEY: secrets.key } } });
  const found = await connectorCheck(w);
  expect(found).toMatchObject({
    ...{ category: "daemon", status: "warning" },
    summary: "tickets: external connector request failed: access_denied",
    details: { connectors: [{ instance_id: "files", healthy: true }, { healthy: false }] },
    fix: expect.stringContaining("svc connector test"),
  });
  for (const secret of [...Object.values(secrets), process.execPath, "TICKETS_KEY"])
    expect(JSON.stringify(found)).not.toContain(secret);
  failing.answer({ result: DESCRIBED });
  expect(await connectorCheck(w)).toMatchObject({
    ...{ status: "ok", summary: "2 connectors healthy" },
  });
});

test("svc doctor does not wait for a connector that hangs, and says so", async () => {
  const folder = folderWith();
  const w = await projectWorld();
  const hang = join(folder, "mark");
  const { entry } = describedConnector("files", { hang }, { timeoutMs: 60_000 });
  await w.restart({ connectors: { entries: [entry], environment: {} } });
  expect(await connectorCheck(w)).toMatchObject({
    status: "warning",
    summary: expect.stringMatching(/^not all connectors have answered: /),
    fix: expect.stringContaining("svc connector list"),
  });
  expect(readdirSync(folder)).toHaveLength(1);
});

test("svc bridge show, unbind and resolve-comment find an issue of an archived project", async () => {
  const w = await configured();
  const issue = await w.issue("lost");
  const { uid } = JSON.parse(await w.ok(["show", issue, "--json"])).issue as { uid: string };
  await w.ok(["projects", "remove", "web", "--force", "-q"]);
  const refs = [[uid], [`web#${issue}`], [issue, "--project", "web"], [uid, "--project", "web"]];
  for (const words of [["show"], ["unbind"], ["resolve-comment", "--skip"]])
    for (const ref of refs)
      expect(await w.refused(["bridge", ...words, ...ref])).toMatchObject({
        err: expect.stringContaining("there is no such bridge or connector"),
      });
  // The other commands need an active project, and a short id alone does not name an archived one.
  expect(await w.refused(["bridge", "pause", `web#${issue}`])).toMatchObject({
    err: expect.stringContaining('there is no project "web"'),
  });
  expect(await w.refused(["bridge", "unbind", "other#abc4"])).toMatchObject({
    err: expect.stringContaining('there is no project "other"'),
  });
  expect(await w.refused(["bridge", "unbind", issue])).toMatchObject({
    err: expect.stringContaining('there is no project "web"'),
  });
});

test("without connectors svc connector list says how to configure one, and status has none to show", async () => {
  const w = await projectWorld();
  expect(await w.ok(["connector", "list"])).toMatch(
    /^No connectors\. Add a \[\[connector\]\] with an id and a command to config\.toml/,
  );
  expect(await w.ok(["connector", "list", "-q"])).toBe("");
  expect(JSON.parse(await w.ok(["connector", "list", "--json"]))).toMatchObject({ connectors: [] });
  expect(await w.refused(["connector", "status", "files"])).toMatchObject({
    err: expect.stringContaining("this daemon has no connectors"),
  });
});
