import { expect, test, vi } from "vitest";
import { type Box, box } from "./box.ts";
import { tui } from "./tui-screen.ts";

/** The column after the cursor, the mark and the id of a row. */
const ID_END = 6;

async function board(): Promise<Box> {
  const place = box();
  await place.json("init", "--project", "product");
  await place.json("create", "First issue");
  await place.json("create", "Second issue");
  return place;
}

const SPLIT = { columns: 120 };

interface Status {
  readonly daemons: readonly { readonly pid: number }[];
}

async function pidOf(place: Box): Promise<number | undefined> {
  const { stdout } = await place.svc("daemon", "status", "--json");
  return (JSON.parse(stdout) as Status).daemons[0]?.pid;
}

/** Kills the daemon, as a crash of the machine would. */
async function kill(place: Box): Promise<number> {
  const pid = await pidOf(place);
  if (pid === undefined) throw new Error("no daemon runs");
  process.kill(pid, "SIGKILL");
  return pid;
}

test("when a daemon is killed and started again, the screen misses nothing and keeps cursor and draft", async () => {
  const place = await board();
  const screen = tui(place, [], SPLIT);
  await screen.shows("live");
  screen.type("j");
  await screen.shows("2/2");
  const cursor = (): string | undefined =>
    screen
      .screen()
      .find((line) => line.startsWith(">"))
      ?.slice(0, ID_END);
  const under = cursor();
  expect(under).toMatch(/^> \w{4}$/);
  screen.type("n");
  await screen.shows("-- new issue");
  screen.type("A draft of mine");
  await screen.shows("A draft of mine");
  await kill(place);
  await screen.shows("reconnecting");
  expect(screen.screen().join("\n")).toContain("A draft of mine");
  // A write that cannot be sent is refused at once, and the draft stays open.
  screen.type("\u0013");
  await screen.shows("the daemon does not answer");
  expect(screen.screen().join("\n")).toContain("A draft of mine");
  await place.json("create", "Made after the restart");
  await screen.shows(" live");
  await screen.shows("open 3");
  expect(screen.screen().join("\n")).toContain("A draft of mine");
  screen.type("\u001B\u001B");
  await screen.hides("-- new issue");
  await screen.shows("Made after the restart");
  expect(cursor()).toBe(under);
}, 60_000);

test("a daemon that somebody stopped is not restarted by a screen that watches its issues", async () => {
  const place = await board();
  const screen = tui(place, [], SPLIT);
  await screen.shows("live");
  await place.svc("daemon", "stop");
  await screen.shows("reconnecting");
  screen.type("j");
  await screen.shows("2/2");
  screen.type("4");
  await screen.shows("[4 Cron]");
  await screen.shows("no daemon is running");
  expect(await pidOf(place)).toBeUndefined();
  expect(screen.screen()[0]).toContain("reconnecting");
  // The reads that failed are repeated once the daemon is back.
  screen.type("\u0012");
  await place.svc("daemon", "start");
  await screen.shows("no run was recorded yet");
}, 60_000);

test("a daemon that the screen started is started again if it was killed, but not if it was stopped", async () => {
  const place = await board();
  await place.svc("daemon", "stop");
  const screen = tui(place, [], SPLIT);
  await screen.shows("live");
  const first = await kill(place);
  await vi.waitFor(async () => expect([undefined, first]).not.toContain(await pidOf(place)), {
    timeout: 20_000,
    interval: 200,
  });
  await place.json("create", "Made elsewhere");
  await screen.shows("Made elsewhere");
  await place.svc("daemon", "stop");
  await screen.shows("reconnecting");
  expect(await pidOf(place)).toBeUndefined();
}, 60_000);
