import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Pty, pty } from "../support/pty.ts";
import { type Box, box } from "./box.ts";

const CTRL_S = "\u0013";
const DELETE = "\u001B[3~";

test.each([
  ["--screen-reader", {}],
  ["", { SVC_SCREEN_READER: "1" }],
  ["", { INK_SCREEN_READER: "true" }],
])("a blind person works on the screen line by line (flag %j, variables %j)", async (flag, env) => {
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

/** The screen for a screen reader, on a terminal that still shows everything that was said. */
async function reader(place: Box): Promise<Pty> {
  const screen = pty(process.execPath, [place.launcher, "tui", "--screen-reader"], {
    rows: 200,
    columns: 100,
    cwd: place.work,
    env: place.env,
  });
  await screen.shows("live");
  await screen.shows("Row 1 of ");
  return screen;
}

test("two edits of one text are shown side by side, and each way to resolve them works", async () => {
  const place = box();
  await place.json("init", "--project", "product");
  const { issue } = await place.json<{ issue: { short_id: string } }>("create", "As it was");
  const id = issue.short_id;
  const titleNow = async (): Promise<string> =>
    (await place.json<{ issue: { title: string } }>("show", id)).issue.title;
  const screen = await reader(place);

  screen.type("e");
  await screen.shows("Title: As it was");
  screen.type(" mine");
  await screen.shows("Title: As it was mine");
  await place.json("edit", id, "--title", "Theirs", "--as", "bo");
  screen.type(CTRL_S);
  await screen.shows(`product#${id} was changed while you edited it`);
  await screen.shows("Title, base, As it was");
  await screen.shows("Title, theirs, Theirs");
  await screen.shows("Title, mine, As it was mine");
  await screen.shows("o overwrite with mine, r reload theirs, esc back to the draft");
  screen.type("r");
  await screen.shows("r again discards what you typed");
  screen.type("r");
  await screen.shows("Title: Theirs");

  screen.type(", and mine");
  await screen.shows("Title: Theirs, and mine");
  await place.json("edit", id, "--title", "Theirs again", "--as", "bo");
  screen.type(CTRL_S);
  await screen.shows("Title, theirs, Theirs again");
  screen.type("o");
  await screen.shows(`saved the title of product#${id}`);
  expect(await titleNow()).toBe("Theirs, and mine");
  screen.type("qy");
  expect(await screen.ended).toBe(0);
});

test("a confirmation by typing says what to type, and accepts nothing else", async () => {
  const place = box();
  await place.json("init", "--project", "product");
  const issues = Array.from({ length: 21 }, (_none, at) => {
    return { name: `i${at}`, title: `Issue ${at}` };
  });
  const plan = join(place.temp, "plan.json");
  writeFileSync(plan, JSON.stringify({ plan: "many", issues }));
  await place.json("plan", "apply", plan);
  const openCount = async (): Promise<number> =>
    (await place.json<{ issues: unknown[] }>("list")).issues.length;
  const screen = await reader(place);
  screen.type("g ");
  await screen.shows("1 marked");
  screen.type("GV");
  await screen.shows("21 marked");
  screen.type(DELETE);
  await screen.shows("delete 21 issues?");
  await screen.shows("enter go on, esc cancel");
  await screen.shows("type 21 to go on:");
  screen.type("2\r");
  await screen.shows("type 21 to go on, or esc");
  expect(await openCount()).toBe(21);
  screen.type("1\r");
  await screen.shows("deleted 21 issues");
  await screen.shows("no issues");
  expect(await openCount()).toBe(0);
  screen.type("qy");
  expect(await screen.ended).toBe(0);
});

test("taking over a lease asks for the name of the issue first, and then says in words what was done", async () => {
  const place = box();
  await place.json("init", "--project", "product");
  const { issue } = await place.json<{ issue: { short_id: string } }>("create", "Held by bo");
  await place.json("lease", "acquire", issue.short_id, "--as", "bo");
  const screen = await reader(place);
  screen.type("6");
  await screen.shows("Fleet, 1 at work");
  screen.type("S");
  await screen.shows(`take the lease of product#${issue.short_id} "Held by bo" from bo`);
  await screen.shows(`type product#${issue.short_id} to go on:`);
  screen.type("product#");
  screen.type(`${issue.short_id}\r`);
  await screen.shows(`took the lease of product#${issue.short_id}`);
  screen.type("qy");
  expect(await screen.ended).toBe(0);
});
