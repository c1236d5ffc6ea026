import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasPrivateNetwork, inNetwork, PRIVATE_4 } from "../support/private-network.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "run.js");
const FIXTURES = join(import.meta.dirname, "..", "daemon", "fixtures");
const TOKEN = "svc_the-secret-of-the-team";
const AT = `${PRIVATE_4}:7777`;
const TLS = '[tls]\ncert = "cert.pem"\nkey = "key.pem"\n';

/** Starts a daemon on a private network of its own, asks there who can reach it, and stops it. */
function reportOf(toml: string, token: string | undefined, flag: string): object {
  const folder = mkdtempSync(join(tmpdir(), "svc-exposure-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "config.toml"), toml, { mode: 0o600 });
  copyFileSync(join(FIXTURES, "certificate.pem"), join(home, "cert.pem"));
  writeFileSync(join(home, "key.pem"), readFileSync(join(FIXTURES, "key.pem")), { mode: 0o600 });
  const svc = `"${process.execPath}" "${LAUNCHER}" daemon`;
  const script = `${svc} start ${flag} >&2 && ${svc} exposure --json; ended=$?; ${svc} stop >&2; exit $ended`;
  const { stdout, stderr, status } = spawnSync("unshare", inNetwork("sh", "-c", script), {
    encoding: "utf8",
    timeout: 60_000,
    env: {
      ...{ PATH: process.env["PATH"], HOME: folder, SVC_HOME: home, XDG_RUNTIME_DIR: folder },
      ...(token === undefined ? {} : { SVC_AUTH_TOKEN: token }),
    },
  });
  expect(stdout + stderr).not.toContain(TOKEN);
  if (status !== 0) throw new Error(`it ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as object;
}

const REFUSED = { read: "refused", write: "refused", administer: "refused" };
const CLEAR = `tokens travel to ${AT} in clear: whoever reads along on that network can use them`;

test.skipIf(!hasPrivateNetwork).each([
  [
    "with a token in clear",
    `listen = "${AT}"\n[auth]\ntrust_private_network = true\n`,
    TOKEN,
    { address: AT, https: false, row: 11, warnings: [CLEAR], without_token: REFUSED },
  ],
  [
    "with a token over HTTPS",
    `listen = "${AT}"\n${TLS}`,
    TOKEN,
    { address: AT, https: true, row: 11, warnings: [], without_token: REFUSED },
  ],
  [
    "without a token, for whoever reaches it",
    `listen = "${AT}"\n[auth]\nallow_unauthenticated_private_network_writes = true\n`,
    undefined,
    {
      ...{ address: AT, row: 6, read: ["none"], write: ["none"], administer: [] },
      without_token: { read: "answered", write: "answered", administer: "refused" },
      warnings: [`everybody who reaches ${AT} can write there without a token, as any actor`],
    },
  ],
  [
    "beside a loopback address, over HTTPS",
    `listen = ["127.0.0.1:7776", "${AT}"]\n${TLS}`,
    TOKEN,
    { address: AT, https: true, row: 11, warnings: [], without_token: REFUSED },
  ],
  [
    "on all addresses",
    `listen = "0.0.0.0:7777"\n${TLS}[auth]\nrequire_token_identity = true\n`,
    TOKEN,
    {
      ...{ row: 11, write: ["person_token"], administer: ["daemon_token"], warnings: [] },
      ...{ reach: "network", without_token: REFUSED },
      reached_by: expect.stringContaining(PRIVATE_4),
    },
  ],
])(
  "a daemon on a private network %s behaves as its exposure report says",
  (_, toml, token, said) => {
    const report = reportOf(toml, token, "");
    expect(report).not.toHaveProperty("after_restart");
    expect(report).toMatchObject({
      source: "daemon",
      listeners: expect.arrayContaining([expect.objectContaining(said)]),
      unchecked: expect.arrayContaining([expect.stringContaining("firewalls")]),
    });
  },
);

test.skipIf(!hasPrivateNetwork)(
  "the exposure report of a read-only daemon says who can read, and what a new start needs",
  () => {
    expect(reportOf(`listen = "${AT}"\n`, undefined, "--insecure-readonly")).toMatchObject({
      mode: "readonly",
      listeners: [
        { row: 8 },
        {
          ...{ address: AT, row: 13, read: ["none"], follow: [], write: [], administer: [] },
          without_token: { read: "answered", write: "refused", administer: "refused" },
          warnings: [`everybody who reaches ${AT} can read there without a token`],
        },
      ],
      after_restart: { listeners: [{ row: 8 }, { row: 14, refusal: expect.any(String) }] },
    });
  },
);
