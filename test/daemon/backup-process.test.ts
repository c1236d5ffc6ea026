import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { backupsBy } from "../../src/daemon/backup-process.ts";
import { tempFolder } from "../support/daemon.ts";

test("the process that makes a backup has the settings of the daemon, and no token", async () => {
  const home = tempFolder();
  writeFileSync(join(home, "config.toml"), 'provider_sync.token_env = "CODE_HOST"\n');
  // Answers like `svc backup --json`, with the environment in place of a path.
  const launcher = join(home, "launcher.cjs");
  writeFileSync(
    launcher,
    "console.log(JSON.stringify({ path: JSON.stringify(process.env), records: 0 }));\n",
  );
  const tokens = { CODE_HOST: "geheim", SVC_PROVIDER_TOKEN: "geheim", SVC_AUTH_TOKEN: "geheim" };
  const env = { SVC_HOME: home, MARK: "mark", PATH: process.env["PATH"], ...tokens };
  const config = await loadConfig({ env, cwd: home });
  const made = await backupsBy(launcher, config, 1000).run(new AbortController().signal);
  expect(made.path).not.toContain("geheim");
  expect(JSON.parse(made.path)).toMatchObject({ MARK: "mark", SVC_HOME: home });
});
