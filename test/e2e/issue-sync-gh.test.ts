import { execFileSync, spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { instantToMs, systemClock } from "../../src/base/clock.ts";
import { CERTIFICATE } from "../client/certificate.ts";
import { hasPrivateNetwork, inNetworkOf } from "../support/private-network.ts";
import { startHost } from "../sync/host/start-host.ts";
import { box, type Ended, ended } from "./box.ts";
import { REPO, TOKEN } from "./hosted-box.ts";

const hasGh = spawnSync("gh", ["--version"]).status === 0;

/** The port of https: `gh` takes no host with another one. */
const PORT = 443;

/** Like `hostedBox`, with `gh` as the only credential, and settings as docs/sync.md has them for another host. */
async function ghBox() {
  const { host, pid, state, close } = await startHost(PORT);
  onTestFinished(async () => await close());
  await state.addToken(TOKEN);
  await state.addRepository("ann", "tracker");
  const within = inNetworkOf(pid);
  // The daemon gives `gh` neither of the tokens, which would take precedence over that of the login.
  const tokens = { GH_TOKEN: "ghp_other", GH_ENTERPRISE_TOKEN: "ghp_other" };
  const b = box({ SVC_PROVIDER_SYNC_ALLOWED_HOSTS: host, ...tokens }, within);
  const authority = join(b.folder, "authority.pem");
  writeFileSync(authority, CERTIFICATE);
  // The environment of a command is that of the daemon it starts.
  Object.assign(b.env, { NODE_EXTRA_CA_CERTS: authority });
  execFileSync("git", ["init", "-q"], { cwd: b.work });
  execFileSync("git", ["remote", "add", "origin", `https://${host}/${REPO}.git`], { cwd: b.work });
  await b.json("init");
  const gh = async (words: readonly string[], input = ""): Promise<Ended> => {
    const env = { PATH: b.env["PATH"], HOME: b.folder, SSL_CERT_FILE: authority };
    const [program = "", ...before] = within;
    const child = spawn(program, [...before, "gh", ...words, "--hostname", host], { env });
    child.stdin.end(input);
    return await ended(child);
  };
  const enable = async (): Promise<Ended> =>
    await b.svc("sync", "github", "enable", "--host", host);
  return { b, host, state, gh, enable };
}

describe.skipIf(!hasGh || !hasPrivateNetwork)("the program gh", () => {
  test("gives the daemon a token from its login until its logout", async () => {
    const { b, host, state, gh, enable } = await ghBox();
    await state.addIssue(REPO, { title: "Crash at start" });
    const without = await enable();
    expect(without.code).not.toBe(0);
    expect(without.stderr).toContain("gh gave no token");
    expect(without.stderr).toContain(`gh auth login --hostname ${host}`);

    const login = ["auth", "login", "--with-token"];
    expect(await gh(login, "ghp_wrong")).toMatchObject({ code: 1 });
    expect(await gh(login, TOKEN)).toMatchObject({ code: 0 });
    expect(readFileSync(join(b.folder, ".config/gh/hosts.yml"), "utf8")).toContain(TOKEN);
    expect(await enable()).toMatchObject({ code: 0 });
    await vi.waitFor(async () => {
      const { stdout } = await b.svc("list");
      expect(stdout).toContain("[GitHub #1] Crash at start");
    }, 20_000);
    expect(await b.svc("sync", "github", "once")).toMatchObject({ code: 0 });

    expect(await gh(["auth", "logout"])).toMatchObject({ code: 0 });
    const after = await b.svc("sync", "github", "once");
    expect(after.code).not.toBe(0);
    expect(after.stderr).toContain("credentials");
    expect(await b.svc("sync", "github", "disable")).toMatchObject({ code: 0 });
  });

  test("is not asked for a token if a GitHub App is configured for the owner", async () => {
    const { b, host, state, gh, enable } = await ghBox();
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    // The proof that the daemon signs holds for ten minutes only.
    await state.tick(systemClock.nowMs() - instantToMs(await state.now()));
    await state.addApp({ app_id: "123456", installation_id: "7890123", publicKey });
    writeFileSync(join(b.home, "acme.private-key.pem"), privateKey, { mode: 0o600 });
    const page = readFileSync(join(import.meta.dirname, "../../docs/configuration.md"), "utf8");
    const [, example = ""] = /```toml\n(# 1\. An app[\s\S]*?)\n# 2\./.exec(page) ?? [];
    const settings = example.replace('owner = "acme"', `host = "${host}"\nowner = "ann"`);
    writeFileSync(join(b.home, "config.toml"), settings, { mode: 0o600 });
    await gh(["auth", "login", "--with-token"], TOKEN);
    await b.svc("daemon", "stop");
    expect(await enable()).toMatchObject({ code: 0 });
    expect(await b.svc("sync", "github", "disable")).toMatchObject({ code: 0 });
    writeFileSync(join(b.home, "acme.private-key.pem"), "no key", { mode: 0o600 });
    const unreadable = await enable();
    expect(unreadable.code).not.toBe(0);
    expect(unreadable.stderr).toContain("acme.private-key.pem");
  });
});
