import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { postgresDsn } from "../support/postgres.ts";
import { type Box, box } from "./box.ts";

interface Started {
  readonly action: string;
  readonly pid: number;
  readonly address: string;
}

interface Status {
  readonly selected?: number;
  readonly daemons: readonly {
    readonly pid: number;
    readonly state: string;
    readonly address: string;
    readonly db_path: string;
    readonly started_at: string;
    readonly other_home?: true;
  }[];
}

/** Makes two homes of one user with one database. */
function homes(env: Readonly<Record<string, string>> = {}): {
  readonly first: Box;
  readonly second: Box;
} {
  const first = box(env);
  const second = box({
    SVC_DSN: join(first.home, "svc.db"),
    XDG_RUNTIME_DIR: join(first.folder, "run"),
  });
  return { first, second };
}

const status = async (home: Box) => await home.json<Status>("daemon", "status");

describe("a second home on the same database", () => {
  test("uses the daemon of the first home, which status, start, doctor and stop know", async () => {
    const { first, second } = homes();
    const { pid, address } = await first.json<Started>("daemon", "start");
    const [own] = (await status(first)).daemons;
    expect(await status(second)).toMatchObject({
      selected: pid,
      daemons: [{ pid, address, state: "running", db_path: join(first.home, "svc.db") }],
    });
    const [seen] = (await status(second)).daemons;
    expect([own?.other_home, seen?.other_home]).toEqual([undefined, true]);
    expect(seen?.started_at).toBe(own?.started_at);
    expect((await second.svc("daemon", "status")).stdout).toContain(" (of another SVC_HOME)\n");

    const again = await second.json<Started>("daemon", "start");
    expect(again).toMatchObject({ action: "already_running", pid, address });
    const elsewhere = await second.svc("daemon", "start", "--listen", "127.0.0.1:0");
    expect(elsewhere).toMatchObject({ code: 5 });
    expect(elsewhere.stderr).toContain(`the daemon (pid ${pid}) already listens on ${address}`);

    const { checks } = await second.json<{ checks: { id: string; summary: string }[] }>("doctor");
    expect(checks.find(({ id }) => id === "daemon.connection")?.summary).toContain(`pid ${pid} `);

    expect(await second.json("daemon", "stop")).toMatchObject({ stopped: true, pids: [pid] });
    expect((await status(first)).daemons).toEqual([]);
  });

  test("replaces a daemon that the first home's command started and that would end when idle", async () => {
    const { first, second } = homes({ SVC_AUTOSTART_IDLE_TIMEOUT: "10m" });
    await first.svc("init", "--project", "tools");
    const auto = (await status(first)).selected;
    const started = await second.json<Started & { replaced_pid: number }>("daemon", "start");
    expect(started).toMatchObject({ action: "replaced", replaced_pid: auto });
    expect((await status(first)).daemons).toMatchObject([{ pid: started.pid, other_home: true }]);
  });

  test("shares one daemon with the first home when the first commands of both run at the same time", async () => {
    const { first, second } = homes();
    const answers = await Promise.all(
      [first, second, first, second].map(async (home) => {
        return await home.svc("projects", "list", "--json");
      }),
    );
    expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual(answers.map(() => [0, ""]));
    const [one, two] = [await status(first), await status(second)];
    expect(one.selected).toBe(two.selected);
    expect([one.daemons.length, two.daemons.length]).toEqual([1, 1]);
  });

  test("a second home on PostgreSQL may have a daemon of its own on TCP beside the one on the socket", async () => {
    const dsn = await postgresDsn();
    const first = box({ SVC_DSN: dsn });
    const second = box({ SVC_DSN: dsn, XDG_RUNTIME_DIR: join(first.folder, "run") });
    const socket = await first.json<Started>("daemon", "start");
    expect((await status(second)).selected).toBe(socket.pid);
    const tcp = await second.json<Started>("daemon", "start", "--listen", "127.0.0.1:0");
    expect(tcp.action).toBe("started");
    expect(tcp.pid).not.toBe(socket.pid);
    await second.svc("init", "--project", "tools");
    const { projects } = await first.json<{ projects: { name: string }[] }>("projects", "list");
    expect(projects.map(({ name }) => name)).toEqual(["tools"]);
    expect(await status(second)).toMatchObject({
      selected: tcp.pid,
      daemons: [{ pid: tcp.pid }, { pid: socket.pid, other_home: true }],
    });
  });
});
