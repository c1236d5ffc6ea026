import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { parseHostPort } from "../../src/config/addresses.ts";
import { type Box, box } from "./box.ts";

const FIXTURES = join(import.meta.dirname, "..", "daemon", "fixtures");

interface Served {
  readonly host: Box;
  readonly address: string;
  /** Replaces the daemon's certificate and key by these fixtures. */
  put(certificate: string, key: string): void;
}

/** Makes a daemon that speaks HTTPS, with a certificate for localhost and 127.0.0.1. */
async function served(): Promise<Served> {
  const host = box();
  mkdirSync(host.home, { mode: 0o700 });
  const config = '[tls]\ncert = "cert.pem"\nkey = "key.pem"\n';
  writeFileSync(join(host.home, "config.toml"), config, { mode: 0o600 });
  const put = (certificate: string, key: string): void => {
    copyFileSync(join(FIXTURES, certificate), join(host.home, "cert.pem"));
    const pem = readFileSync(join(FIXTURES, key));
    writeFileSync(join(host.home, "key.pem"), pem, { mode: 0o600 });
  };
  put("renewed.pem", "other-key.pem");
  const started = await host.json<{ address: string }>(
    "daemon",
    "start",
    "--listen",
    "127.0.0.1:0",
  );
  return { host, address: started.address, put };
}

test("svc daemon reload loads a renewed certificate, and refuses one that does not fit", async () => {
  const { host, address, put } = await served();
  const words = ["daemon", "reload"] as const;
  expect(await host.svc(...words)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("the certificate is valid until 2125-01-01T00:00:00.000Z"),
  });
  put("certificate.pem", "other-key.pem");
  const refused = await host.svc(...words);
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toMatch(
    /the daemon \(pid \d+\) keeps its certificate, .*: .*key.pem \(\[tls\] key\) is not the key of .*cert.pem/,
  );
  expect(refused.stderr).toContain("run svc daemon reload again");
  expect(await shownAt(address)).toBe(textOf("renewed.pem"));
  expect((await host.svc("daemon", "logs")).stdout).toContain("certificate.kept");

  put("certificate.pem", "key.pem");
  expect(await host.json(...words)).toMatchObject({
    action: "reload",
    certificate: { valid_until: "2125-01-01T00:00:00.000Z" },
  });
  expect(await shownAt(address)).toBe(textOf("certificate.pem"));
  expect(await host.svc("health")).toMatchObject({ code: 0 });
  expect(await host.svc("daemon", "status")).toMatchObject({
    stdout: expect.stringContaining(`running`),
  });
}, 60_000);

test("a remote client trusts the certificate by NODE_EXTRA_CA_CERTS, and in no other way", async () => {
  const { host, address } = await served();
  expect(await host.svc("init", "--project", "tools")).toMatchObject({ code: 0 });
  const env = { SVC_SERVER: `https://${address}` };
  const trusting = box({ ...env, NODE_EXTRA_CA_CERTS: join(FIXTURES, "renewed.pem") });
  expect(await trusting.svc("create", "a plan", "--project", "tools")).toMatchObject({ code: 0 });
  expect((await trusting.svc("list", "--project", "tools")).stdout).toContain("a plan");
  const refused = await box(env).svc("list", "--project", "tools");
  expect(refused).toMatchObject({ code: 7, stdout: "" });
  expect(refused.stderr).toContain("NODE_EXTRA_CA_CERTS");
  const plain = await box({ SVC_SERVER: `http://${address}` }).svc("list", "--project", "tools");
  expect(plain).toMatchObject({ code: 7, stdout: "" });
}, 60_000);

test("svc daemon start refuses an old name of a setting in config.toml, and tells the new name", async () => {
  const host = box();
  mkdirSync(host.home, { mode: 0o700 });
  writeFileSync(join(host.home, "config.toml"), 'listen_key = "key.pem"\n');
  const refused = await host.svc("daemon", "start");
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toContain("has listen_key, which is now key in [tls]");
});

function textOf(fixture: string): string {
  return readFileSync(join(FIXTURES, fixture), "utf8");
}

/** Returns the certificate that a new connection gets. */
async function shownAt(address: string): Promise<string | undefined> {
  const { host = "", port = 0 } = parseHostPort(address) ?? {};
  return await new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString());
      socket.destroy();
    }).once("error", reject);
  });
}
