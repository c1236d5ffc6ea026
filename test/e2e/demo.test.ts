import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { box, ended, processesOf } from "./box.ts";

const TIME = 90_000;

/** The demo prints this when its daemon runs and it begins to fill the project. */
const RUNNING = "bound project lantern";

/** Returns what is left of a demo: folders, and processes that use them. */
function left(folder: string): readonly (string | number)[] {
  const temp = join(folder, "tmp");
  return [...readdirSync(temp), ...processesOf(`${temp}/svc-demo`)];
}

describe("svc demo", () => {
  test(
    "shows the list, the ready issues, why one issue is not ready and the last events, in 80 columns",
    async () => {
      const b = box();
      const { code, stdout, stderr } = await b.svc("demo");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      for (const command of [
        "init --project lantern",
        "list",
        "ready",
        "why ",
        "events --after ",
      ]) {
        expect(stdout).toContain(`$ svc ${command}`);
      }
      expect(stdout).toContain(
        "25 issues made with svc create, 3 of them closed since, 5 comments.",
      );
      expect(stdout).toMatch(/Total: 22 issues \(\d+ open, \d+ blocked, 0 closed\)/);
      expect(stdout).toMatch(/^ {2}blocked by \w{4} Prove that a power cut loses no edit/m);
      expect(stdout).toContain("svc init");
      const bin = dirname(realpathSync(b.launcher));
      expect(stdout).toContain(`export PATH=${bin}:"$PATH"`);
      const lines = stdout.replaceAll(b.folder, "").replaceAll(bin, "").split("\n");
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(left(b.folder)).toEqual([]);
    },
    TIME,
  );

  test(
    "svc demo --keep leaves a project to continue with, and nothing running",
    async () => {
      const b = box();
      const { stdout } = await b.svc("demo", "--keep");
      const folder = /cd (\S+)\/work$/m.exec(stdout)?.[1] ?? "";
      expect(existsSync(join(folder, "work", ".svc.toml"))).toBe(true);
      expect(processesOf(folder)).toEqual([]);
      const kept = box({ SVC_HOME: join(folder, "home") });
      onTestFinished(async () => void (await kept.svc("daemon", "stop")));
      const { issues } = await kept.json<{ issues: readonly object[] }>(
        "list",
        "--project",
        "lantern",
        "--status",
        "all",
      );
      expect(issues).toHaveLength(25);
      expect((await kept.svc("doctor")).code).toBe(0);
    },
    TIME,
  );

  test(
    "reports with --json what it created, and leaves nothing behind",
    async () => {
      const b = box();
      expect(await b.json("demo")).toEqual({
        svc_api_version: 1,
        project: "lantern",
        issues: 25,
        closed: 3,
        comments: 5,
        kept: false,
      });
      expect(left(b.folder)).toEqual([]);
    },
    TIME,
  );

  test.each(["SIGINT", "SIGTERM"] as const)(
    "cleans up when %s ends it",
    async (signal) => {
      const b = box();
      const child = b.start("demo");
      const end = ended(child);
      let seen = "";
      child.stdout?.on("data", (text: string) => {
        if (!seen.includes(RUNNING) && (seen += text).includes(RUNNING)) child.kill(signal);
      });
      expect((await end).code).toBe(130);
      expect(left(b.folder)).toEqual([]);
    },
    TIME,
  );

  test(
    "cleans up when its reader stops reading",
    async () => {
      const b = box();
      const child = b.start("demo");
      const end = ended(child);
      child.stdout?.once("data", () => child.stdout?.destroy());
      await end;
      expect(left(b.folder)).toEqual([]);
    },
    TIME,
  );

  test(
    "ignores the user's own settings",
    async () => {
      const b = box({
        SVC_SERVER: "http://127.0.0.1:1",
        SVC_DSN: "postgres://nobody@127.0.0.1:1/x",
      });
      expect((await b.svc("demo", "--quiet")).code).toBe(0);
    },
    TIME,
  );
});
