import { generateKeyPairSync } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../../config/folder.ts";
import { faultOf, hosted, readRun, trustHost } from "./support.ts";

trustHost();

const PEM = { type: "pkcs1", format: "pem" } as const;
const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: PEM,
  publicKeyEncoding: PEM,
});
const APP = { app_id: "77", installation_id: "88" };
/** An environment in which gh is not found. */
const EMPTY = { SVC_PROVIDER_TOKEN: "", PATH: "" };

interface AppOptions {
  readonly key?: string;
  readonly owner?: string;
  readonly host?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A host with an app, and a daemon whose settings name it. */
async function withApp({
  key = privateKey,
  owner = "ann",
  host: at,
  env = EMPTY,
}: AppOptions = {}) {
  const home = folderWith(key === "" ? {} : { "app.pem": key });
  const app = { ...APP, owner, private_key_path: "app.pem" };
  const made = await hosted({
    home,
    env,
    settings: (host) => ({
      apps: [{ ...app, host: at ?? host }],
      allowedHosts: [host],
      tokenHost: host,
    }),
  });
  made.state.addApp({ ...APP, publicKey });
  return { ...made, home };
}

function usedBy(
  asked: readonly { readonly url: string; readonly authorization?: string | undefined }[],
) {
  return asked
    .filter(({ url }) => url.includes("/repos/"))
    .map(({ authorization }) => authorization);
}

describe("a GitHub app in the settings", () => {
  test("reads with a token of its installation, and requests no permission other than to read", async () => {
    const { state, provider, bound } = await withApp();
    await readRun(provider, bound);
    const [first] = state.asked;
    expect(first?.url).toBe("/api/v3/app/installations/88/access_tokens");
    expect(JSON.parse(first?.body ?? "")).toEqual({
      permissions: { metadata: "read", issues: "read" },
    });
    expect(usedBy(state.asked)).toEqual(["Bearer ghs_1002", "Bearer ghs_1002"]);
  });

  test("is preferred to the token of the environment, and matches its owner in any letter case", async () => {
    const { state, provider, bound } = await withApp({
      owner: "ANN",
      env: { SVC_PROVIDER_TOKEN: "other" },
    });
    await readRun(provider, bound);
    expect(usedBy(state.asked)[0]).toBe("Bearer ghs_1002");
  });

  test.each([
    ["another owner", { owner: "bea" }],
    ["another host", { host: "github.com" }],
  ])("an app for %s is not used", async (_what, options) => {
    const { provider, bound, state } = await withApp(options);
    const fault = await faultOf(readRun(provider, bound));
    expect(fault.kind).toBe("credentials");
    expect(state.asked).toHaveLength(0);
  });

  test("keeps its token until ten minutes before the token expires", async () => {
    const { state, provider, bound, clock } = await withApp();
    const asked = (): number => state.asked.filter(({ url }) => url.includes("/app/")).length;
    for (const [wait, times] of [
      [0, 1],
      [0, 1],
      [50 * 60_000 - 1, 1],
      [1, 2],
    ] as const) {
      clock.advance(wait);
      state.tick(wait);
      await readRun(provider, bound);
      expect(asked()).toBe(times);
    }
  });

  test("requests a new token after the host refused the stored one", async () => {
    const { state, provider, bound } = await withApp();
    await readRun(provider, bound);
    state.tokens.clear();
    expect((await faultOf(readRun(provider, bound))).kind).toBe("credentials");
    await expect(readRun(provider, bound)).resolves.toMatchObject({ issues: [] });
  });

  test("accepts a private key in the newer form (PKCS 8) too", async () => {
    const pair = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const { state, provider, bound } = await withApp({ key: pair.privateKey });
    state.apps.length = 0;
    state.addApp({ ...APP, publicKey: pair.publicKey });
    await expect(readRun(provider, bound)).resolves.toMatchObject({ issues: [] });
  });

  const curve = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  test.each([
    ["is not there", "", "is not there"],
    ["is no key", "geheim", "holds no RSA key"],
    ["is cut off", privateKey.slice(0, 900), "holds no RSA key"],
    ["is of another kind", curve.privateKey, "holds no RSA key"],
  ])(
    "an app whose key %s ends the run, even if there is another credential",
    async (_what, key, why) => {
      const { state, provider, bound } = await withApp({
        key,
        env: { SVC_PROVIDER_TOKEN: "other" },
      });
      const fault = await faultOf(readRun(provider, bound), "MII");
      expect(fault).toMatchObject({ kind: "credentials" });
      expect(fault.message).toContain(why);
      expect(fault.message).not.toContain("geheim");
      expect(state.asked).toHaveLength(0);
    },
  );

  test.runIf(process.getuid !== undefined)(
    "an app whose key file other users could replace ends the run",
    async () => {
      const { state, provider, bound, home } = await withApp();
      chmodSync(home, 0o777);
      const fault = await faultOf(readRun(provider, bound));
      expect(fault.message).toContain("can be written to by other users");
      expect(fault.hint).toContain("chmod go-w");
      expect(state.asked).toHaveLength(0);
    },
  );

  test("an app whose key was removed ends the run, even while its token is valid", async () => {
    const { provider, bound, home } = await withApp();
    await readRun(provider, bound);
    writeFileSync(join(home, "app.pem"), "");
    expect((await faultOf(readRun(provider, bound))).kind).toBe("credentials");
  });

  test.each([
    [401, "Bad credentials", "credentials"],
    [404, "Not Found", "credentials"],
    [403, "This installation has been suspended", "credentials"],
    [422, "The permissions requested are not granted", "credentials"],
  ])("an app that the host refuses with %i ends the run", async (status, message, kind) => {
    const { state, provider, bound } = await withApp();
    state.script({ match: "/app/", status, body: JSON.stringify({ message }) });
    const fault = await faultOf(readRun(provider, bound));
    expect(fault).toMatchObject({ kind, message: `the host answered ${status}: ${message}` });
    expect(fault.hint).toContain("[[provider_sync.app]]");
  });

  test.each([
    ["no JSON", "ghs_geheim"],
    ["no time at which it ends", '{"token":"ghs_geheim"}'],
    ["a line break in it", '{"token":"ghs_geheim\\n","expires_at":"2026-01-01T01:00:00Z"}'],
  ])(
    "an app whose answer with a token has %s ends the run, and the answer is not shown",
    async (_what, body) => {
      const { state, provider, bound } = await withApp();
      state.script({ match: "/app/", status: 201, body });
      const fault = await faultOf(readRun(provider, bound), "ghs_geheim");
      expect(fault.kind).toBe("provider_decode");
    },
  );

  test("signs a proof of its identity that is valid for at most ten minutes", async () => {
    const { state, provider, bound } = await withApp();
    await readRun(provider, bound);
    const [, claims = ""] = (state.asked[0]?.authorization ?? "").split(".");
    const said = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, number>;
    expect(said["iss"]).toBe("77");
    expect(Number(said["exp"]) - Number(said["iat"])).toBeLessThanOrEqual(600);
  });
});

describe("the token of the environment", () => {
  test("is trimmed, and read from the variable that the settings name", async () => {
    const { state, provider, bound } = await hosted({
      env: { MINE: " ghp_mine\n", SVC_PROVIDER_TOKEN: "other" },
      settings: (host) => ({ tokenEnv: "MINE", tokenHost: host }),
    });
    state.addToken("ghp_mine");
    await readRun(provider, bound);
    expect(usedBy(state.asked)[0]).toBe("Bearer ghp_mine");
  });

  test("is sent only to the host that the settings name for it", async () => {
    const { state, provider, bound } = await hosted({
      env: { PATH: "" },
      settings: () => ({ tokenHost: "github.com" }),
    });
    const fault = await faultOf(readRun(provider, bound));
    expect(fault.kind).toBe("credentials");
    expect(fault.hint).toContain(`token_host = "${bound.host}"`);
    expect(state.asked).toHaveLength(0);
  });

  test.each(["ghp_geheim x", "ghp_gehëim", "ghp_geheim\r\nX-Evil: 1"])(
    "%j cannot be sent, so it is refused, and the error does not show it",
    async (token) => {
      const { state, provider, bound } = await hosted({ env: { SVC_PROVIDER_TOKEN: token } });
      const fault = await faultOf(readRun(provider, bound), "ghp_geh");
      expect(fault.message).toMatch(/^the token in SVC_PROVIDER_TOKEN holds/);
      expect(state.asked).toHaveLength(0);
    },
  );
});

describe("a daemon without a credential", () => {
  test.each([
    ["three", "git.example"],
    ["two, without gh if the host has a port,", "git.example:8443"],
  ])("names the ways to give it a credential (%s)", async (_count, host) => {
    const { provider, bound } = await hosted({
      env: EMPTY,
      settings: () => ({ allowedHosts: [host] }),
    });
    const { kind, message, hint } = await faultOf(readRun(provider, { ...bound, host }));
    expect(kind).toBe("credentials");
    expect(message).toBe(`the daemon has no credential for ${host}: gh is not installed`);
    expect(hint.includes(`gh auth login --hostname ${host}`)).toBe(host === "git.example");
    expect(hint).toContain("SVC_PROVIDER_TOKEN");
    expect(hint).toContain("[[provider_sync.app]]");
  });
});

describe("a host that is not allowed", () => {
  test.each([
    ["another one", "git.example"],
    ["one below an allowed one", "x.localhost"],
    ["the interface of the public one", "api.github.com"],
  ])("is refused before anything is sent or any program is run: %s, %s", async (_what, host) => {
    const { state, provider, place, bound } = await hosted();
    const { signal } = new AbortController();
    for (const work of [
      provider.validate({ ...place, host }, signal),
      readRun(provider, { ...bound, host }),
    ]) {
      const fault = await faultOf(work);
      expect(fault.message).toBe(`the host "${host}" is not allowed for issue sync`);
      expect(fault.hint).toContain("SVC_PROVIDER_SYNC_ALLOWED_HOSTS");
    }
    expect(state.asked).toHaveLength(0);
  });
});
