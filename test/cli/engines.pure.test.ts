import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { checkEngines, checkHealth } from "../../src/cli/doctor.ts";
import { statusView } from "../../src/cli/render/daemon.ts";
import { engineFault } from "../../src/engines/checks/all.ts";

const NOW = "2026-01-01T12:00:00.000Z";
const ENGINE = {
  name: "cron",
  here: true,
  holder: "vm/12/ab",
  term: 2,
  since: "2026-01-01T11:30:00.000Z",
  until: "2026-01-01T12:00:07.000Z",
};
const OTHER = { ...ENGINE, name: "leases", here: false, holder: "vm/11/cd" };
const TAKEN = { ...ENGINE, taken_from: "vm/11/cd" };

function health(engines: readonly (typeof ENGINE)[]) {
  return {
    ok: true,
    schema_version: 32,
    version: "1",
    uptime: "1h",
    db_path: "postgres://h/db",
    started_at: NOW,
    engines: [...engines],
  };
}

test("svc doctor says which daemon runs each engine, and warns if a silent daemon lost an engine within the hour", () => {
  const nowMs = instantToMs(NOW);
  expect(checkEngines({ ...health([]), engines: undefined } as never, nowMs).status).toBe(
    "skipped",
  );
  expect(checkEngines(health([ENGINE, OTHER]), nowMs)).toMatchObject({
    status: "ok",
    summary: "cron: this daemon; leases: vm/11/cd",
  });
  const found = checkEngines(health([TAKEN, OTHER]), nowMs);
  expect(found).toMatchObject({
    status: "warning",
    summary: expect.stringContaining("cron: taken over at 2026-01-01T11:30:00.000Z from"),
    fix: expect.stringContaining("that process"),
  });
  expect(checkEngines(health([TAKEN]), nowMs + 1_800_000).status).toBe("ok");
});

test("the status of a daemon on a shared database lists the engines that it runs", async () => {
  const daemon = {
    pid: 12,
    version: "1",
    address: "unix:///run/d.sock",
    db_path: "postgres://h/db",
    started_at: NOW,
    state: "running" as const,
    engines: [TAKEN, OTHER],
  };
  const style = { columns: 80, quiet: false } as never;
  expect(statusView.human({ selected: 12, daemons: [daemon] }, style)).toBe(
    [
      `* running pid=12 version=1 address=unix:///run/d.sock db=postgres://h/db since=${NOW}`,
      "    cron: this daemon since 2026-01-01T11:30:00.000Z, taken over from vm/11/cd, which fell silent",
      "    leases: daemon vm/11/cd since 2026-01-01T11:30:00.000Z",
    ].join("\n"),
  );
  expect(statusView.agent({ selected: 12, daemons: [daemon] }, true)).toBe(
    "- pid=12 version=1 address=unix:///run/d.sock state=running engines=cron",
  );
});

test("the check of svc doctor on the daemon's health fails if the daemon cannot reach its database", () => {
  const away = {
    ...health([]),
    ok: false,
    idle_shutdown: {
      enabled: true,
      timeout: "5m0s",
      note: "recurring jobs run only while it does",
    },
    backup: { failure: { at: NOW, message: "the disk is full" } },
  };
  const checked = (answer: object) => checkHealth(answer as never, engineFault(answer as never));
  expect(checked(away)).toMatchObject({
    status: "failed",
    summary: expect.stringContaining("does not reach its database"),
    fix: expect.any(String),
  });
  expect(checked({ ...away, fault: "the database answers no writes" }).summary).toMatch(
    /; the database answers no writes$/,
  );
  expect(checked({ ...away, ok: true, backup: undefined }).status).toBe("warning");
  expect(checked({ ...away, ok: true })).toMatchObject({
    status: "warning",
    summary: `the backup of ${NOW} failed: the disk is full`,
  });
});
