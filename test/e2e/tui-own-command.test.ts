import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { board, tui } from "./tui-screen.ts";

const COMMANDS = `
[tui.commands]
"tell" = ["sh", "-c", "echo got $0 $1; exit 3", "{ref}", "{title}"]
"wait" = ["sleep", "60"]
`;

test("a custom command runs in the terminal, reports a failure in words, and ctrl+c ends only the command", async () => {
  const place = await board();
  await place.json("create", "Third; $(echo no) issue");
  appendFileSync(join(place.home, "config.toml"), COMMANDS);
  const screen = tui(place);
  await screen.shows("Third; $(echo no) issue");
  screen.type("$");
  await screen.shows("tell  sh -c");
  screen.type("\r");
  await screen.shows("[svc: exit code 3; enter goes back]");
  expect(screen.screen().join(" ")).toMatch(/got product#\w+ Third; \$\(echo no\) issue/);
  screen.type("\r");
  await screen.shows("tell failed: exit code 3");
  screen.type("\u001B");
  await screen.hides("tell failed");
  screen.type("$");
  await screen.shows("wait  sleep 60");
  screen.type("wait");
  await screen.shows("run: wait");
  screen.type("\r");
  await screen.hides("run: wait");
  screen.type("\u0003");
  await screen.shows("[svc: killed by SIGINT; enter goes back]");
  screen.type("\r");
  await screen.shows("wait failed: killed by SIGINT");
  screen.type("\u001B");
  await screen.hides("wait failed");
  screen.type("q");
  expect(await screen.ended).toBe(0);
});
