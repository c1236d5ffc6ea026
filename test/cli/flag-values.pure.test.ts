import { expect, test } from "vitest";
import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { booleanFlag, onOffFlag } from "../../src/cli/flags/flags.ts";
import { type CommandRegistry, thinConfig } from "../../src/cli/start/launch.ts";

class Flagged extends SvcCommand {
  static override id = "flagged";
  static override flags = {
    plain: booleanFlag("a plain one"),
    other: booleanFlag("one that needs another", { dependsOn: ["plain"] }),
    on: onOffFlag("one that is on", true),
    open: onOffFlag("one that a setting decides", undefined),
  };

  async run() {
    return (await this.parse(Flagged)).flags;
  }
}

const REGISTRY: CommandRegistry = {
  version: "1.2.3",
  root: "/",
  ids: {},
  load: async () => Flagged,
};

test.each([
  [[], [false, false, true, undefined, false]],
  [
    ["--plain", "--no-on", "-q"],
    [true, false, false, undefined, true],
  ],
  [
    ["--plain", "--other", "--no-open"],
    [true, true, true, false, false],
  ],
])("flags parsed from %j have the values that their types declare", async (argv, values) => {
  const { plain, other, on, open, quiet } = await new Flagged(argv, thinConfig(REGISTRY)).run();
  expect([plain, other, on, open, quiet]).toEqual(values);
});

test("a flag that depends on a boolean flag is refused without it", async () => {
  const running = new Flagged(["--other"], thinConfig(REGISTRY)).run();
  await expect(running).rejects.toThrow("--plain");
});
