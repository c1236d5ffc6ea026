import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { folderWith } from "../config/folder.ts";
import { text } from "../tui/picture.ts";
import { issue, type Session, screen } from "../tui/support.ts";

const COMMANDS = [
  { name: "browse", argv: ["gh", "browse", "--title={title}", "{ref}"] },
  { name: "print", argv: ["lp", "--", "{refs}"] },
  { name: "shell", argv: ["bash"] },
  { name: "odd", argv: ["{ref}", "{nothing}"] },
];

const title = "$(rm -rf ~); `x` {refs} {uid}";
const issues = [issue(1, { title }), issue(2)];

function own(columns = 80, list = issues): Session {
  const session = screen(columns, 24, list).keys("G");
  const preferences = { ...session.state.preferences, commands: COMMANDS };
  session.state = { ...session.state, preferences };
  return session;
}

const ran = (session: Session): readonly string[] | undefined =>
  session.effects.flatMap((effect) => (effect.effect === "run-program" ? [effect.argv] : []))[0];

describe("custom commands with $", () => {
  test("are listed, and the chosen one runs on the issue", () => {
    const session = own().keys("$");
    expect(text(session)).toContain("browse  gh browse");
    expect(ran(session.keys("enter"))).toEqual([
      "gh",
      "browse",
      `--title=${title}`,
      "product#k001",
    ]);
  });

  test.each([
    ["print", ["lp", "--", "product#k001"]],
    ["shell", ["bash"]],
    ["odd", ["{ref}", "{nothing}"]],
  ])("replace only the placeholders that svc knows: the command %s", (name, argv) => {
    expect(ran(own().keys("$").type(name).keys("enter"))).toEqual(argv);
  });

  test("receive all marked issues if they accept several, and are refused otherwise", () => {
    const marked = () => own().keys("g", "space", "space", "$");
    expect(ran(marked().type("print").keys("enter"))).toEqual([
      ...["lp", "--", "product#k002", "product#k001"],
    ]);
    const refused = marked().type("browse").keys("enter");
    expect(ran(refused)).toBeUndefined();
    expect(text(refused)).toContain("browse is for one issue, and 2 are marked");
  });

  test("need an issue only if they contain a placeholder for one", () => {
    expect(ran(own(80, []).keys("$").type("shell").keys("enter"))).toEqual(["bash"]);
    expect(text(own(80, []).keys("$").type("print").keys("enter"))).toContain("none is selected");
  });

  test("are replaced by a hint where to write them while there are none", () => {
    expect(text(screen(80, 24).keys("$"))).toContain("no command is below [tui.commands]");
  });
});

test("custom commands come from the home's config.toml alone, never from a file of the folder", async () => {
  const home = folderWith({ "config.toml": '[tui.commands]\nmine = ["true"]\n' });
  const work = join(home, "work");
  mkdirSync(work);
  const foreign = '[tui.commands]\ntheirs = ["false"]\nmine = ["false"]\n';
  for (const name of [".svc.toml", ".svc.local.toml", "config.toml"])
    writeFileSync(join(work, name), foreign);
  const config = await loadConfig({ env: { SVC_HOME: home, HOME: home }, cwd: work });
  expect(config.settings.tuiCommands).toEqual({ mine: ["true"] });
});
