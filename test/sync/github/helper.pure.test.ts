import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { tokenOfHelper } from "../../../src/sync/github/helper.ts";
import { folderWith } from "../../config/folder.ts";
import { FakeClock } from "../../support/clock.ts";
import { HastyClock } from "./support.ts";

/** A folder of programs with a `gh` that does this, and the environment of a daemon that finds it. */
function withGh(script: string, mode = 0o755) {
  const folder = folderWith();
  const bin = join(folder, "bin");
  mkdirSync(bin, { mode: 0o755 });
  // In a folder that nobody else may enter, a program that others may write to would be no fault.
  chmodSync(folder, 0o755);
  const said = join(folder, "said");
  writeFileSync(join(bin, "gh"), `#!/bin/sh\n${script.replaceAll("SAID", said)}\n`);
  chmodSync(join(bin, "gh"), mode);
  const env = {
    ...{ HOME: folder, PATH: `relative:${bin}:/usr/bin:/bin`, SVC_AUTH_TOKEN: "geheim" },
    ...{
      SVC_PROVIDER_TOKEN: "geheim",
      GH_TOKEN: "geheim",
      GITHUB_TOKEN: "geheim",
      SVC_DSN: "geheim",
    },
  };
  return { env, bin, said };
}

const { signal } = new AbortController();

describe.runIf(process.platform !== "win32")("the program gh", () => {
  test("is called for the token of the host, with only HOME and PATH in its environment", async () => {
    const { env, said } = withGh(
      '/usr/bin/env > SAID; pwd >> SAID; echo "$0 $*" >> SAID; echo ghp_mine',
    );
    const found = await tokenOfHelper("git.example:8443", { clock: systemClock, env, signal });
    expect(found).toEqual({ token: "ghp_mine" });
    const lines = readFileSync(said, "utf8").trim().split("\n");
    const own = lines.filter((line) => !/^(?:PWD|SHLVL|_|OLDPWD)=/.test(line));
    expect(own).toEqual([
      ...[`HOME=${env.HOME}`, `PATH=${env.PATH}`].sort(),
      "/",
      expect.stringMatching(/^\/.*\/bin\/gh auth token --hostname git\.example:8443$/),
    ]);
  });

  test.each([
    ["fails", "echo ghp_geheim; exit 4", "gh gave no token (it ended with 4)"],
    ["prints nothing", "exit 0", "gh printed no token"],
    ["prints too much", "/usr/bin/yes ghp_geheim", "gh printed more than a token"],
    ["cannot be run", "", "gh is not run"],
  ])("a gh that %s gives no token, and its output is not shown", async (what, script, why) => {
    const { env, bin } = withGh(script);
    if (what === "cannot be run") chmodSync(bin, 0o777);
    const found = await tokenOfHelper("github.com", { clock: systemClock, env, signal });
    expect(found).toEqual({ why: expect.stringContaining(why) as string });
    expect(JSON.stringify(found)).not.toContain("geheim");
  });

  test("a gh that other users could replace is not run", async () => {
    const { env, bin, said } = withGh("echo run > SAID");
    chmodSync(join(bin, "gh"), 0o777);
    const found = await tokenOfHelper("github.com", { clock: systemClock, env, signal });
    expect(found).toEqual({
      why: `gh is not run: ${join(bin, "gh")} can be written to by other users`,
    });
    expect(existsSync(said)).toBe(false);
  });

  test("a gh that is not executable is ignored", async () => {
    const { env } = withGh("echo ghp_mine", 0o644);
    const found = await tokenOfHelper("github.com", {
      clock: systemClock,
      env: { ...env, PATH: env.PATH.replace(":/usr/bin:/bin", "") },
      signal,
    });
    expect(found).toEqual({ why: "gh is not installed" });
  });

  test("a gh that has not answered in ten seconds is ended, even if a child process keeps its output open", async () => {
    const { env } = withGh("/usr/bin/sleep 20 & echo ghp_mine; wait");
    const found = await tokenOfHelper("github.com", { clock: new HastyClock(), env, signal });
    expect(found).toEqual({ why: "gh has not answered within 10 s" });
  });

  test("is ended when the run is stopped", async () => {
    const { env } = withGh("exec /usr/bin/sleep 20");
    const stop = new AbortController();
    // The time of this clock does not pass, so only the signal can end the program before it has slept.
    const clock = new FakeClock();
    const asking = tokenOfHelper("github.com", { clock, env, signal: stop.signal });
    stop.abort();
    expect(await asking).toEqual({ why: "gh has not answered within 10 s" });
  });
});
