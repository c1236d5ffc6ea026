import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CERTIFICATE, KEY } from "../client/certificate.ts";
import { type Box, box } from "./box.ts";

const TOKEN = "svc_the-bearer-of-the-team";

interface Status {
  readonly daemons: readonly { readonly address: string }[];
}

/** Makes a daemon on TCP that requires a token, and a home that knows only its URL. */
async function team(): Promise<{ readonly host: Box; readonly address: string }> {
  const host = box({ SVC_AUTH_TOKEN: TOKEN });
  expect(await host.svc("daemon", "start", "--listen", "127.0.0.1:0")).toMatchObject({ code: 0 });
  const { daemons } = await host.json<Status>("daemon", "status");
  expect(await host.svc("init", "--project", "tools")).toMatchObject({ code: 0 });
  return { host, address: daemons[0]?.address ?? "" };
}

describe("a remote daemon that requires a token", () => {
  test("serves clients that have the token, and names the remedy to clients without it", async () => {
    const { address } = await team();
    const env = { SVC_SERVER: `http://${address}` };
    const ann = box({ ...env, SVC_AUTH_TOKEN: TOKEN });
    expect(await ann.svc("create", "a plan", "--project", "tools")).toMatchObject({ code: 0 });
    expect((await ann.svc("list", "--project", "tools")).stdout).toContain("a plan");

    const nobody = box(env);
    const without = await nobody.svc("list", "--project", "tools");
    expect(without).toMatchObject({ code: 1, stdout: "" });
    expect(without.stderr).toContain("set SVC_AUTH_TOKEN");
    expect((await nobody.svc("daemon", "locate")).stdout).toBe(`http://${address}\n`);

    const other = box({ ...env, SVC_AUTH_TOKEN: "svc_another-secret" });
    const wrong = await other.svc("list", "--project", "tools", "--json");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(wrong.stderr)).toMatchObject({
      error: { kind: "internal", code: "auth_invalid", exit_code: 1 },
    });
    const followed = await other.svc("events", "--tail", "--project", "tools");
    expect(followed.code).toBe(1);
    expect(followed.stderr).toContain("not the daemon's token");
    expect(wrong.stderr + followed.stderr).not.toContain("another-secret");
  }, 60_000);

  test("can be named in config.toml with a token of its own", async () => {
    const { address } = await team();
    const home = box();
    mkdirSync(home.home, { mode: 0o700 });
    writeFileSync(
      join(home.home, "config.toml"),
      `[auth]\ntoken = "only-for-here"\n[[daemon]]\nname = "team"\nurl = "http://${address}"\ntoken = "${TOKEN}"\n`,
      { mode: 0o600 },
    );
    const words = ["list", "--project", "tools"];
    expect(await home.svc(...words, "--daemon", "team")).toMatchObject({ code: 0, stderr: "" });
  }, 60_000);
});

test("a write with a person's token belongs to that person", async () => {
  const host = box({ SVC_AUTH_TOKEN: TOKEN });
  mkdirSync(host.home, { mode: 0o700 });
  const config = join(host.home, "config.toml");
  writeFileSync(config, "[auth]\nrequire_token_identity = true\n", { mode: 0o600 });
  expect(await host.svc("daemon", "start", "--listen", "127.0.0.1:0")).toMatchObject({ code: 0 });
  const { daemons } = await host.json<Status>("daemon", "status");
  const { plaintext } = await host.json<{ plaintext: string }>(
    "tokens",
    "create",
    "--actor",
    "ann",
  );
  const refused = await host.svc("init", "--project", "tools");
  expect(refused).toMatchObject({ code: 1, stdout: "" });

  const ann = box({ SVC_SERVER: `http://${daemons[0]?.address}`, SVC_AUTH_TOKEN: plaintext });
  expect(await ann.svc("projects", "create", "tools")).toMatchObject({ code: 0 });
  const words = ["create", "a plan", "--project", "tools", "--as", "bea"];
  expect(await ann.json(...words)).toMatchObject({ issue: { author: "ann" } });
  expect((await host.svc("list", "--project", "tools")).stdout).toContain("a plan");
  expect(await ann.svc("tokens", "list")).toMatchObject({ code: 1, stdout: "" });
  expect(await host.svc("tokens", "revoke", "1")).toMatchObject({ code: 0 });
  const revoked = await ann.svc("list", "--project", "tools");
  expect(revoked).toMatchObject({ code: 1, stdout: "" });
  expect(revoked.stderr).not.toContain(plaintext);
}, 60_000);

test("creating tokens of persons requires a token that administers them", async () => {
  const home = box();
  mkdirSync(home.home, { mode: 0o700 });
  const config = join(home.home, "config.toml");
  writeFileSync(config, "[auth]\nrequire_token_identity = true\n", { mode: 0o600 });
  const refused = await home.svc("daemon", "start", "--foreground");
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toContain("set [auth] token in config.toml, or SVC_AUTH_TOKEN");
});

test("svc tokens create says so if the daemon does not require tokens", async () => {
  const { host } = await team();
  const words = ["tokens", "create", "--actor", "ann"];
  const { stderr, stdout } = await host.svc(...words, "-q");
  expect(stdout).toMatch(/^svc_/);
  expect(stderr).toContain("set [auth] token and require_token_identity = true");
  expect(await host.json(...words)).toMatchObject({ accepted: false });
  const config = "[auth]\nrequire_token_identity = true\n";
  writeFileSync(join(host.home, "config.toml"), config, { mode: 0o600 });
  expect(await host.svc("daemon", "restart")).toMatchObject({ code: 0 });
  expect(await host.svc(...words)).toMatchObject({ code: 0, stderr: "" });
  expect(await host.json(...words)).toMatchObject({ accepted: true });
}, 60_000);

test("a daemon does not start with a token that no client could send", async () => {
  const home = box({ SVC_AUTH_TOKEN: "hunter2 hunter3" });
  const refused = await home.svc("daemon", "start", "--foreground");
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toContain("the token of SVC_AUTH_TOKEN holds a space at character 8");
  expect(refused.stderr).not.toContain("hunter");
});

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

/**
 * Starts a proxy with the configuration of docs/remote.md, and with the ports and files of the test. Returns its URL.
 */
async function proxied(address: string, folder: string): Promise<string> {
  const port = await freePort();
  const page = readFileSync(join(import.meta.dirname, "../../docs/remote.md"), "utf8");
  const server = (/```nginx\n([^`]*)```/.exec(page)?.[1] ?? "")
    .replace("443 ssl", `127.0.0.1:${port} ssl`)
    .replace("/etc/ssl/tracker.pem", join(folder, "cert.pem"))
    .replace("/etc/ssl/tracker.key", join(folder, "key.pem"))
    .replace("127.0.0.1:7777", address);
  writeFileSync(join(folder, "cert.pem"), CERTIFICATE);
  writeFileSync(join(folder, "key.pem"), KEY);
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off;\n${temp}\n${server}}\n`,
  );
  const nginx = spawn("nginx", ["-c", join(folder, "nginx.conf"), "-p", folder], {
    stdio: "ignore",
  });
  onTestFinished(() => void nginx.kill());
  return `https://127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof bound === "object" && bound !== null ? bound.port : 0;
}

test.skipIf(!hasNginx)(
  "behind nginx over HTTPS the daemon serves commands, and events arrive as they happen",
  async () => {
    const { host, address } = await team();
    const url = await proxied(address, host.folder);
    const env = { SVC_SERVER: url, NODE_EXTRA_CA_CERTS: join(host.folder, "cert.pem") };
    const ann = box({ ...env, SVC_AUTH_TOKEN: TOKEN });
    await expect.poll(async () => (await ann.svc("health")).code, { timeout: 20_000 }).toBe(0);
    const follower = ann.start("events", "--tail", "--project", "tools");
    onTestFinished(() => void follower.kill());
    const heard: string[] = [];
    follower.stdout?.setEncoding("utf8").on("data", (text: string) => heard.push(text));
    await expect
      .poll(
        async () => {
          expect(
            await ann.svc("create", "a plan", "--project", "tools", "--force-new"),
          ).toMatchObject({
            code: 0,
          });
          return heard.join("");
        },
        { timeout: 30_000, interval: 500 },
      )
      .toContain("issue.created");
    expect((await box(env).svc("list", "--project", "tools")).stderr).toContain("SVC_AUTH_TOKEN");
  },
  90_000,
);
