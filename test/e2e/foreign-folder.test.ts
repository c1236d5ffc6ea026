import { chmodSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDsn } from "../../src/config/dsn.ts";
import { socketPaths } from "../../src/config/paths.ts";
import { strangerAt } from "../support/stranger.ts";
import { type Box, box } from "./box.ts";

interface Status {
  readonly daemons: readonly { readonly pid: number; readonly address: string }[];
}

interface Diagnosis {
  readonly checks: readonly { readonly id: string; readonly status: string }[];
}

const TOKEN = "the-bearer-of-ann";

/** Makes a home whose sockets are below a temporary folder that every user can write to. */
function shared(): { readonly home: Box; readonly sockets: readonly string[] } {
  const home = box({ XDG_RUNTIME_DIR: "", SVC_AUTH_TOKEN: TOKEN });
  chmodSync(home.folder, 0o755);
  chmodSync(home.temp, 0o1777);
  const dsn = parseDsn(join(home.home, "svc.db"), home.home);
  return { home, sockets: socketPaths({ TMPDIR: home.temp }, dsn, home.home) };
}

async function addressOf(home: Box): Promise<string> {
  return (await home.json<Status>("daemon", "status")).daemons[0]?.address ?? "";
}

describe("a temporary folder that other users can write to", () => {
  test("is not used if another user created the daemon's folder in it first, and that user gets no data", async () => {
    const { home, sockets } = shared();
    const stranger = await strangerAt(sockets[0] ?? "");
    for (const words of [
      ["init", "--project", "tools"],
      ["create", "a secret plan"],
      ["list", "--json"],
      ["daemon", "stop"],
    ]) {
      expect(await home.svc(...words)).toMatchObject({ code: 0, stderr: "" });
    }
    const { stdout } = await home.svc("list");
    expect(stdout).toContain("a secret plan");
    expect(stranger.heard()).toBe("");
    expect(await addressOf(home)).not.toContain(home.temp);
    const { checks } = await home.json<Diagnosis>("doctor");
    expect(checks.find(({ id }) => id === "daemon.socket")).toMatchObject({
      status: "warning",
      fix: expect.stringContaining("XDG_RUNTIME_DIR") as string,
    });
  });

  test("is no longer used if another user replaces the folder of a running daemon, and that user gets no data", async () => {
    const { home, sockets } = shared();
    const [socket = ""] = sockets;
    await home.svc("init", "--project", "tools");
    expect(await addressOf(home)).toBe(`unix://${socket}`);
    expect(lstatSync(dirname(dirname(socket))).mode & 0o777).toBe(0o700);
    rmSync(dirname(dirname(socket)), { recursive: true });
    const stranger = await strangerAt(socket);
    // The daemon notices within five seconds, and the command waits for its lock.
    expect(await home.svc("create", "a secret plan")).toMatchObject({ code: 0 });
    expect((await home.svc("list")).stdout).toContain("a secret plan");
    expect(stranger.heard()).toBe("");
  }, 30_000);

  test.each([
    ["svc-<uid>", 2],
    ["the database's folder", 1],
  ])(
    "is refused if %s in it is open to others, and the error names the command that closes it again",
    async (_name, levels) => {
      const { home, sockets } = shared();
      await home.svc("init", "--project", "tools");
      let folder = sockets[0] ?? "";
      for (let level = 0; level < levels; level++) folder = dirname(folder);
      chmodSync(folder, 0o755);
      for (const words of [["list"], ["list", "--json"], ["daemon", "status"]]) {
        const refused = await home.svc(...words);
        expect(refused).toMatchObject({ code: 7, stdout: "" });
        expect(refused.stderr).toContain(`chmod 700 ${folder}`);
      }
      const doctor = await home.svc("doctor", "--json");
      expect(doctor.code).toBe(1);
      const { checks } = JSON.parse(doctor.stdout) as Diagnosis;
      expect(checks.find(({ id }) => id === "daemon.connection")).toMatchObject({
        status: "failed",
        fix: `chmod 700 ${folder}`,
      });
      chmodSync(folder, 0o700);
      expect(await home.svc("list")).toMatchObject({ code: 0 });
    },
  );
});

test("svc doctor warns about a home that others can enter, and commands refuse such a home if it holds a token", async () => {
  const home = box();
  await home.svc("init", "--project", "tools");
  chmodSync(home.home, 0o755);
  const { checks } = await home.json<Diagnosis>("doctor");
  const fix = `chmod 700 ${home.home}`;
  expect(checks.find(({ id }) => id === "config.home")).toMatchObject({ status: "warning", fix });
  expect(await home.svc("list")).toMatchObject({ code: 0, stderr: "" });
  writeFileSync(join(home.home, "config.toml"), `[auth]\ntoken = "${TOKEN}"\n`, { mode: 0o600 });
  for (const words of [["list"], ["list", "--json"], ["daemon", "status"]]) {
    const refused = await home.svc(...words);
    expect(refused).toMatchObject({ code: 3, stdout: "" });
    expect(refused.stderr).toContain(fix);
    expect(refused.stderr).not.toContain(TOKEN);
  }
  chmodSync(home.home, 0o700);
  expect(await home.svc("list")).toMatchObject({ code: 0, stderr: "" });
});
