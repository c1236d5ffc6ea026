import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { getConnectorStatus, listConnectors } from "../../src/contract/connectors.ts";
import { health } from "../../src/contract/health.ts";
import { createToken } from "../../src/contract/tokens.ts";
import { DESCRIBED, type DescribedConnector, describedConnector } from "../connectors/described.ts";
import { marks, startedOf, untilGone } from "../connectors/programs/marks.ts";
import { call, testDaemon } from "../support/daemon.ts";
import { sqliteDatabase } from "../support/store.ts";
import { world } from "../support/world.ts";

const TOKEN = "own-secret-0123456789";
const statusOf = (instance: string) => ({ params: { instance } });

async function withConnectors(
  connectors: readonly DescribedConnector[],
  environment: Readonly<Record<string, string>> = {},
) {
  const entries = connectors.map(({ entry }) => entry);
  const { open } = await sqliteDatabase();
  return await world({ store: open, connectors: { entries, environment } });
}

describe("a daemon without connectors", () => {
  test("lists none, and is unavailable for everything else about them", async () => {
    const w = await world({ store: (await sqliteDatabase()).open });
    expect(await w.call(listConnectors)).toEqual({ connectors: [] });
    expect(await w.refused(getConnectorStatus, statusOf("files"))).toMatchObject({
      code: "unavailable",
      message: "this daemon has no connectors",
      hint: expect.stringContaining("[[connector]]"),
    });
    expect(await w.call(health)).not.toHaveProperty("connectors");
  });
});

describe("a daemon with connectors", () => {
  test("lists them by id with what each says of itself, and shows of the account a digest only", async () => {
    const w = await withConnectors([describedConnector("tickets"), describedConnector("files")]);
    const { connectors } = await w.call(listConnectors);
    const { account_identity: _account, self_actor_id: _self, ...shown } = DESCRIBED;
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{16}$/);
    expect(connectors).toEqual([
      { instance_id: "files", healthy: true, ...shown, account_identity: digest },
      { instance_id: "tickets", healthy: true, ...shown, account_identity: digest },
    ]);
    const [files, tickets] = connectors.map(({ account_identity }) => account_identity);
    expect(files).not.toBe(tickets);
    expect(await w.call(getConnectorStatus, statusOf("files"))).toEqual(connectors[0]);
    expect(await w.call(health)).toMatchObject({ connectors: { configured: 2 } });
  });

  test("answers for an id that no entry has as for a bridge that is not there", async () => {
    const w = await withConnectors([describedConnector("files")]);
    expect(await w.refused(getConnectorStatus, statusOf("other"))).toMatchObject({
      code: "bridge_not_found",
    });
  });

  test("lists all of them if one hangs and one cannot be started, and those two are unhealthy", async () => {
    const hanging = describedConnector("b", { hang: marks() }, { timeoutMs: 300 });
    const missing = describedConnector("c", undefined, { command: "/no/such/program" });
    const w = await withConnectors([hanging, missing, describedConnector("a")]);
    expect((await w.call(listConnectors)).connectors).toMatchObject([
      { instance_id: "a", healthy: true },
      {
        ...{ instance_id: "b", healthy: false },
        health_error: "external connector request timed out",
      },
      {
        ...{ instance_id: "c", healthy: false },
        health_error: "external connector process failed",
      },
    ]);
  });

  test("shows of an error of a connector its code, and neither its text nor what it was given", async () => {
    const secrets = { key: "key-of-the-account", setting: "name-of-the-folder" };
    const message = `${secrets.key} may not read ${secrets.setting}`;
    const failing = describedConnector(
      "files",
      { error: { code: "access_denied", message } },
      { env: { KEY: "FILES_KEY" }, settings: { folder: secrets.setting } },
    );
    const w = await withConnectors([failing], { FILES_KEY: secrets.key });
    const answered = await w.call(getConnectorStatus, statusOf("files"));
    expect(answered).toEqual({
      ...{ instance_id: "files", healthy: false },
      health_error: "external connector request failed: access_denied",
    });
  });

  test("hides in the names of a connector what it was given, and its account", async () => {
    const [key, setting] = ["key-of-the-account", "https://svc:pw@tracker.example"];
    const { account_identity } = DESCRIBED;
    const telling = describedConnector(
      "files",
      {
        result: {
          ...{ ...DESCRIBED, connector_id: `svc.${key}` },
          display_name: `Tickets of ${account_identity} at ${setting} with ${key}`,
        },
      },
      { env: { KEY: "FILES_KEY" }, settings: { url: setting } },
    );
    const w = await withConnectors([telling], { FILES_KEY: key });
    expect(await w.call(getConnectorStatus, statusOf("files"))).toMatchObject({
      ...{ healthy: true, connector_id: "svc.[redacted]" },
      display_name: "Tickets of [redacted] at [redacted] with [redacted]",
    });
  });

  test("finds a connector unhealthy that names itself another one than before, until it is the first one again", async () => {
    const files = describedConnector("files");
    const w = await withConnectors([files]);
    const isHealthy = async () => (await w.call(getConnectorStatus, statusOf("files"))).healthy;
    expect(await isHealthy()).toBe(true);
    files.answer({ result: { ...DESCRIBED, connector_id: "tickets" } });
    expect(await w.call(getConnectorStatus, statusOf("files"))).toMatchObject({
      healthy: false,
      health_error: "external connector protocol failed: identity_changed",
    });
    files.answer({ result: { ...DESCRIBED, account_identity: "another", display_name: "Other" } });
    expect(await isHealthy()).toBe(true);
  });

  test("ends the program when the caller hangs up, and finds the connector as healthy as before", async () => {
    const path = marks();
    const files = describedConnector("files", { hang: path });
    const w = await withConnectors([files]);
    const caller = new AbortController();
    const url = "http://localhost/api/v1/connectors";
    const answer = w.app.fetch(new Request(url, { signal: caller.signal }));
    while (startedOf(path) === 0) await systemClock.sleep(10);
    caller.abort();
    await answer.catch(() => undefined);
    expect(await untilGone(path)).toEqual([]);
    files.answer({ result: DESCRIBED });
    expect(await w.call(getConnectorStatus, statusOf("files"))).toMatchObject({ healthy: true });
  });

  test("starts none of them with the daemon, and ends those that run when the daemon stops", async () => {
    const path = marks();
    const { entry } = describedConnector("files", { hang: path });
    const daemon = await testDaemon({
      connectors: { entries: [entry], environment: {} },
      log: silentLog,
    });
    expect(startedOf(path)).toBe(0);
    const answer = call(daemon.endpoint, "GET", "/connectors");
    while (startedOf(path) === 0) await systemClock.sleep(10);
    await daemon.stop();
    expect(await untilGone(path)).toEqual([]);
    expect((await answer).status).toBe(503);
  });
});

test("a browser uses no connectors, also without the session of a page", async () => {
  const path = marks();
  const { entry } = describedConnector("files", { hang: path });
  const { endpoint } = await testDaemon({ connectors: { entries: [entry], environment: {} } });
  for (const site of ["same-origin", "none"]) {
    const headers = { "sec-fetch-site": site };
    expect(await call(endpoint, "GET", "/connectors", { headers })).toMatchObject({
      ...{ status: 403, body: { error: { code: "integration_administration_forbidden" } } },
    });
  }
});

describe("a daemon with tokens of persons", () => {
  const asked = async (tokensAdministerConnectors: boolean) => {
    const { entry } = describedConnector("files");
    const authentication = { mode: "identity", token: TOKEN, tokensAdministerConnectors } as const;
    const daemon = await testDaemon({
      authentication,
      connectors: { entries: [entry], environment: {} },
    });
    const headers = (token: string) => ({ authorization: `Bearer ${token}` });
    const body = { actor: "ann" };
    const made = await call(daemon.endpoint, "POST", createToken.path, {
      ...{ headers: headers(TOKEN), body },
    });
    const codeWith = async (token: string, path: string) => {
      const { status, body: said } = await call(daemon.endpoint, "GET", path, {
        headers: headers(token),
      });
      const { code } = (said["error"] ?? {}) as { readonly code?: string };
      return code ?? status;
    };
    const found: unknown[] = [];
    for (const path of ["/connectors", "/connectors/files"])
      for (const token of [String(made.body["plaintext"]), TOKEN])
        found.push(await codeWith(token, path));
    return found;
  };
  const NO = "integration_administration_forbidden";

  test("lets nobody use connectors", async () => {
    expect(await asked(false)).toEqual([NO, NO, NO, NO]);
  });

  test("lets persons use connectors if the setting says so, and the bootstrap token not even then", async () => {
    expect(await asked(true)).toEqual([200, NO, 200, NO]);
  });
});
