import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { pty } from "../support/pty.ts";
import { box } from "./box.ts";
import { board, tui } from "./tui-screen.ts";

test("the board opens on a terminal, works from the keyboard and restores the terminal", async () => {
  const place = await board();
  const screen = tui(place);
  await screen.shows("Second issue");
  await screen.shows("live");
  expect(screen.isAlternate()).toBe(true);
  screen.type("j");
  await screen.shows("2/2");
  screen.type("\r");
  await screen.shows("What it is about.");
  // The comments arrive after the issue.
  await screen.shows("no comments");
  screen.type("\u001B");
  await screen.shows("2/2");
  screen.type("x");
  await screen.shows("closed product#");
  await screen.hides("First issue");
  const { issues } = await place.json<{ issues: { title: string }[] }>(
    "list",
    "--status",
    "closed",
  );
  expect(issues.map(({ title }) => title)).toEqual(["First issue"]);
  screen.type("u");
  await screen.shows("First issue");
  await screen.shows("undone: closed product#");
  screen.type("q");
  expect(await screen.ended).toBe(0);
  expect(screen.isAlternate()).toBe(false);
});

test("text typed before the board opened leaves every line in its place", async () => {
  const place = await board();
  const { launcher, work: cwd, env } = place;
  const typed = 'printf "\\n\\n   typed ahead"; exec "$0" "$1" tui';
  const screen = pty("/bin/sh", ["-c", typed, process.execPath, launcher], { cwd, env });
  await screen.shows("live");
  await screen.shows("Second issue");
  expect(screen.screen()[0]).toMatch(/^ svc {2}product .* live *$/);
  screen.type("qy");
  expect(await screen.ended).toBe(0);
  expect(screen.screen().join("\n")).toContain("   typed ahead");
});

test("the mouse selects, opens, scrolls and switches screens, even when its reports are split between reads", async () => {
  const place = await board();
  const screen = tui(place, ["--mouse"]);
  await screen.shows("live");
  await screen.shows("1/2");
  const at = (text: string): number => screen.screen().findIndex((line) => line.includes(text)) + 1;
  const report = `\u001B[<0;12;${at("First issue")}M`;
  screen.type(report.slice(0, 4));
  screen.type(report.slice(4));
  await screen.shows("2/2");
  screen.type(report + report.replace("M", "m"));
  await screen.shows("What it is about.");
  const tab = (screen.screen()[0] ?? "").indexOf("5 Projects") + 1;
  screen.type(`\u001B[<0;${tab};1M`);
  await screen.shows("[5 Projects]");
  screen.type("qy");
  expect(await screen.ended).toBe(0);
  expect(screen.written()).toContain("\u001B[?1006l");
});

test("changes by another command appear on the screen without a key", async () => {
  const place = await board();
  const screen = tui(place);
  await screen.shows("live");
  await place.json("create", "Made elsewhere");
  await screen.shows("Made elsewhere");
  expect(screen.screen().join("\n")).toContain("open 3");
});

test("a form creates an issue, and a resize in the middle of it loses nothing", async () => {
  const place = await board();
  const screen = tui(place);
  await screen.shows("live");
  screen.type("n");
  await screen.shows("-- new issue");
  screen.type("Typed on the screen");
  await screen.shows("Typed on the screen");
  screen.resize(160, 50);
  await screen.shows("BROWSE");
  await screen.shows("Typed on the screen");
  screen.type("\u0013");
  await screen.shows('"Typed on the screen"   ');
  const { issues } = await place.json<{ issues: { title: string }[] }>("list");
  expect(issues.map(({ title }) => title)).toContain("Typed on the screen");
});

test.each(["SIGTERM", "SIGHUP", "SIGINT"])("%s restores the terminal", async (signal) => {
  const place = await board();
  const screen = tui(place);
  await screen.shows("live");
  screen.signal(signal);
  await screen.ended;
  expect(screen.isAlternate()).toBe(false);
  expect(screen.written()).toContain("\u001B[?2004l");
  expect(screen.written().lastIndexOf("\u001B[?25h")).toBeGreaterThan(
    screen.written().lastIndexOf("\u001B[?25l"),
  );
});

test("svc tui with a ref opens that issue at once, and a missing issue is an ordinary error", async () => {
  const place = await board();
  const { issues } = await place.json<{ issues: { title: string; short_id: string }[] }>("list");
  const first = issues.find(({ title }) => title === "First issue")?.short_id ?? "";
  await tui(place, [first]).shows("What it is about.");
  const wrong = tui(place, ["zzzz9"]);
  expect(await wrong.ended).toBe(4);
  expect(wrong.written()).not.toContain("\u001B[?1049h");
});

test("the demo ends on the board of its project, and removes everything when the board is closed", async () => {
  const place = box();
  const screen = pty(process.execPath, [place.launcher, "demo"], {
    cwd: place.work,
    env: place.env,
  });
  await screen.shows("[1 Board]");
  await screen.shows("lantern");
  screen.type("qy");
  expect(await screen.ended).toBe(0);
  expect(screen.isAlternate()).toBe(false);
  expect(readdirSync(place.temp)).toEqual([]);
}, 120_000);

test("svc tui is refused without a terminal, and with --json", async () => {
  const place = box();
  expect(await place.svc("tui")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("terminal"),
  });
  expect(await place.svc("tui", "--json")).toMatchObject({ code: 2, stdout: "" });
});
