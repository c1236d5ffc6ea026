import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type EmbeddingsConfig, embeddingsFrom } from "../../src/config/embeddings.ts";
import { loadConfig } from "../../src/config/load.ts";
import { configuredProgramEnv } from "../../src/config/secret-variables.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { folderWith } from "./folder.ts";

type Values = Readonly<Record<string, string | number | boolean>>;

const PAIR = { base_url: "https://api.example/v1", model: "m" };
const KEY = "sk-hidden-0123";

function tomlOf(values: Values): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  return `[search.embeddings]\n${lines.join("")}`;
}

async function configOf(values: Values, env: Readonly<Record<string, string>> = {}) {
  const home = folderWith({ "config.toml": tomlOf(values) });
  const config = await loadConfig({ env: { SVC_HOME: home, HOME: home, ...env }, cwd: home });
  return { home, config };
}

async function configured(values: Values, env: Readonly<Record<string, string>> = {}) {
  const { home, config } = await configOf({ ...PAIR, ...values }, env);
  const embeddings = embeddingsFrom(config) as EmbeddingsConfig;
  return { home, embeddings };
}

/** The error with which a daemon with these settings refuses to start. */
async function refusal(values: Values, env: Readonly<Record<string, string>> = {}) {
  const { config } = await configOf(values, env);
  try {
    settingsFrom(config, "1.0.0");
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  return undefined;
}

describe("the settings of the provider", () => {
  test("are absent if config.toml sets none", async () => {
    const { config } = await configOf({});
    expect(embeddingsFrom(config)).toBeUndefined();
    expect(settingsFrom(config, "1.0.0")).not.toHaveProperty("embeddings");
  });

  test("have defaults for all but the URL and the model", async () => {
    const { embeddings } = await configured({});
    expect(embeddings).toMatchObject({
      baseUrl: PAIR.base_url,
      model: "m",
      dims: 768,
      batchSize: 64,
      timeoutMs: 30_000,
      salt: "",
      trustsPrivateNetwork: false,
    });
    expect(await embeddings.key()).toBeUndefined();
  });

  test("are read from config.toml", async () => {
    const { embeddings } = await configured({
      ...{ dims: 384, batch_size: 8, timeout_seconds: 5 },
      ...{ fingerprint_salt: "b", trust_private_network: true },
    });
    const sizes = { dims: 384, batchSize: 8, timeoutMs: 5000 };
    expect(embeddings).toMatchObject({ ...sizes, salt: "b", trustsPrivateNetwork: true });
  });

  test.each([
    ["base_url", "model"],
    ["model", "base_url"],
  ] as const)("need with %s also %s", async (set, missing) => {
    const error = await refusal({ [set]: PAIR[set] });
    expect(error).toMatchObject({ code: "validation" });
    expect(error?.message).toBe(`[search.embeddings] in config.toml has ${set}, but no ${missing}`);
    expect(error?.hint).toBe("set base_url and model, or remove the section");
  });

  test.each([
    ["api_key", KEY],
    ["api_key_file", "key.txt"],
    ["api_key_env", "MODEL_KEY"],
    ["dims", 768],
    ["batch_size", 64],
    ["timeout_seconds", 30],
    ["fingerprint_salt", ""],
    ["trust_private_network", false],
  ])("are refused if only %s is set", async (key, value) => {
    const error = await refusal({ [key]: value });
    expect(error?.message).toBe(`[search.embeddings] in config.toml has ${key}, but no base_url`);
  });

  test.each([
    ["http://127.0.0.1:11434/v1", false],
    ["http://localhost:11434/v1", false],
    ["http://[::1]:1", false],
    ["https://192.168.0.2/v1", false],
    ["http://192.168.0.2:8080/v1", true],
    ["http://100.64.0.1/", true],
    ["http://169.254.1.1/", true],
    ["http://[fd00::1]/v1", true],
  ])("accept the URL %s if private networks are trusted: %s", async (base_url, trusts) => {
    const { embeddings } = await configured({ base_url, trust_private_network: trusts });
    expect(embeddings.baseUrl).toBe(base_url);
  });

  test.each([
    ["http://192.168.0.2:8080/v1", false, /private networks are not trusted/],
    ["http://[fd00::1]/v1", false, /private networks are not trusted/],
    ["http://api.example/v1", true, /is no private IP address/],
    ["http://203.0.113.5/v1", true, /is no private IP address/],
    ["https://ann:pw-hidden@api.example/v1", false, /must not hold user information/],
    ["https://api.example/v1?key=hidden", false, /must not have a query/],
    ["https://api.example/v1#hidden", false, /must not have a query or a fragment/],
    ["ftp://api.example/hidden", false, /is not an http or https URL/],
    ["hidden", false, /is not an http or https URL/],
  ])("refuse the URL %s with trust %s", async (base_url, trusts, message) => {
    const error = await refusal({ ...PAIR, base_url, trust_private_network: trusts });
    expect(error?.message).toMatch(message);
    expect(error?.message).toContain("[search.embeddings] base_url");
    expect(`${error?.message} ${error?.hint}`).not.toContain("hidden");
  });

  test("refuse a batch whose answer would have too many numbers", async () => {
    const { embeddings } = await configured({ dims: 16_384, batch_size: 256 });
    expect(embeddings.batchSize).toBe(256);
    const error = await refusal({ ...PAIR, dims: 16_384, batch_size: 257 });
    expect(error).toMatchObject({ code: "validation" });
    expect(error?.message).toBe(
      "dims times batch_size of [search.embeddings] in config.toml is 4210688, and at most 4194304 are allowed",
    );
    expect(error?.hint).toBe("set batch_size to 256 or less");
  });

  test("name the setting that trusts a private network", async () => {
    const error = await refusal({ ...PAIR, base_url: "http://10.0.0.1" });
    expect(error?.hint).toContain("[search.embeddings] trust_private_network");
  });
});

describe("the key of the provider", () => {
  test.each([
    ["api_key", "api_key_file"],
    ["api_key", "api_key_env"],
    ["api_key_file", "api_key_env"],
  ])("is not named by both %s and %s", async (...names) => {
    const values = Object.fromEntries(names.map((name) => [name, KEY.replaceAll("-", "_")]));
    const error = await refusal({ ...PAIR, ...values });
    expect(error?.message).toBe("[search.embeddings] in config.toml names several keys");
    expect(error?.hint).toBe("keep one of api_key, api_key_file and api_key_env");
  });

  test.each(["a b", "ä", `${KEY}\n`, "k".repeat(4097)])(
    "is refused if it cannot be sent as a token, as %j cannot",
    async (key) => {
      const error = await refusal({ ...PAIR, api_key: key });
      expect(error?.message).toMatch(/^the key of \[search.embeddings\] api_key (has|holds) /);
      expect(`${error?.message} ${error?.hint}`).not.toContain(key);
    },
  );

  test("is read from config.toml, and after a change from the changed file", async () => {
    const { home, embeddings } = await configured({ api_key: KEY });
    expect(await embeddings.key()).toBe(KEY);
    const path = join(home, "config.toml");
    writeFileSync(path, tomlOf({ ...PAIR, model: "other", api_key: "second" }));
    expect(await embeddings.key()).toBe("second");
    expect(embeddings.model).toBe("m");
    for (const text of [tomlOf(PAIR), tomlOf({ ...PAIR, api_key: "a b" }), "[search", ""]) {
      writeFileSync(path, text);
      await expect(embeddings.key()).rejects.toMatchObject({ code: "validation" });
    }
    writeFileSync(path, tomlOf({ ...PAIR, api_key: "third" }));
    expect(await embeddings.key()).toBe("third");
    chmodSync(path, 0o666);
    chmodSync(home, 0o755);
    await expect(embeddings.key()).rejects.toThrow(/can be written to by other users/);
  });

  test("is refused in a config.toml that other users can read", async () => {
    const { home } = await configOf({});
    writeFileSync(join(home, "config.toml"), tomlOf({ ...PAIR, api_key: KEY }));
    chmodSync(home, 0o755);
    const load = loadConfig({ env: { SVC_HOME: home, HOME: home }, cwd: home });
    await expect(load).rejects.toThrow(/holds \[search.embeddings\] api_key, and its folder/);
  });

  test("is read from a file beside config.toml, again at each time", async () => {
    const home = folderWith({
      "config.toml": tomlOf({ ...PAIR, api_key_file: "key.txt" }),
      "key.txt": `${KEY}\r\n`,
    });
    const config = await loadConfig({ env: { SVC_HOME: home, HOME: home }, cwd: folderWith() });
    const embeddings = embeddingsFrom(config);
    expect(await embeddings?.key()).toBe(KEY);
    writeFileSync(join(home, "key.txt"), "second");
    expect(await embeddings?.key()).toBe("second");
    rmSync(join(home, "key.txt"));
    await expect(embeddings?.key()).rejects.toThrow(/key.txt is not there/);
  });

  test.each([
    ["", /is empty/],
    [" \n", /is empty/],
    ["hidden\nhidden\n", /has more than one line/],
    ["hidden\n\n", /has more than one line/],
    ["hid den\n", /holds a space/],
  ])("is refused if its file holds %j", async (text, message) => {
    const home = folderWith({
      "config.toml": tomlOf({ ...PAIR, api_key_file: "key.txt" }),
      "key.txt": text,
    });
    const config = await loadConfig({ env: { SVC_HOME: home, HOME: home }, cwd: home });
    const start = () => embeddingsFrom(config);
    expect(start).toThrow(message);
    expect(start).not.toThrow(/hidden|hid den/);
  });

  test("is refused if its file is missing, a folder, or can be changed by others", async () => {
    const folder = folderWith({ "open.txt": KEY });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "open.txt"), 0o666);
    const missing = await refusal({ ...PAIR, api_key_file: join(folder, "none.txt") });
    expect(missing?.message).toMatch(/api_key_file: .*none.txt is not there/);
    expect((await refusal({ ...PAIR, api_key_file: folder }))?.message).toMatch(/cannot be read/);
    const open = await refusal({ ...PAIR, api_key_file: join(folder, "open.txt") });
    expect(open?.message).toMatch(/open.txt can be written to by other users/);
    expect(open?.hint).toContain("chmod go-w");
  });

  test("is read from the variable that is named", async () => {
    const { embeddings } = await configured({ api_key_env: "MODEL_KEY" }, { MODEL_KEY: KEY });
    expect(await embeddings.key()).toBe(KEY);
  });

  test.each([{}, { MODEL_KEY: "" }, { MODEL_KEY: " " }])(
    "is refused if that variable is not set, as in %j",
    async (env) => {
      const error = await refusal({ ...PAIR, api_key_env: "MODEL_KEY" }, env);
      expect(error?.message).toBe(
        "[search.embeddings] api_key_env: the variable MODEL_KEY is not set",
      );
    },
  );

  test("is not in the environment of programs that are no part of svc", async () => {
    const { config } = await configOf({ ...PAIR, api_key_env: "MODEL_KEY" }, { MODEL_KEY: KEY });
    expect(configuredProgramEnv(config)).not.toHaveProperty("MODEL_KEY");
  });
});
