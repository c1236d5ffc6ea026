import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Pty, pty } from "../support/pty.ts";
import { type Box, box } from "./box.ts";

/** Causes an uncaught error when the test sends a signal. */
const PRELOAD = `process.on("SIGUSR2", () => setTimeout(() => { throw new Error("planted"); }));`;

const ESC = "\u001B";
const TAB = "\t";
const CTRL_S = "\u0013";
const OFFER = "a draft that was not sent";

async function board(): Promise<Box> {
  const place = box();
  await place.json("init", "--project", "product");
  await place.json("create", "Only issue");
  return place;
}

async function screenOf(place: Box, shown = "Only issue"): Promise<Pty> {
  const preload = join(place.folder, "preload.mjs");
  writeFileSync(preload, PRELOAD);
  const env = { ...place.env, NODE_OPTIONS: `--import=${preload}` };
  const screen = pty(process.execPath, [place.launcher, "tui"], { cwd: place.work, env });
  await screen.shows("live");
  await screen.shows(shown);
  return screen;
}

const filesOf = ({ home }: Box): readonly string[] => {
  try {
    return readdirSync(join(home, "drafts"));
  } catch {
    return [];
  }
};

async function titlesOf(place: Box): Promise<readonly string[]> {
  const { issues } = await place.json<{ issues: { title: string; body: string }[] }>(
    "list",
    "--full",
  );
  return issues.map(({ title, body }) => `${title}/${body}`).toSorted();
}

const ENDS: readonly (readonly [string, (screen: Pty) => void])[] = [
  ["SIGTERM", (screen) => screen.signal("SIGTERM")],
  ["SIGHUP", (screen) => screen.signal("SIGHUP")],
  ["a terminal that hangs up", (screen) => screen.hangUp()],
  ["an error in the screen itself", (screen) => screen.signal("SIGUSR2")],
];

test.each(ENDS)(
  "a draft survives %s: it is offered, opened, sent and then deleted",
  async (_how, end) => {
    const place = await board();
    const first = await screenOf(place);
    first.type(`nHalf a title${TAB}And a text`);
    await first.shows("And a text");
    end(first);
    await expect.poll(() => filesOf(place).length, { timeout: 20_000 }).toBe(1);
    const [file = ""] = filesOf(place);
    expect(statSync(join(place.home, "drafts", file)).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.home, "drafts")).mode & 0o777).toBe(0o700);

    const second = await screenOf(place, OFFER);
    await second.shows("Half a title");
    await second.shows("Only issue");
    second.type("\r");
    await second.shows("And a text");
    second.type(CTRL_S);
    await second.hides("And a text");
    await second.shows("created");
    expect(await titlesOf(place)).toEqual(["Half a title/And a text", "Only issue/"]);
    await expect.poll(() => filesOf(place), { timeout: 20_000 }).toEqual([]);
    second.type("qy");
    expect(await second.ended).toBe(0);

    const third = await screenOf(place);
    expect(third.screen().join("\n")).not.toContain(OFFER);
  },
);

test("esc keeps an offered draft for later, and x deletes it", async () => {
  const place = await board();
  const first = await screenOf(place);
  first.type("xr");
  await first.shows("reopened");
  first.type("eX");
  await first.shows("Only issueX");
  first.signal("SIGTERM");
  expect(await first.ended).toBe(143);

  const second = await screenOf(place, OFFER);
  second.type(ESC);
  await second.hides(OFFER);
  second.type("qy");
  expect(await second.ended).toBe(0);
  expect(filesOf(place)).toHaveLength(1);

  const third = await screenOf(place, OFFER);
  third.type("x");
  await third.hides(OFFER);
  await expect.poll(() => filesOf(place), { timeout: 20_000 }).toEqual([]);
  third.type("qy");
  expect(await third.ended).toBe(0);
});

test("a draft that is opened again and given up with ctrl+c is deleted", async () => {
  const place = await board();
  const first = await screenOf(place);
  first.type("nHalf a title");
  await first.shows("Half a title");
  first.signal("SIGTERM");
  await first.ended;
  const [file = ""] = filesOf(place);
  const kept = readFileSync(join(place.home, "drafts", file), "utf8");
  expect(kept).toContain("Half a title");

  const second = await screenOf(place, OFFER);
  second.type("\r");
  await second.shows("Title:");
  second.type("\u0003");
  await second.shows("would be lost: quit?");
  second.type("y");
  expect(await second.ended).toBe(0);
  expect(filesOf(place)).toEqual([]);
});

test("a draft that cannot be stored is printed when the screen closes", async () => {
  const place = await board();
  writeFileSync(join(place.home, "drafts"), "");
  const screen = await screenOf(place);
  screen.type(`nHalf a title${TAB}And a text`);
  await screen.shows("And a text");
  screen.signal("SIGTERM");
  expect(await screen.ended).toBe(143);
  expect(screen.isAlternate()).toBe(false);
  const shown = screen.screen().join("\n");
  expect(shown).toContain("svc: a draft could not be kept: E");
  expect(shown).toMatch(/^new issue\nTitle: Half a title$/m);
  expect(shown).toContain("And a text");
});
