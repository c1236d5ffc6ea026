import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isRoot, STRANGER_UID } from "../support/stranger.ts";
import { type Box, box } from "./box.ts";

/** Another user of this machine writes a file, in a process of its own. */
function strangerWrites(path: string, text: string): void {
  const script = `require("node:fs").writeFileSync(process.argv[1], process.argv[2])`;
  const as = { uid: STRANGER_UID, gid: STRANGER_UID, cwd: "/" };
  const { status, stderr } = spawnSync(process.execPath, ["-e", script, path, text], {
    ...as,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
}

/** A home below a folder that every user may enter. */
async function homeOf(more: Readonly<Record<string, string>> = {}): Promise<Box> {
  const home = box(more);
  chmodSync(home.folder, 0o755);
  await home.svc("init", "--project", "tools");
  await home.svc("create", "one");
  return home;
}

describe.runIf(isRoot)("another user's config.toml in a home that all may write to", () => {
  test.each([
    ["not sticky", 0o777],
    ["sticky", 0o1777],
  ])("is refused as a whole, and no program it names runs (folder: %s)", async (_name, mode) => {
    const home = await homeOf();
    const mark = join(home.folder, "mark");
    chmodSync(home.home, mode);
    strangerWrites(
      join(home.home, "config.toml"),
      `display.markdown_renderer = ["touch", "${mark}"]\n[tui.commands]\nx = ["touch", "${mark}"]\n`,
    );
    for (const words of [["list"], ["list", "--json"], ["daemon", "status"], ["create", "two"]]) {
      const { code, stdout, stderr } = await home.svc(...words);
      expect([words, code, stdout]).toEqual([words, 3, ""]);
      expect(stderr).toContain(`belongs to another user (uid ${STRANGER_UID})`);
      expect(stderr).toContain("set SVC_HOME to a folder that only you can enter");
    }
    expect(existsSync(mark)).toBe(false);
    const doctor = await home.svc("doctor", "--json");
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      checks: [{ id: "config.daemon", status: "failed" }],
    });
    chmodSync(home.home, 0o700);
  });
});

test("a program named in our own config.toml is ignored if all may write to the home, and each command reports this once", async () => {
  const home = await homeOf();
  const renderer = 'display.markdown_renderer = ["cat"]\n';
  writeFileSync(join(home.home, "config.toml"), renderer, { mode: 0o600 });
  expect(await home.svc("list")).toMatchObject({ code: 0, stderr: "" });
  chmodSync(home.home, 0o777);
  const fix = `chmod go-w ${home.home}`;
  for (const words of [["list"], ["list", "--json"], ["daemon", "status"], ["ready", "--agent"]]) {
    const { stderr } = await home.svc(...words);
    expect([words, stderr.split("display.markdown_renderer").length - 1]).toEqual([words, 1]);
    expect(stderr).toContain(fix);
  }
  const doctor = await home.json<{ checks: readonly object[] }>("doctor");
  expect(doctor.checks).toContainEqual(
    expect.objectContaining({ id: "config.daemon", status: "warning", fix }),
  );
});

describe("compiled code in a cache", () => {
  test.each([
    ["the cache folder", "cache"],
    ["a folder above it", "."],
  ])("is neither run nor written if others may write to %s", async (_name, open) => {
    const place = box();
    const cache = join(place.folder, "deep", "cache");
    mkdirSync(cache, { recursive: true });
    const home = await homeOf({ XDG_CACHE_HOME: cache });
    const compiled = join(cache, "svc", "compiled");
    expect(readdirSync(compiled).length).toBeGreaterThan(0);
    const opened = join(cache, "..", open);
    chmodSync(place.folder, 0o755);
    chmodSync(opened, 0o777);
    for (const name of readdirSync(compiled).filter((file) => file.startsWith("run.cjs")))
      writeFileSync(join(compiled, name), "");
    // The daemon, which started before the folder was opened, may still write its own compiled code.
    const ofCommands = () =>
      readdirSync(compiled)
        .filter((name) => !name.startsWith("daemon.cjs"))
        .sort();
    const before = ofCommands();
    for (const words of [["version"], ["list", "--json"], ["ready"]]) {
      const { code, stderr } = await home.svc(...words);
      expect([words, code]).toEqual([words, 0]);
      expect(stderr).toBe(
        `svc: warning: compiled code in ${compiled} is not used, since ${opened} can be written to by other users; chmod go-w ${opened}\n`,
      );
    }
    expect(ofCommands()).toEqual(before);
  });

  test.runIf(isRoot)(
    "a cache in a folder that another user created first is not used",
    async () => {
      const place = box();
      const cache = join(place.folder, "cache");
      mkdirSync(cache);
      chmodSync(place.folder, 0o755);
      chmodSync(cache, 0o1777);
      const made = spawnSync("mkdir", [join(cache, "svc")], {
        uid: STRANGER_UID,
        gid: STRANGER_UID,
      });
      expect(made.status).toBe(0);
      const home = box({ XDG_CACHE_HOME: cache });
      const { code, stderr } = await home.svc("version");
      expect(code).toBe(0);
      expect(stderr).toContain(
        `${join(cache, "svc")} belongs to another user (uid ${STRANGER_UID})`,
      );
      expect(stderr).toContain("set XDG_CACHE_HOME");
      expect(readdirSync(join(cache, "svc"))).toEqual(["compiled"]);
    },
  );
});
