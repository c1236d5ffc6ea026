import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { readViews, saveView } from "../../src/config/views.ts";
import { folderWith } from "./folder.ts";

test("views are read in the order of the file, and what is no text is none", async () => {
  const home = folderWith({
    "config.toml": '[tui.views]\nz = "status:all"\n"my own" = "p<=1"\nbad = 3\n"a.b" = "x"\n',
  });
  expect(await readViews(home)).toEqual([
    { name: "z", query: "status:all" },
    { name: "my own", query: "p<=1" },
    { name: "a.b", query: "x" },
  ]);
  expect(await readViews(folderWith())).toEqual([]);
});

test("a view is kept, replaced and forgotten, and commands still read the file", async () => {
  const home = folderWith({ "config.toml": "# mine\n[tui]\nmouse = true\n" });
  await saveView(home, "Urgent ones", "p<=1");
  expect(await saveView(home, "Mine", "owner:ana")).toEqual([
    { name: "Urgent ones", query: "p<=1" },
    { name: "Mine", query: "owner:ana" },
  ]);
  const { settings } = await loadConfig({ cwd: home, env: { SVC_HOME: home } });
  expect(settings.tuiMouse).toBe(true);
  await saveView(home, "Mine", undefined);
  expect(await saveView(home, "Urgent ones", "p:0")).toEqual([
    { name: "Urgent ones", query: "p:0" },
  ]);
  expect(readFileSync(join(home, "config.toml"), "utf8")).toContain(
    "# mine\n[tui]\nmouse = true\n",
  );
});
