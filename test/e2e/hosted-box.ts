import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { CERTIFICATE } from "../client/certificate.ts";
import { startHost } from "../sync/host/start-host.ts";
import { box } from "./box.ts";

export const TOKEN = "ghp_geheim0123456789";
export const REPO = "ann/tracker";

/** A host with one repository in a process of its own, and a project whose git remote is there. */
export async function hostedBox() {
  const { host, state, close } = await startHost();
  onTestFinished(async () => await close());
  await state.addToken(TOKEN);
  await state.addRepository("ann", "tracker");
  const folder = mkdtempSync(join(tmpdir(), "svc-authority-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const authority = join(folder, "authority.pem");
  writeFileSync(authority, CERTIFICATE);
  const b = box({
    NODE_EXTRA_CA_CERTS: authority,
    SVC_PROVIDER_TOKEN: TOKEN,
    SVC_PROVIDER_SYNC_ALLOWED_HOSTS: host,
  });
  execFileSync("git", ["init", "-q"], { cwd: b.work });
  execFileSync("git", ["remote", "add", "origin", `https://${host}/${REPO}.git`], { cwd: b.work });
  await b.json("init");
  writeFileSync(join(b.home, "config.toml"), `[provider_sync]\ntoken_host = "${host}"\n`, {
    mode: 0o600,
  });
  await b.svc("daemon", "stop");
  return { b, host, state };
}
