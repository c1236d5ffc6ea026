import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Config, type ConfigInput, loadConfig } from "../../src/config/load.ts";
import { SETTINGS, type SettingName } from "../../src/config/settings.ts";
import { folderWith } from "./folder.ts";

async function load(
  file: string | undefined,
  env: Readonly<Record<string, string>> = {},
  more: Partial<ConfigInput> = {},
): Promise<Config> {
  const home = folderWith(file === undefined ? {} : { "config.toml": file });
  return await loadConfig({ cwd: home, ...more, env: { SVC_HOME: home, ...env } });
}

/** Two values for every setting, as TOML (if it has a key) and as text of a variable, each with what it means. */
const CASES: Readonly<Record<SettingName, readonly [toml: string, text: string, read: unknown][]>> =
  {
    timezone: [['"Europe/Paris"', "Europe/Paris", "Europe/Paris"]],
    listen: [
      ['"127.0.0.1:7777"', "127.0.0.1:7777", ["127.0.0.1:7777"]],
      ['"unix:///run/svc.sock"', "unix:///run/svc.sock", ["unix:///run/svc.sock"]],
      ['"[0:0::0:1]:80"', "", ["[::1]:80"]],
      ['"LOCALHOST:80"', "", ["127.0.0.1:80"]],
      ['"Build-7:80"', "", ["build-7:80"]],
      ['["unix:///run/a,b.sock", ":80", ":80"]', "", ["unix:///run/a,b.sock", "0.0.0.0:80"]],
    ],
    tlsCertificate: [['"cert.pem"', "cert.pem", "cert.pem"]],
    tlsKey: [['"key.pem"', "key.pem", "key.pem"]],
    port: [["", "8080", 8080]],
    autostartIdleTimeout: [
      ['"10s"', "10s", 10_000],
      ['"5m0s"', "5m0s", 300_000],
    ],
    activeDaemon: [['"work"', "work", "work"]],
    authToken: [['"tok"', "tok", "tok"]],
    requireTokenIdentity: [["true", "", true]],
    allowUnauthenticatedPrivateNetworkWrites: [["true", "1", true]],
    insecureReadonly: [["", "true", true]],
    allowIdentityConnectorAdministration: [["true", "1", true]],
    trustedActorHeader: [['"X-Forwarded-User"', "X-Forwarded-User", "x-forwarded-user"]],
    trustedProxyUser: [
      ['"www-data"', "www-data", "www-data"],
      ['"33"', "33", "33"],
    ],
    trustedProxyListeners: [
      [
        '["unix:///run/p.sock", "[FD00::0:5]:80"]',
        "unix:///run/p.sock, [FD00::0:5]:80",
        ["unix:///run/p.sock", "[fd00::5]:80"],
      ],
      ['["localhost:80"]', "127.0.0.1:80,127.0.0.1:80", ["127.0.0.1:80"]],
    ],
    webListen: [['"[::1]:7780"', "", "[::1]:7780"]],
    webPublicOrigin: [['"https://SVC.example:443"', "", "https://svc.example"]],
    webAllowedHosts: [
      ['["Build-7", "[fd00::5]:80"]', "Build-7,[fd00::5]:80", ["build-7", "[fd00::5]:80"]],
    ],
    trustPrivateNetwork: [
      ["true", "1", true],
      ["true", "TRUE", true],
      ["false", "0", false],
      ["false", "false", false],
    ],
    dsn: [['"postgres://db/svc"', "postgres://db/svc", "postgres://db/svc"]],
    postgresSchema: [['"team"', "team", "team"]],
    postgresMode: [
      ['"validate"', "validate", "validate"],
      ['"bootstrap"', "bootstrap", "bootstrap"],
    ],
    postgresAllowInsecure: [["true", "true", true]],
    closeThrottle: [["true", "true", true]],
    closeThrottleWindowMs: [['"90s"', "90s", 90_000]],
    closeThrottleLimit: [["5", "5", 5]],
    backupInterval: [['"24h"', "24h", 86_400_000]],
    backupVerifyInterval: [['"168h"', "168h", 604_800_000]],
    backupDirectory: [['"/mnt/backups"', "/mnt/backups", "/mnt/backups"]],
    backupKeep: [["14", "14", 14]],
    providerSyncApps: [
      [
        '[{ owner = "acme", app_id = 12, installation_id = "34", private_key_path = "app.pem" }]',
        "",
        [
          {
            ...{ host: "github.com", owner: "acme", app_id: "12", installation_id: "34" },
            private_key_path: "app.pem",
          },
        ],
      ],
      [
        '[{ host = "Git.example", owner = "a", app_id = "Iv1.b", installation_id = 1, private_key_path = "/k" }]',
        "",
        [
          {
            ...{ host: "git.example", owner: "a", app_id: "Iv1.b", installation_id: "1" },
            private_key_path: "/k",
          },
        ],
      ],
    ],
    providerSyncTokenEnv: [['"GIT_TOKEN"', "", "GIT_TOKEN"]],
    providerSyncTokenHost: [
      ['"Git.example"', "", "git.example"],
      ['"git.example:443"', "", "git.example"],
    ],
    providerSyncAllowedHosts: [
      [
        '["Git.example", "10.0.0.7:8443"]',
        "Git.example, 10.0.0.7:8443",
        ["git.example", "10.0.0.7:8443"],
      ],
    ],
    providerSyncRepositories: [
      ['["Acme/Board", "git.example/a/b"]', "", ["github.com/acme/board", "git.example/a/b"]],
    ],
    embeddingsBaseUrl: [['"https://api.example/v1"', "", "https://api.example/v1"]],
    embeddingsModel: [['" nomic/Text:v1.5"', "", " nomic/Text:v1.5"]],
    embeddingsApiKey: [['"key"', "", "key"]],
    embeddingsApiKeyFile: [['"key.txt"', "", "key.txt"]],
    embeddingsApiKeyEnv: [['"MODEL_KEY"', "", "MODEL_KEY"]],
    embeddingsDims: [
      ["1", "", 1],
      ["16384", "", 16_384],
    ],
    embeddingsBatchSize: [
      ["1", "", 1],
      ["2048", "", 2048],
    ],
    embeddingsTimeoutSeconds: [
      ["1", "", 1],
      ["3600", "", 3600],
    ],
    embeddingsSalt: [['"b"', "", "b"]],
    embeddingsTrustPrivateNetwork: [["true", "", true]],
    tuiMouse: [["true", "true", true]],
    tuiConfirmQuit: [["false", "false", false]],
    tuiGlyphs: [['"unicode"', "unicode", "unicode"]],
    tuiColumns: [['"age due"', "age due", "age due"]],
    tuiCommands: [['{ "show it" = ["gh", "{ref}"] }', "", { "show it": ["gh", "{ref}"] }]],
    tuiLayout: [
      ['"stacked"', "stacked", "stacked"],
      ['"split"', "split", "split"],
    ],
    tuiReducedMotion: [["true", "true", true]],
    tuiSilentAfter: [
      ['"1m"', "1m", 60_000],
      ['"2h"', "2h", 7_200_000],
    ],
    noMotion: [["", "1", true]],
    screenReader: [["", "true", true]],
    tuiKeys: [['{ "list.down" = ["n"] }', "", { "list.down": ["n"] }]],
    tuiViews: [['{ "My own" = "p<=1", "a.b" = "x" }', "", { "My own": "p<=1", "a.b": "x" }]],
    tuiThemeRef: [
      ['"bright-blue"', "12", 12],
      ["33", "33", 33],
    ],
    tuiThemeOk: [["0", "0", 0]],
    tuiThemeWarn: [["255", "255", 255]],
    tuiThemeError: [['"red"', "red", 1]],
    tuiThemeDone: [['"5"', "5", 5]],
    tuiThemeDim: [['"bright-black"', "8", 8]],
    markdownRenderer: [['["glow", "-s", "dark"]', "", ["glow", "-s", "dark"]]],
    editor: [["", "nano -w", "nano -w"]],
    server: [["", "https://x.example", "https://x.example"]],
    allowInsecure: [["", "true", true]],
    author: [["", "ann", "ann"]],
    user: [["", "bea", "bea"]],
    project: [["", "web", "web"]],
    teammate: [["", "carl", "carl"]],
    inboxUser: [["", "worker", "worker"]],
    httpTimeoutMs: [["", "2m", 120_000]],
    federationPullIntervalMs: [["", "5000", 5000]],
    colorMode: [
      ["", "dark", "dark"],
      ["", "purple", "auto"],
    ],
    noColor: [["", "0", true]],
    autostarted: [["", "1", true]],
    skipVersionCheck: [["", "1", true]],
  };

const rows = Object.entries(SETTINGS).flatMap(([name, row]) =>
  CASES[name as SettingName].map((given) => [name as SettingName, row, ...given] as const),
);

/** What a file needs in addition, so that the setting is valid. */
const BESIDE: Partial<Record<SettingName, string>> = {
  activeDaemon: '[[daemon]]\nname = "work"\nlocal = true\n',
  trustedActorHeader: 'auth.proxy.trusted_proxy_listeners = ["127.0.0.1:7777"]\n',
};

describe("every setting is read from each of its sources", () => {
  test.each(rows)("%s has its default if it is not set", async (name, row) => {
    const config = await load(BESIDE[name]);
    expect(config.settings[name]).toEqual(row.default);
    expect(config.sources[name]).toBe("default");
  });

  test.each(rows.filter(([, row]) => row.key !== undefined))(
    "$0 is read from config.toml with the value $2",
    async (name, row, toml, _text, read) => {
      const config = await load(`${row.key} = ${toml}\n${BESIDE[name] ?? ""}`);
      expect(config.settings[name]).toEqual(read);
      expect(config.sources[name]).toBe("file");
    },
  );

  test.each(
    rows.flatMap(([name, row, , text, read]) =>
      (row.env ?? []).map((env) => [name, env, text, read, row] as const),
    ),
  )("%s is read from the variable %s=%s", async (name, variable, text, read, row) => {
    const config = await load(BESIDE[name], { [variable]: text });
    expect(config.settings[name]).toEqual(read);
    expect(config.sources[name]).toBe("env");
    const empty = await load(BESIDE[name], { [variable]: "" });
    expect(empty.settings[name]).toEqual(row.default);
  });
});

describe("flag outranks environment, environment outranks file, file outranks default", () => {
  test("a flag outranks the environment, the environment outranks the file, and the file outranks the default", async () => {
    const file = 'listen = "127.0.0.1:1"\n[storage]\ndsn = "from-file.db"\n';
    const env = { SVC_DSN: "", SVC_DB: "from-db.db" };
    expect((await load(file)).settings.dsn).toBe("from-file.db");
    expect((await load(file, env)).settings.dsn).toBe("from-db.db");
    expect((await load(file, { ...env, SVC_DSN: "from-dsn.db" })).settings.dsn).toBe("from-dsn.db");
    const flagged = await load(file, {}, { flags: { listen: "127.0.0.1:2" } });
    expect(flagged.settings.listen).toEqual(["127.0.0.1:2"]);
    const several = await load(file, {}, { flags: { listen: "127.0.0.1:2, unix:///s" } });
    expect(several.settings.listen).toEqual(["127.0.0.1:2", "unix:///s"]);
    expect(flagged.sources.listen).toBe("flag");
  });

  test("a relative database path starts from its source: config.toml's folder or the caller's", async () => {
    const cwd = folderWith();
    const fromFile = await load('[storage]\ndsn = "a.db"\n', {}, { cwd });
    expect(fromFile.dsn).toMatchObject({ path: join(fromFile.home, "a.db") });
    const fromEnv = await load('[storage]\ndsn = "a.db"\n', { SVC_DSN: "b.db" }, { cwd });
    expect(fromEnv.dsn).toMatchObject({ path: join(cwd, "b.db") });
    const unset = await load(undefined, {}, { cwd });
    expect(unset.dsn).toMatchObject({ path: join(unset.home, "svc.db") });
  });

  test("a relative SVC_HOME starts from the caller's folder, and SVC_HOME defaults to ~/.svc", async () => {
    const cwd = folderWith();
    expect((await loadConfig({ env: { SVC_HOME: "h" }, cwd })).home).toBe(join(cwd, "h"));
    expect((await loadConfig({ env: { SVC_HOME: "", HOME: cwd }, cwd })).home).toBe(
      join(cwd, ".svc"),
    );
  });
});

test("[display] may contain keys that this svc does not know", async () => {
  const home = folderWith({ "config.toml": '[display]\ncolumns = 3\n[display.later]\nx = "y"\n' });
  const { warnings } = await loadConfig({ env: { SVC_HOME: home }, cwd: home });
  expect(warnings).toEqual([]);
});

const APP = `[[provider_sync.app]]
owner = "acme"
app_id = 1
installation_id = 2
private_key_path = "app.pem"`;

describe("an invalid setting is refused by name", () => {
  test.each([
    ['timzone = "UTC"', '"timzone"'],
    ["[auth]\ntokn = 1", '"auth.tokn"'],
    ["[nothing]", '"nothing"'],
    ['[display]\nmarkdown_renderer = "glow -"', "display.markdown_renderer"],
    ["[display]\nmarkdown_renderer = []", "display.markdown_renderer"],
    ['[display]\nmarkdown_renderer = [" ", "-"]', "display.markdown_renderer"],
    ['[display]\nmarkdown_renderer = ["glow", 1]', "display.markdown_renderer"],
    ["timezone = 5", "timezone"],
    ['timezone = "Mars/Olympus"', "timezone"],
    ['autostart_idle_timeout = "9.999s"', "autostart_idle_timeout"],
    ['listen = "localhost"', "listen"],
    ["listen = []", "listen"],
    ['listen = ["127.0.0.1:80", 5]', "listen"],
    ['listen = "127.0.0.1:80,127.0.0.1:81"', "listen"],
    ['listen = "[fe80::1%eth0]:80"', "without a zone"],
    ['listen = "build-7:65536"', "listen"],
    ['[web]\nlisten = "unix:///run/web.sock"', "web.listen"],
    ['[web]\npublic_origin = "https://svc.example/x"', "web.public_origin"],
    ['[web]\npublic_origin = "https://ann@svc.example"', "web.public_origin"],
    ['[web]\nallowed_hosts = ["https://svc.example"]', "web.allowed_hosts"],
    ['[web]\nallowed_hosts = ["build-7/x"]', "web.allowed_hosts"],
    ['[auth.proxy]\ntrusted_actor_header = "X-User"', "names no listener"],
    ['[auth.proxy]\ntrusted_actor_header = "X User"', "trusted_actor_header"],
    ['[auth.proxy]\ntrusted_actor_header = "Authorization"', "trusted_actor_header"],
    ['[auth.proxy]\ntrusted_proxy_listeners = "127.0.0.1:80"', "trusted_proxy_listeners"],
    ['[auth.proxy]\ntrusted_proxy_listeners = ["0.0.0.0:80"]', "trusted_proxy_listeners"],
    ['[auth.proxy]\ntrusted_proxy_listeners = [":80"]', "trusted_proxy_listeners"],
    ['[auth.proxy]\ntrusted_proxy_listeners = ["[::]:80"]', "trusted_proxy_listeners"],
    ['[auth.proxy]\ntrusted_proxy_listeners = ["[::ffff:0.0.0.0]:80"]', "trusted_proxy_listeners"],
    ['[auth.proxy]\ntrusted_proxy_listeners = ["proxy:80"]', "trusted_proxy_listeners"],
    ["[provider_sync]\napp = 1", "provider_sync.app"],
    [`${APP}\ntoken = "x"`, "provider_sync.app"],
    [APP.replace(/owner.*\n/, ""), "provider_sync.app"],
    [APP.replace("installation_id = 2", "installation_id = 2.5e9999"), "provider_sync.app"],
    [APP.replace("app_id = 1", 'app_id = "1/2"'), "provider_sync.app"],
    [APP.replace("installation_id = 2", 'installation_id = ".."'), "provider_sync.app"],
    [APP.replace('"acme"', '""'), "provider_sync.app"],
    [`${APP}\nhost = "https://git.example"`, "provider_sync.app"],
    [`${APP}\n${APP.replace('"acme"', '"ACME"')}`, "provider_sync.app"],
    ['[provider_sync]\ntoken_env = "MY TOKEN"', "provider_sync.token_env"],
    ['[provider_sync]\ntoken_env = ""', "provider_sync.token_env"],
    ["[search.embeddings]\ndims = 0", "search.embeddings.dims"],
    ["[search.embeddings]\ndims = 16385", "search.embeddings.dims"],
    ["[search.embeddings]\ndims = 1.5", "search.embeddings.dims"],
    ['[search.embeddings]\ndims = "768"', "search.embeddings.dims"],
    ["[search.embeddings]\ndims = -1", "search.embeddings.dims"],
    ["[search.embeddings]\nbatch_size = 0", "search.embeddings.batch_size"],
    ["[search.embeddings]\nbatch_size = 2049", "search.embeddings.batch_size"],
    ["[search.embeddings]\ntimeout_seconds = 0", "search.embeddings.timeout_seconds"],
    ["[search.embeddings]\ntimeout_seconds = 3601", "search.embeddings.timeout_seconds"],
    ['[search.embeddings]\nmodel = " "', "search.embeddings.model"],
    ['[search.embeddings]\nbase_url = ""', "search.embeddings.base_url"],
    ['[search.embeddings]\napi_key = ""', "search.embeddings.api_key"],
    ['[search.embeddings]\napi_key_env = "MY KEY"', "search.embeddings.api_key_env"],
    ['[provider_sync]\ntoken_host = "https://git.example"', "provider_sync.token_host"],
    ['[provider_sync]\ntoken_host = "git.example/x"', "provider_sync.token_host"],
    ['[provider_sync]\nallowed_hosts = ["*.example"]', "provider_sync.allowed_hosts"],
    ['[provider_sync]\nallowed_hosts = ["-x.example"]', "provider_sync.allowed_hosts"],
    ['[provider_sync]\nrepositories = ["acme"]', "provider_sync.repositories"],
    ['[provider_sync]\nrepositories = ["a/b/c/d"]', "provider_sync.repositories"],
    ["[provider_sync]\ntoken = 1", '"provider_sync.token"'],
    ['[auth]\ntrust_private_network = "yes"', "trust_private_network"],
    ['[auth]\ntoken = ""', "auth.token"],
    ["timezone = ", "line 1"],
    ['active_daemon = "work"', "active_daemon"],
    ["[[daemon]]\nlocal = true", "without a name"],
    ['[[daemon]]\nname = "a"', '"a"'],
    ['[[daemon]]\nname = "a"\nlocal = true\nurl = "https://x"', "either"],
    ['[[daemon]]\nname = "a"\nlocal = false', "either"],
    ['[[daemon]]\nname = "a"\nlocal = true\ntoken = "t"\ntoken_env = "T"', "both"],
    ['[[daemon]]\nname = "a"\nlocal = true\ntocken = "t"', '"tocken"'],
    ['[[daemon]]\nname = "a"\nlocal = true\n[[daemon]]\nname = "a"\nlocal = true', "two"],
    ['[daemon]\nname = "a"', "[[daemon]]"],
  ])("%j in config.toml is refused by name", async (file, word) => {
    await expect(load(file)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(word) as string,
    });
  });

  test.each([
    ["listen_certificate", "cert in [tls]"],
    ["listen_key", "key in [tls]"],
  ])(
    "the former setting %s in config.toml is refused, and the error says that it is now %s",
    async (key, now) => {
      await expect(load(`${key} = "x.pem"`)).rejects.toMatchObject({
        code: "validation",
        message: expect.stringContaining(`config.toml has ${key}, which is now ${now}`) as string,
      });
    },
  );

  test("empty tables do not count as unknown keys", async () => {
    const config = await load("[auth]\n[storage.postgres]\n[display]\n");
    expect(config.settings.timezone).toBe("UTC");
  });

  test.each([
    ["SVC_AUTOSTART_IDLE_TIMEOUT", "9s"],
    ["SVC_TRUST_PRIVATE_NETWORK", "yes"],
  ])("an invalid setting in the environment is refused by name: %s=%s", async (variable, value) => {
    await expect(load(undefined, { [variable]: value })).rejects.toMatchObject({
      message: expect.stringContaining(variable) as string,
    });
  });

  test("a bad SVC_HTTP_TIMEOUT or PORT is a warning, because other programs set such names too", async () => {
    const config = await load(undefined, { SVC_HTTP_TIMEOUT: "soon", PORT: "http" });
    expect(config.settings).toMatchObject({ httpTimeoutMs: 5000, port: undefined });
    expect(config.warnings).toHaveLength(2);
  });

  test("the content of a config.toml that is not valid TOML is not repeated in the refusal", async () => {
    await expect(load('[auth]\ntoken = "hunter2\n')).rejects.not.toMatchObject({
      message: expect.stringContaining("hunter2") as string,
    });
  });
});

describe("a wrong setting of the terminal screen is reported and stops nothing", () => {
  test.each([
    ['glyphs = "fancy"', 'tui.glyphs is "fancy"', "ascii or unicode"],
    ["mouse = 1", "tui.mouse is 1", "true or false"],
    ['layout = ["split"]', 'tui.layout is ["split"]', "auto or stacked or split"],
    ["theme.ref = 256", "tui.theme.ref is 256", "from 0 to 255"],
    ["theme.ref = -1", "tui.theme.ref is -1", "from 0 to 255"],
    ['theme.ref = "pink"', 'tui.theme.ref is "pink"', "blue"],
    ['keys."list.down" = "n"', 'tui.keys.list.down is "n"', "list of keys"],
    ['keys."list.down" = ["n", ""]', 'tui.keys.list.down is ["n",""]', "list of keys"],
    ["keys = 3", "tui.keys is 3", "a table"],
    ["colour = true", '"tui.colour"', "unknown"],
    ["theme.pink = 3", '"tui.theme.pink"', "unknown"],
  ])(
    "a wrong setting of the screen in config.toml is reported and stops nothing: %s",
    async (line, named, allowed) => {
      const config = await load(`[tui]\n${line}\n`);
      expect(config.screenWarnings).toEqual([expect.stringContaining(named)]);
      expect(config.screenWarnings[0]).toContain(allowed);
      expect(config.warnings).toEqual([]);
      for (const [name, row] of Object.entries(SETTINGS))
        expect(config.settings[name as SettingName]).toEqual(row.default);
    },
  );

  test("a wrong setting of the screen does not affect the others", async () => {
    const config = await load('[tui.keys]\n"list.down" = 1\nlist.up = ["p"]\n');
    expect(config.settings.tuiKeys).toEqual({ "list.up": ["p"] });
    expect(config.sources.tuiKeys).toBe("file");
    expect(config.screenWarnings).toHaveLength(1);
  });

  test("empty tables do not count as settings of the screen", async () => {
    const config = await load("[tui]\n[tui.keys]\n[tui.theme]\n");
    expect(config.screenWarnings).toEqual([]);
    expect(config.sources.tuiKeys).toBe("default");
  });
});

test("an empty variable overrides nothing, and an empty trusted_actor_header in config.toml means that no proxy is trusted", async () => {
  const proxy =
    '[auth.proxy]\ntrusted_actor_header = "X-User"\ntrusted_proxy_listeners = ["127.0.0.1:80"]\n';
  const env = { SVC_TRUSTED_ACTOR_HEADER: "", SVC_TRUSTED_PROXY_LISTENERS: "" };
  expect((await load(proxy, env)).settings).toMatchObject({
    trustedActorHeader: "x-user",
    trustedProxyListeners: ["127.0.0.1:80"],
  });
  const off = '[auth.proxy]\ntrusted_actor_header = ""\n';
  expect((await load(off)).settings.trustedActorHeader).toBe("");
});

test("the entries of the daemon catalog are loaded as written, without reading the variables that they name", async () => {
  const config = await load(
    'active_daemon = "work"\n[[daemon]]\nname = "here"\nlocal = true\n[[daemon]]\nname = "work"\nurl = "https://w.example"\ntoken_env = "NOT_SET"\nallow_insecure = true\n',
  );
  expect(config.catalog).toMatchObject([
    { name: "here", origin: undefined, allowInsecure: false },
    {
      name: "work",
      origin: { text: "https://w.example" },
      tokenEnv: "NOT_SET",
      allowInsecure: true,
    },
  ]);
});
