import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Pty } from "../support/pty.ts";
import { box, processesOf } from "./box.ts";
import { tui } from "./tui-screen.ts";

/** Returns the rows of the board without ages, which grow while the test runs. */
function rows(screen: Pty): readonly string[] {
  return screen
    .screen()
    .slice(1, -2)
    .map((line) => line.replace(/ +\d+[smhdw]$/, ""));
}

interface Listed {
  readonly issues: readonly { readonly title: string; readonly short_id: string }[];
}

/** Makes a recording of a screen while others change issues. Returns it with the last board. */
async function recorded() {
  const place = box();
  await place.json("init", "--project", "product");
  await place.json("create", "First issue", "--label", "bug");
  await place.json("create", "Second issue", "--priority", "1");
  const screen = tui(place, ["--record", "day.svcr"]);
  await screen.shows("live");
  await screen.shows("Second issue");
  await place.json("create", "Made elsewhere", "--owner", "bea");
  await screen.shows("Made elsewhere");
  screen.type("/hidden words\u001B");
  const { issues } = await place.json<Listed>("list");
  const first = issues.find(({ title }) => title === "First issue")?.short_id ?? "";
  // A title, since the column of labels has no room beside an id of five characters.
  await place.json("edit", first, "--title", "First, and urgent");
  await screen.shows("urgent");
  // Moves to the first row, where the cursor of a new board is.
  screen.type("g");
  await screen.shows("1/3");
  const last = rows(screen);
  screen.type("qy");
  expect(await screen.ended).toBe(0);
  return { place, file: join(place.work, "day.svcr"), last };
}

test("a recording is replayed unchanged, without a daemon and without the ability to change anything", async () => {
  const { place, file, last } = await recorded();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toContain("hidden words");
  expect(readFileSync(file, "utf8").trimEnd().split("\n").at(-1)).toContain('"type":"end"');

  const elsewhere = box();
  const screen = tui(elsewhere, ["--replay", file, "--speed", "1000"]);
  await screen.shows("replay over");
  await screen.shows("the recording has ended");
  screen.type("g");
  await screen.shows("1/3");
  expect(rows(screen)).toEqual(last);
  screen.type("x");
  await screen.shows("there is no daemon");
  screen.type("/urgent\r");
  await screen.hides("Made elsewhere");
  expect(screen.screen().join("\n")).toContain("First, and urgent");
  screen.resize(160, 50);
  await screen.shows("BROWSE");
  screen.type("qy");
  expect(await screen.ended).toBe(0);
  expect(screen.isAlternate()).toBe(false);
  expect(processesOf(elsewhere.folder)).toEqual([]);
  expect(place.home).not.toBe(elsewhere.home);
}, 60_000);

const START =
  '{"svc_tui_recording":2,"at":"2026-11-21T10:00:00.000Z","svc":"0.1.0","actor":"ana","daemon":"local","inboxOf":"ana","zone":"UTC","scope":{}}';

describe("a recording that cannot be replayed is an ordinary error", () => {
  test.each([
    ["is not there", ["--replay", "none.svcr"], 4, "there is no file none.svcr"],
    ["is another file", ["--replay", "readme"], 3, "readme, line 1: it is no recording of svc tui"],
    ["is of another version", ["--replay", "newer"], 3, "newer, line 1: it is of version 3"],
    ["has a broken line", ["--replay", "broken"], 3, "broken, line 3: it is no JSON object"],
    ["is a folder", ["--replay", "."], 3, "cannot read .: it is a folder"],
    ["is combined with a ref", ["--replay", "good", "abc4"], 2, "leave the ref out"],
    [
      "is combined with --project",
      ["--replay", "good", "--project", "p"],
      2,
      "leave --project out",
    ],
    [
      "is combined with --all-projects",
      ["--replay", "good", "--all-projects"],
      2,
      "--all-projects",
    ],
    ["is combined with --record", ["--replay", "good", "--record", "new"], 2, "--record"],
    ["has a speed of zero", ["--replay", "good", "--speed", "0"], 2, "a number from 0.1 to 10000"],
    [
      "has a speed above the limit",
      ["--replay", "good", "--speed", "10001"],
      2,
      "a number from 0.1 to 10000",
    ],
    ["has a speed that is no number", ["--replay", "good", "--speed", "fast"], 2, 'not "fast"'],
    ["has a speed but no --replay", ["--speed", "10"], 2, "--replay"],
  ])("a recording is not replayed if it %s", async (_name, words, code, text) => {
    const place = box();
    writeFileSync(join(place.work, "readme"), "# Hello\n");
    writeFileSync(join(place.work, "newer"), `${START.replace(":2,", ":3,")}\n`);
    const live = '{"at":1,"type":"live","live":"live"}';
    writeFileSync(join(place.work, "broken"), `${START}\n${live}\nlive\n${live}\n`);
    writeFileSync(join(place.work, "good"), `${START}\n${live}\n`);
    const screen = tui(place, words);
    expect(await screen.ended).toBe(code);
    await expect.poll(() => screen.screen().join("")).toContain(text);
    expect(screen.written()).not.toContain("\u001B[?1049h");
    expect(processesOf(place.folder)).toEqual([]);
  });
});

test("a recording never replaces an existing file", async () => {
  const place = box();
  await place.json("init", "--project", "product");
  writeFileSync(join(place.work, "notes"), "mine");
  const screen = tui(place, ["--record", "notes"]);
  expect(await screen.ended).toBe(5);
  await expect.poll(() => screen.screen().join("")).toContain("notes is there already");
  expect(readFileSync(join(place.work, "notes"), "utf8")).toBe("mine");
});

test("a recording of a daemon with a token does not contain the token, and can be read out to blind people", async () => {
  const TOKEN = "token-that-nobody-else-may-see";
  const place = box({ WORK_TOKEN: TOKEN });
  const config = join(place.home, "config.toml");
  mkdirSync(place.home, { recursive: true });
  writeFileSync(config, 'listen = "127.0.0.1:0"\n');
  await place.json("init", "--project", "product");
  await place.json("create", "First issue");
  const { address } = await place.json<{ readonly address: string }>("daemon", "locate");
  const work = `\n[[daemon]]\nname = "work"\nurl = "http://${address}"\ntoken_env = "WORK_TOKEN"\n`;
  appendFileSync(config, work);
  const screen = tui(place, ["--daemon", "work", "--record", "day.svcr"]);
  await screen.shows("First issue");
  await screen.shows("live");
  // A daemon that is reached over a network wants a reason.
  screen.type("x");
  await screen.shows("close product#");
  screen.type("wontfix: nobody has asked for the first issue since the first release\r");
  await screen.shows("closed product#");
  screen.type("q");
  expect(await screen.ended).toBe(0);
  const file = join(place.work, "day.svcr");
  expect(readFileSync(file, "utf8")).toContain("First issue");
  expect(readFileSync(file, "utf8")).not.toContain(TOKEN);
  expect(screen.written()).not.toContain(TOKEN);

  const heard = tui(place, ["--replay", file, "--screen-reader"], { rows: 100 });
  await heard.shows("Board product, 1 issue of status:open");
  await heard.shows("the recording has ended");
  expect(heard.isAlternate()).toBe(false);
  heard.type("q");
  expect(await heard.ended).toBe(0);
}, 60_000);
