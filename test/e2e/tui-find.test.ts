import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pty } from "../support/pty.ts";
import { box } from "./box.ts";
import { board, tui } from "./tui-screen.ts";

const CTRL_F = "\u0006";

/** A width with room for the browse pane. */
const WIDE = { columns: 160, rows: 30 };
const SPLIT = { columns: 120, rows: 30 };

test("a view that is saved on the screen is written to config.toml, and is available the next time", async () => {
  const place = await board();
  const screen = tui(place, [], WIDE);
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
  await tui(place, [], WIDE).shows(" Urgent ones     1");
});

test("the daemon finds text that only a comment contains, on a closed issue too", async () => {
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
  const screen = tui(place, [], WIDE);
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

test("svc tui --print-selection prints the marked issues to the shell, while the screen is drawn on the terminal", async () => {
  const place = await board();
  const command = `got=$('${process.execPath}' '${place.launcher}' tui --print-selection); echo "got: [$got]"`;
  const screen = pty("/bin/sh", ["-c", command], { cwd: place.work, env: place.env, columns: 100 });
  await screen.shows("live");
  screen.type("  ");
  await screen.shows("2 marked");
  screen.type("qy");
  await screen.shows("got: [product#");
  expect(await screen.ended).toBe(0);
  expect(screen.isAlternate()).toBe(false);
  const { issues } = await place.json<{ issues: { qualified_id: string }[] }>("list");
  const text = screen.screen().join(" ");
  for (const { qualified_id } of issues) expect(text).toContain(qualified_id);
});

test("svc show shows the issues that were marked on the screen", async () => {
  const place = await board();
  const svc = `'${process.execPath}' '${place.launcher}'`;
  const command = `${svc} show $(${svc} tui --print-selection)`;
  const screen = pty("/bin/sh", ["-c", command], { cwd: place.work, env: place.env, columns: 100 });
  await screen.shows("live");
  screen.type("  ");
  await screen.shows("2 marked");
  screen.type("qy");
  expect(await screen.ended).toBe(0);
  const text = screen.screen().join("\n");
  expect(text).toContain("First issue");
  expect(text).toContain("─".repeat(50));
  expect(text).toContain("Second issue");
});

test("the screen prints nothing at its end without --print-selection, or if a signal ends it", async () => {
  const place = await board();
  const screen = tui(place, ["--print-selection"], SPLIT);
  await screen.shows("live");
  screen.signal("SIGTERM");
  await screen.ended;
  expect(screen.screen().join("")).toBe("");
  const plain = tui(place, [], SPLIT);
  await plain.shows("live");
  plain.type("qy");
  expect(await plain.ended).toBe(0);
  expect(plain.screen().join("")).toBe("");
});

test("svc tui takes the project, the workspace and the actor from its flags", async () => {
  const place = await board();
  await place.json("projects", "create", "errands");
  await place.json("create", "Buy milk", "--project", "errands");
  const screen = tui(place, ["--project", "errands", "--as", "zoe"], WIDE);
  await screen.shows("Buy milk");
  await screen.shows("zoe  live");
  screen.type("a\r");
  await screen.shows("owner zoe");
  const { issues } = await place.json<{ issues: { owner: string }[] }>(
    "list",
    "--project",
    "errands",
  );
  expect(issues.map(({ owner }) => owner)).toEqual(["zoe"]);
  const elsewhere = pty(process.execPath, [place.launcher, "tui", "--workspace", place.work], {
    cwd: place.folder,
    env: place.env,
  });
  await elsewhere.shows("Second issue");
  const wrong = tui(place, ["--project", "nowhere"], WIDE);
  expect(await wrong.ended).toBe(4);
  expect(wrong.isAlternate()).toBe(false);
});

test("the screen switches to another daemon if that daemon answers, and otherwise stays with its own", async () => {
  const other = box();
  mkdirSync(other.home);
  writeFileSync(join(other.home, "config.toml"), 'listen = "127.0.0.1:0"\n');
  await other.json("projects", "create", "elsewhere");
  await other.json("create", "Far away", "--project", "elsewhere");
  const { address } = await other.json<{ address: string }>("daemon", "locate");
  const place = await board();
  writeFileSync(
    join(place.home, "config.toml"),
    `[[daemon]]\nname = "other"\nurl = "http://${address}"\n[[daemon]]\nname = "gone"\nurl = "http://127.0.0.1:9"\n`,
  );
  const screen = tui(place, [], WIDE);
  await screen.shows("Second issue");
  await screen.shows("live");
  screen.type(":daemon gone\r");
  await screen.shows("gone: server not responding");
  await place.json("create", "Made meanwhile");
  await screen.shows("Made meanwhile");
  screen.type("\u001B");
  await screen.hides("server not responding");
  screen.type("D");
  await screen.shows("-- daemons");
  screen.type("g\r");
  await screen.shows("daemon other");
  await screen.shows("elsewhere");
  screen.type("G\r");
  await screen.shows("Far away");
  await place.json("create", "Not here");
  await other.json("create", "Here", "--project", "elsewhere");
  await screen.shows("Here");
  expect(screen.screen().join("\n")).not.toContain("Not here");
  screen.type("Dj\u001B");
  await screen.hides("-- daemons");
  const named = tui(place, ["--daemon", "other", "--project", "elsewhere"], WIDE);
  await named.shows("Far away");
  await named.shows("daemon other");
});
