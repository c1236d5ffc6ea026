import { expect, test } from "vitest";
import { createLog } from "../../../src/base/log.ts";
import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import { RefusalLog } from "../../../src/daemon/access/refusal-log.ts";
import { FakeClock, watched } from "../../support/clock.ts";
import { call, testDaemon } from "../../support/daemon.ts";

const COUNT_MS = 10_000;

type Line = Readonly<Record<string, unknown>>;

/** A log of refusals whose time only the test moves. `count` ends a period in which repeats are counted. */
function refusalLog() {
  const time = new FakeClock();
  const { clock, next } = watched(time);
  const lines: Line[] = [];
  const write = (text: string): void => {
    const { time: _, level: _level, ...line } = JSON.parse(text);
    lines.push(line);
  };
  const log = new RefusalLog(clock, createLog({ write, reopen() {}, close() {} }, clock));
  const count = async (): Promise<void> => {
    expect(await next()).toBe(COUNT_MS);
    time.advance(COUNT_MS);
    await yieldToLoop();
  };
  return { log, lines, count };
}

const event = "request.refused";
const refused = (path: string, code = "auth_required") => ({ method: "GET", path, code });

test("a refused request is logged at once, and the same refusals that follow are counted in one line", async () => {
  const { log, lines, count } = refusalLog();
  for (let at = 0; at < 20_000; at++) log.info(event, refused("/a"));
  expect(lines).toEqual([{ event, ...refused("/a") }]);
  await count();
  expect(lines.slice(1)).toEqual([{ event, ...refused("/a"), repeated: 19_999 }]);
});

test("a refusal that is not repeated has one line in the log, and gets another when it occurs again later", async () => {
  const { log, lines, count } = refusalLog();
  log.info(event, refused("/a"));
  await count();
  log.info(event, refused("/a"));
  expect(lines).toEqual([
    { event, ...refused("/a") },
    { event, ...refused("/a") },
  ]);
});

test("a refusal that keeps occurring gets one line with its count for each period", async () => {
  const { log, lines, count } = refusalLog();
  for (let period = 0; period < 3; period++) {
    for (let at = 0; at < 5; at++) log.info(event, refused("/a"));
    await count();
  }
  expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, 4, 5, 5]);
});

test("a hundred kinds of refusals are counted separately, and all further kinds together by their error code", async () => {
  const { log, lines, count } = refusalLog();
  for (let at = 0; at < 5000; at++) {
    log.info(event, refused(`/${at}`));
    log.info(event, refused(`/${at}`, "not_found"));
  }
  expect(lines).toHaveLength(100);
  await count();
  expect(lines.slice(100)).toEqual([
    { event, code: "auth_required", others: true, repeated: 4950 },
    { event, code: "not_found", others: true, repeated: 4950 },
  ]);
});

test("counted refusals are logged when the daemon stops", () => {
  const { log, lines } = refusalLog();
  log.info("request.slow", { awaited: "header" });
  log.info("request.slow", { awaited: "header" });
  log.stop();
  expect(lines[1]).toEqual({ event: "request.slow", awaited: "header", repeated: 1 });
});

test("a daemon logs refusals in their own file, with at most 200 characters of the path", async () => {
  const [main, refusals]: [Line[], Line[]] = [[], []];
  const clock = new FakeClock();
  const to = (lines: Line[]) =>
    createLog(
      { write: (text) => void lines.push(JSON.parse(text)), reopen() {}, close() {} },
      clock,
    );
  const daemon = await testDaemon({ log: to(main), refusals: to(refusals) });
  await call(daemon.endpoint, "GET", `/${"a".repeat(5000)}`);
  await call(daemon.endpoint, "GET", "/projects/7");
  await daemon.stop();
  expect(main.map(({ event }) => event)).not.toContain("request.refused");
  expect(refusals).toMatchObject([
    { event: "request.refused", code: "not_found" },
    { event: "request.refused", path: "/api/v1/projects/7" },
  ]);
  expect(String(refusals[0]?.["path"])).toHaveLength(200);
});
