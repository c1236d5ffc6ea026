import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Pty, pty } from "../support/pty.ts";
import { type Box, box } from "./box.ts";

const CTRL_F = "\u0006";

async function board(): Promise<Box> {
  const place = box();
  await place.json("init", "--project", "product");
  await place.json("create", "First issue", "--body", "What it is about.", "--label", "bug");
  await place.json("create", "Second issue", "--priority", "1");
  return place;
}

function tui(place: Box, words: readonly string[] = [], columns = 160): Pty {
  return pty(process.execPath, [place.launcher, "tui", ...words], {
    cwd: place.work,
    env: place.env,
    columns,
    rows: 30,
  });
}

test("a view is kept in config.toml for its owner, and there the next time", async () => {
  const place = await board();
  const screen = tui(place);
  await screen.shows("live");
  screen.type("/p<=1\r");
  await screen.hides("First issue");
  screen.type("wUrgent ones\r");
  await screen.shows("saved the view Urgent ones");
  await screen.shows(">Urgent ones     1");
  const path = join(place.home, "config.toml");
  expect(readFileSync(path, "utf8")).toBe('[tui.views]\n"Urgent ones" = "status:open p<=1"\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  screen.type("qy");
  expect(await screen.ended).toBe(0);
  await tui(place).shows(" Urgent ones     1");
});

test("the daemon finds what only a comment says, also on a closed issue", async () => {
  const place = await board();
  const { issues } = await place.json<{ issues: { title: string; short_id: string }[] }>("list");
  const first = issues.find(({ title }) => title === "First issue")?.short_id ?? "";
  await place.json("comment", first, "--body", "a hedgehog was seen");
  await place.json(
    "close",
    first,
    "--done",
    "--message",
    "The reason was found and mended for good.",
    "--commit",
    "abc1234",
  );
  const screen = tui(place);
  await screen.shows("live");
  screen.type("/hedgehog");
  await screen.shows("no issues match");
  screen.type(CTRL_F);
  await screen.shows("found 1 for hedgehog   lexical");
  await screen.shows("First issue");
  screen.type("\u001B");
  await screen.shows("Second issue");
  expect(screen.screen().join("\n")).not.toContain("hedgehog");
});
