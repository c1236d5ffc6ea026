import { expect, test } from "vitest";
import { pty } from "../support/pty.ts";
import { box } from "./box.ts";

test.each([
  ["--screen-reader", {}],
  ["", { SVC_SCREEN_READER: "1" }],
  ["", { INK_SCREEN_READER: "true" }],
])("a person who hears the screen works on it line by line: %s %j", async (flag, env) => {
  const place = box(env);
  await place.json("init", "--project", "product");
  await place.json("create", "First issue", "--body", "What it is about.");
  await place.json("create", "Second issue", "--priority", "1");
  const words = ["tui", ...(flag === "" ? [] : [flag])];
  const screen = pty(process.execPath, [place.launcher, ...words], {
    rows: 100,
    cwd: place.work,
    env: place.env,
  });
  await screen.shows("Board product, 2 issues of status:open");
  await screen.shows("Row 1 of 2: ");
  await screen.shows("live");
  screen.type("j");
  await screen.shows("Row 2 of 2: ");
  screen.type("\r");
  await screen.shows("What it is about.");
  screen.type("\u001B");
  const timesOnRow = (): number =>
    screen.screen().filter((line) => line.startsWith("Row 2 of 2: ")).length;
  await expect.poll(timesOnRow, { timeout: 20_000 }).toBe(2);
  screen.type("n");
  await screen.shows("Title: empty");
  screen.type("Typed unseen");
  await screen.shows("Title: Typed unseen");
  screen.type("\u0013");
  await screen.shows('"Typed unseen"');
  await place.json("create", "Made elsewhere", "--as", "bo");
  await screen.shows("1 issue changed, . reads what");
  screen.type(".");
  await screen.shows("open Made elsewhere");
  expect(screen.written()).not.toContain("\u001B[?1049h");
  expect(screen.written()).not.toContain("\u001B]11;");
  screen.type("qy");
  expect(await screen.ended).toBe(0);
  const { issues } = await place.json<{ issues: { title: string }[] }>("list");
  expect(issues.map(({ title }) => title)).toContain("Typed unseen");
});
