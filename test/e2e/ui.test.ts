import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Box, box } from "./box.ts";

/** Makes a program that notes its words and its environment in a file, and then does what `rest` says. */
function program(folder: string, name: string, rest = "exit 0") {
  const [path, seen] = [join(folder, name), join(folder, `${name}.seen`)];
  const script = `#!/bin/sh\n{ echo "$$"; printf '%s\\n' "$@"; echo ---; env; } > "${seen}.part"\nmv "${seen}.part" "${seen}"\n${rest}\n`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return {
    path,
    wasRun: () => existsSync(seen),
    seen: () => {
      const [words = "", env = ""] = readFileSync(seen, "utf8").split("---\n");
      const [pid = "", ...args] = words.trimEnd().split("\n");
      return { pid: Number(pid), args, env };
    },
  };
}

interface Opener extends Box {
  readonly opener: ReturnType<typeof program>;
}

/** A home whose browser is a program of the test. */
function withOpener(rest?: string, more: Readonly<Record<string, string>> = {}): Opener {
  const folder = box().folder;
  const opener = program(folder, "browser", rest);
  return { ...box({ BROWSER: opener.path, ...more }), opener };
}

async function issueIn(place: Box): Promise<{ readonly uid: string; readonly short_id: string }> {
  await place.svc("init", "--project", "web");
  const { issue } = await place.json<{ issue: { uid: string; short_id: string } }>(
    "create",
    "An issue",
  );
  return issue;
}

const CODE = String.raw`#direct=1&code=[\w-]{43}`;
const PAGE = new RegExp(String.raw`^http://127\.0\.0\.1:\d+/svc${CODE}$`);

describe("svc ui", () => {
  test("starts the daemon and opens its page", async () => {
    const place = withOpener();
    const { code, stdout, stderr } = await place.svc("ui");
    expect([code, stderr]).toEqual([0, ""]);
    const [url = ""] = place.opener.seen().args;
    expect(url).toMatch(PAGE);
    expect(stdout).toBe(`opened ${url}\n`);
    const page = await fetch(url);
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
  });

  test("opens an issue by its ref", async () => {
    const place = withOpener();
    const { uid, short_id } = await issueIn(place);
    const { code, stderr } = await place.svc("ui", short_id);
    expect([code, stderr]).toEqual([0, ""]);
    const [url = ""] = place.opener.seen().args;
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/svc\\?issue=${uid}${CODE}$`));
  });

  test("opens nothing for an issue that does not exist", async () => {
    const place = withOpener();
    await issueIn(place);
    const { code, stdout } = await place.svc("ui", "zzzz");
    expect([code, stdout, place.opener.wasRun()]).toEqual([4, "", false]);
  });

  test("uses this machine's daemon, whatever other daemon the settings name", async () => {
    const elsewhere = { SVC_SERVER: "http://127.0.0.1:1" };
    const place = withOpener(undefined, elsewhere);
    mkdirSync(place.home, { mode: 0o700 });
    const other = '[[daemon]]\nname = "team"\nurl = "http://127.0.0.1:1"\n';
    writeFileSync(join(place.home, "config.toml"), `active_daemon = "team"\n${other}`, {
      mode: 0o600,
    });
    writeFileSync(join(place.work, ".svc.local.toml"), '[server]\nurl = "http://127.0.0.1:1"\n');
    const { code, stderr } = await place.svc("ui");
    expect([code, stderr]).toEqual([0, ""]);
    expect(place.opener.seen().args[0]).toMatch(PAGE);
    const named = await place.svc("ui", "--daemon", "team");
    expect([named.code, named.stderr]).toMatchObject([7, expect.stringContaining("127.0.0.1:1")]);
  });

  test("opens the page of another daemon by its name, without its token", async () => {
    const token = "svc_the-secret-of-the-team";
    const team = box({ SVC_AUTH_TOKEN: token });
    await team.svc("daemon", "start", "--listen", "127.0.0.1:0");
    const issue = await issueIn(team);
    const { address } = await team.json<{ address: string }>("daemon", "locate");
    const place = withOpener(undefined, { TEAM_TOKEN: token });
    mkdirSync(place.home, { mode: 0o700 });
    const entry = `[[daemon]]\nname = "team"\nurl = "http://${address}"\ntoken_env = "TEAM_TOKEN"\n`;
    writeFileSync(join(place.home, "config.toml"), entry, { mode: 0o600 });
    const opened = await place.svc("ui", "--daemon", "team");
    expect([opened.code, opened.stdout]).toEqual([0, `opened http://${address}/svc\n`]);
    const shown = await place.svc("ui", "--daemon", "team", issue.uid, "--print");
    expect(shown.stdout).toBe(`http://${address}/svc?issue=${issue.uid}#direct=1\n`);
    const { args, env } = place.opener.seen();
    expect(args.join() + env + opened.stdout + opened.stderr).not.toContain(token);
  });

  test.each([
    ["--print", PAGE],
    [
      "--json",
      /^\{"svc_api_version":1,"url":"http:[^"]*\/svc#direct=1&code=[^"]*","opened":false,"expires_at":"[^"]+"\}$/,
    ],
    ["--agent", /^OK ui url=http:\S*\/svc#direct=1&code=\S+ opened=false expires_at=\S+$/],
  ])("svc ui with %s prints the address and opens nothing", async (flag, line) => {
    const place = withOpener();
    const { code, stdout } = await place.svc("ui", flag);
    expect([code, place.opener.wasRun()]).toEqual([0, false]);
    expect(stdout.trimEnd()).toMatch(line);
  });
});

/** Opens a session with the code of an address, as its page does. */
async function opens(url: string): Promise<number> {
  const { origin, hash } = new URL(url);
  const code = new URLSearchParams(hash.slice(1)).get("code");
  const answer = await fetch(`${origin}/api/v1/ui/session/local`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ code }),
  });
  return answer.status;
}

describe("the sign-in code in the address", () => {
  test.each([
    ["its own socket", ""],
    ["a loopback port", 'listen = "127.0.0.1:0"\n'],
    [
      "a loopback port and one for pages",
      'listen = "127.0.0.1:0"\n[web]\nlisten = "127.0.0.1:0"\n',
    ],
  ])("opens the page once if a token is set, for a daemon on %s", async (_where, toml) => {
    const place = box();
    mkdirSync(place.home, { mode: 0o700 });
    const own = '[[daemon]]\nname = "own"\nlocal = true\n';
    writeFileSync(join(place.home, "config.toml"), `${toml}${own}`, { mode: 0o600 });
    const daemon = { ...place.env, SVC_AUTH_TOKEN: "svc_the-secret-of-the-daemon" };
    const started = spawnSync(process.execPath, [place.launcher, "daemon", "start"], {
      ...{ cwd: place.work, env: daemon, encoding: "utf8" },
    });
    expect([started.status, started.stderr]).toEqual([0, ""]);
    for (const words of [[], ["--daemon", "own"]]) {
      const { url, expires_at } = await place.json<{ url: string; expires_at: string }>(
        ...["ui", "--print", ...words],
      );
      expect(expires_at).toMatch(/^\d{4}-.*Z$/);
      expect([await opens(url), await opens(url)]).toEqual([200, 404]);
    }
    const { stdout } = await place.svc("daemon", "locate");
    expect(stdout.trimEnd()).toMatch(toml === "" ? /^unix:/ : /^127\.0\.0\.1:\d+$/);
  });
});

describe("the program that opens a browser", () => {
  test("gets none of svc's environment variables, which may be secret", async () => {
    const place = withOpener(undefined, { SVC_HTTP_TIMEOUT: "9s", KEPT: "yes" });
    await place.svc("ui");
    expect(place.opener.seen().env).toContain("KEPT=yes");
    expect(place.opener.seen().env).not.toMatch(/^SVC_/m);
  });

  test("keeps running after svc has ended, if it is a browser itself", async () => {
    const place = withOpener("exec sleep 60");
    const { code } = await place.svc("ui");
    expect(code).toBe(0);
    const { pid } = place.opener.seen();
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    expect(process.kill(pid, 0)).toBe(true);
  });

  test("is followed by the next program in BROWSER if the first one fails", async () => {
    const { folder } = box();
    const [first, next] = [program(folder, "first", "exit 3"), program(folder, "next")];
    const place = box({ BROWSER: `${first.path}:${next.path} --new %s` });
    expect((await place.svc("ui")).code).toBe(0);
    expect([first.wasRun(), next.seen().args[0]]).toEqual([true, "--new"]);
    expect(next.seen().args[1]).toMatch(PAGE);
  });

  test("leaves svc to print the address and the reason if it fails", async () => {
    const place = withOpener("exit 3", {});
    const { code, stdout, stderr } = await place.svc("ui");
    expect(code).toBe(1);
    expect(stdout.trimEnd()).toMatch(PAGE);
    expect(stderr).toContain(`no browser was opened: ${place.opener.path}: exit code 3`);
    const gone = box({ BROWSER: join(place.folder, "nothing") });
    expect((await gone.svc("ui")).stderr).toContain("there is no such program");
  });

  test.skipIf(process.platform !== "linux")("is missing without a display", async () => {
    const place = box();
    const { code, stdout, stderr } = await place.svc("ui");
    expect(code).toBe(1);
    expect(stdout.trimEnd()).toMatch(PAGE);
    expect(stderr).toContain("no browser was opened: there is no display here");
    expect(stderr).toContain("BROWSER");
    const remote = box({ SSH_CONNECTION: "10.0.0.2 50000 10.0.0.1 22" });
    const { stdout: url, stderr: told } = await remote.svc("ui");
    const { port } = new URL(url.trimEnd());
    expect(told).toContain(`ssh -L ${port}:127.0.0.1:${port} `);
  });
});
