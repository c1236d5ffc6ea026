import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LOCAL, selectTarget } from "../../src/client/target.ts";
import { type Config, loadConfig } from "../../src/config/load.ts";
import type { SettingDefinition } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { isRoot, STRANGER_UID } from "../support/stranger.ts";
import { folderWith } from "./folder.ts";

/** One valid value for each setting that counts only in a file that no other user can change. */
const GUARDED: Readonly<Record<string, string>> = {
  listen: '"127.0.0.1:7777"',
  "tls.cert": '"cert.pem"',
  "tls.key": '"key.pem"',
  active_daemon: '"team"',
  "auth.require_token_identity": "true",
  "auth.allow_unauthenticated_private_network_writes": "true",
  "auth.allow_identity_connector_administration": "true",
  "auth.proxy.trusted_actor_header": '"X-User"',
  "auth.proxy.trusted_proxy_listeners": '["127.0.0.1:7777"]',
  "web.listen": '"127.0.0.1:7780"',
  "web.public_origin": '"https://svc.example"',
  "web.allowed_hosts": '["build-7"]',
  "auth.trust_private_network": "true",
  "storage.postgres.allow_insecure": "true",
  "provider_sync.app": '[{ owner = "a", app_id = 1, installation_id = 2, private_key_path = "k" }]',
  "provider_sync.token_env": '"GIT_TOKEN"',
  "provider_sync.token_host": '"git.example"',
  "provider_sync.allowed_hosts": '["git.example"]',
  "provider_sync.repositories": '["a/b"]',
  "search.embeddings.base_url": '"https://api.example"',
  "search.embeddings.model": '"m"',
  "search.embeddings.api_key": '"k"',
  "search.embeddings.api_key_file": '"key.txt"',
  "search.embeddings.api_key_env": '"MODEL_KEY"',
  "search.embeddings.dims": "3",
  "search.embeddings.batch_size": "8",
  "search.embeddings.timeout_seconds": "9",
  "search.embeddings.fingerprint_salt": '"a"',
  "search.embeddings.trust_private_network": "true",
  "tui.commands": '{ "show" = ["gh", "{ref}"] }',
  "display.markdown_renderer": '["glow"]',
};
/** These two are refused before: a command that went on would use another database, or show the token. */
const REFUSED = { "auth.token": '"tok"', "storage.dsn": '"postgres://db.example/svc"' };
const CATALOG = '[[daemon]]\nname = "team"\nurl = "https://team.example"\ntoken = "tok"\n';

/** A home of mode 0700 below a folder of this mode. */
function homeBelow(mode: number, file: string): { readonly above: string; readonly home: string } {
  const folder = folderWith();
  chmodSync(folder, 0o755);
  const above = join(folder, "shared");
  const home = join(above, "home");
  mkdirSync(home, { recursive: true });
  chmodSync(above, mode);
  chmodSync(home, 0o700);
  writeFileSync(join(home, "config.toml"), file);
  return { above, home };
}

const load = async (home: string, env: Readonly<Record<string, string>> = {}): Promise<Config> =>
  await loadConfig({ env: { SVC_HOME: home, HOME: home, ...env }, cwd: home });

function withoutLoss(config: Config): Config {
  const { lost: _lost, ...rest } = config;
  return rest;
}

test("this test has a value for each setting that counts only in a file which no other user can change", () => {
  const rows = Object.values(SETTINGS as Readonly<Record<string, SettingDefinition<unknown>>>);
  const keys = rows.flatMap(({ key, guarded }) => (guarded === undefined ? [] : [key]));
  expect(keys.sort()).toEqual(Object.keys({ ...GUARDED, ...REFUSED }).sort());
});

describe.each([
  ["that all may write to", 0o777],
  ["that a group may write to", 0o775],
])("a config.toml below a folder %s", (_name, mode) => {
  test.each(Object.entries(GUARDED))(
    "does not set %s, and a warning names the reason and the remedy",
    async (key, value) => {
      const { above, home } = homeBelow(mode, `timezone = "Europe/Paris"\n${key} = ${value}\n`);
      const config = await load(home);
      const [name] =
        Object.entries(SETTINGS).find(([, row]) => "key" in row && row.key === key) ?? [];
      expect(config.settings).toMatchObject({ timezone: "Europe/Paris" });
      expect(config.sources).toMatchObject({ [name ?? ""]: "default" });
      expect(config.warnings).toEqual([
        `${join(home, "config.toml")}: ${key} does not count, since ${above} can be written to by other users; chmod go-w ${above}`,
      ]);
      chmodSync(above, 0o755);
      if (key === "active_daemon" || key.startsWith("auth.proxy")) return;
      expect(await load(home)).toMatchObject({ sources: { [name ?? ""]: "file" }, warnings: [] });
    },
  );

  test("gives no [[daemon]] entries, and each command that needs one is refused", async () => {
    const { above, home } = homeBelow(mode, `active_daemon = "team"\n${CATALOG}`);
    const config = await load(home);
    expect(config.catalog).toEqual([]);
    expect(config.warnings).toEqual([expect.stringContaining("active_daemon, [[daemon]] do not")]);
    const cure = { code: "validation", hint: `chmod go-w ${above}` };
    const select = (named?: string) => () => selectTarget(config, { server: undefined }, named);
    expect(select("team")).toThrow(expect.objectContaining(cure));
    expect(select()).toThrow(expect.objectContaining(cure));
    const elsewhere = await load(home, { SVC_SERVER: "https://other.example" });
    expect(selectTarget(elsewhere, { server: undefined })).toMatchObject({ from: "SVC_SERVER" });
  });

  test("gives no [[federation.project]] entries, and the daemon does not start without them", async () => {
    const fields = 'hub = "team"\nspoke_project = "a"\nhub_project = "b"\nactor = "sam"\n';
    const { above, home } = homeBelow(mode, `${CATALOG}[[federation.project]]\n${fields}`);
    const config = await load(home);
    expect(config.mappings).toEqual([]);
    const start = () => settingsFrom(config, "1.0.0");
    expect(start).toThrow(/has \[\[federation.project\]\], which cannot count there/);
    chmodSync(above, 0o755);
    expect((await load(home)).mappings).toHaveLength(1);
  });

  test("gives no [[connector]] entries, and the daemon does not start without them", async () => {
    const entry = '[[connector]]\nid = "files"\ncommand = "/opt/files"\n';
    const { above, home } = homeBelow(mode, entry);
    const config = await load(home);
    expect(config.connectors).toEqual([]);
    expect(config.warnings).toEqual([expect.stringContaining("[[connector]] does not count")]);
    const start = () => settingsFrom(config, "1.0.0");
    expect(start).toThrow(/has \[\[connector\]\], which cannot count there/);
    chmodSync(above, 0o755);
    expect((await load(home)).connectors).toHaveLength(1);
  });

  test("is refused if it names the database, since the default would be another database", async () => {
    const { above, home } = homeBelow(mode, `storage.dsn = ${REFUSED["storage.dsn"]}\n`);
    const cure = `chmod go-w ${above}`;
    await expect(load(home)).rejects.toMatchObject({ code: "validation", hint: cure });
    expect(await load(home, { SVC_DB: "mine.db" })).toMatchObject({ warnings: [] });
  });

  test("gives no auth.token, and the daemon does not start without it", async () => {
    const { above, home } = homeBelow(mode, 'auth.token = "tok-of-ann"\n');
    const config = await load(home);
    expect(config.settings.authToken).toBeUndefined();
    const start = () => settingsFrom(config, "1.0.0");
    expect(start).toThrow(
      expect.objectContaining({ code: "validation", hint: `chmod go-w ${above}` }),
    );
    expect(start).toThrow(/has auth.token, which cannot count there/);
    expect(settingsFrom(withoutLoss(config), "1.0.0").authentication).toBeUndefined();
    const named = await load(home, { SVC_AUTH_TOKEN: "tok" });
    expect(settingsFrom(named, "1.0.0").authentication).toEqual({ mode: "static", token: "tok" });
  });
});

test("settings that only change how things look are accepted in any folder, and the daemon starts", async () => {
  const { home } = homeBelow(0o777, 'timezone = "Europe/Paris"\n[tui]\nmouse = true\n');
  const config = await load(home);
  expect(config).toMatchObject({ warnings: [], settings: { tuiMouse: true } });
  expect(config.lost).toBeUndefined();
  expect(settingsFrom(config, "1.0.0")).toMatchObject({ ops: { timezone: "Europe/Paris" } });
  expect(selectTarget(config, { server: undefined })).toBe(LOCAL);
});

describe("a config.toml is accepted in full", () => {
  const renderer = 'display.markdown_renderer = ["glow"]\n';

  test("a config.toml below a folder that is sticky, as /tmp is, is accepted in full", async () => {
    expect(await load(homeBelow(0o1777, renderer).home)).toMatchObject({ warnings: [] });
  });

  test("a config.toml that a group may write to, but cannot reach, is accepted in full", async () => {
    const { home } = homeBelow(0o755, renderer);
    chmodSync(join(home, "config.toml"), 0o664);
    expect(await load(home)).toMatchObject({ warnings: [] });
    chmodSync(home, 0o755);
    expect((await load(home)).warnings).toEqual([
      expect.stringContaining(`chmod go-w ${join(home, "config.toml")}`),
    ]);
  });

  test("a config.toml behind a symbolic link is accepted in full, unless others may write where the link leads", async () => {
    const { home } = homeBelow(0o755, "");
    const dotfiles = folderWith({ "svc.toml": renderer });
    const link = join(home, "link");
    mkdirSync(link, { mode: 0o700 });
    symlinkSync(join(dotfiles, "svc.toml"), join(link, "config.toml"));
    expect(await load(link)).toMatchObject({ warnings: [] });
    chmodSync(dotfiles, 0o777);
    expect((await load(link)).warnings).toEqual([expect.stringContaining(dotfiles)]);
  });
});

describe.runIf(isRoot)("a config.toml that another user wrote is refused whole", () => {
  test.each([
    ["in a folder of ours", 0o755],
    ["in a folder that is sticky", 0o1777],
    ["in a folder that all may write to", 0o777],
  ])("another user's config.toml %s is refused whole", async (_name, mode) => {
    const { home } = homeBelow(0o755, 'timezone = "Europe/Paris"\n');
    chmodSync(home, mode);
    chownSync(join(home, "config.toml"), STRANGER_UID, STRANGER_UID);
    await expect(load(home)).rejects.toMatchObject({
      code: "validation",
      message: `${join(home, "config.toml")} does not count: it belongs to another user (uid ${STRANGER_UID})`,
      hint: "remove it, or set SVC_HOME to a folder that only you can enter",
    });
  });

  test("another user's symbolic link to a config.toml of ours is refused whole", async () => {
    const { home } = homeBelow(0o755, "");
    const link = join(home, "link");
    mkdirSync(link);
    symlinkSync(join(home, "config.toml"), join(link, "config.toml"));
    lchownSync(join(link, "config.toml"), STRANGER_UID, STRANGER_UID);
    await expect(load(link)).rejects.toMatchObject({ code: "validation" });
  });
});
