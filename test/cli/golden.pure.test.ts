import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT_CODE_GUIDE } from "../../src/cli/agent-files/guide.ts";
import { commandHelp, type HelpCommand, nameOf, rootHelp } from "../../src/cli/render/help.ts";
import { GROUPS } from "../../src/cli/render/help-groups.ts";
import { allCommands, helpFor } from "../../src/cli/start/help.ts";
import { golden } from "../support/golden.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const HOST = { root: ROOT, version: "1.2.3" };
const COLUMNS = 90;

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\`\n`;
const isGlobal = ({ helpGroup }: HelpCommand["flags"][string]): boolean => helpGroup !== undefined;

function withoutGlobalFlags(command: HelpCommand): HelpCommand {
  const own = Object.entries(command.flags).filter(([, flag]) => !isGlobal(flag));
  return { ...command, flags: Object.fromEntries(own) };
}

test("docs/commands.md contains the help of every command", async () => {
  const commands = await allCommands(ROOT, HOST.version);
  const plain = commands.map(withoutGlobalFlags);
  const list = commands.find(({ id }) => id === "list");
  const global = Object.entries(list?.flags ?? {}).filter(([, flag]) => isGlobal(flag));
  const everywhere = commandHelp(
    {
      id: "<command>",
      args: {},
      aliases: [],
      summary: "every command takes these",
      flags: Object.fromEntries(global),
    },
    [],
    COLUMNS,
  );
  const text = [
    "# Commands\n",
    "What `svc --help` and `svc <command> --help` print. Written by `npm run golden`; output modes are in `svc quickstart --format contract`.\n",
    fenced(rootHelp(plain, COLUMNS)),
    "## Flags of every command\n",
    fenced(everywhere),
    "## Exit codes\n",
    fenced(EXIT_CODE_GUIDE),
    ...plain.flatMap((command) => [
      `## svc ${nameOf(command.id)}\n`,
      fenced(commandHelp(command, plain, COLUMNS)),
    ]),
  ].join("\n");
  expect(text).toBe(golden("docs/commands.md", text));
});

test("the order of commands lists each command once, and nothing else", async () => {
  const ids = (await allCommands(ROOT, HOST.version)).map(({ id }) => id);
  const grouped = GROUPS.flatMap(({ commands }) => commands);
  expect(grouped.toSorted()).toEqual(ids.toSorted());
  expect(new Set(grouped).size).toBe(grouped.length);
});

test("examples in help fit whole into 80 columns, and their JSON is valid", async () => {
  let texts = 0;
  // The commands are loaded once and not for each of them, as helpFor does it.
  const all = await allCommands(ROOT, HOST.version);
  for (const command of all) {
    const { id, description = "", examples = [] } = command;
    const lines = new Set(commandHelp(command, all, 80).split("\n"));
    const commands = examples.map((one) => (typeof one === "string" ? one : one.command));
    for (const line of commands.flatMap((text) => text.split("\n")))
      expect(lines, id).toContain(`  ${line.replaceAll("<%= config.bin %>", "svc")}`);
    for (const text of description.split(/\n(?! {2}|$)/m)) {
      const [said = "", ...copied] = text.split(/\n\n(?= {2})/);
      expect(said, `${id}: what is not set in is wrapped`).not.toMatch(/[{}]/);
      for (const json of copied) {
        expect(JSON.parse(json)).toBeTypeOf("object");
        for (const line of json.trimEnd().split("\n")) {
          expect(lines, id).toContain(line);
          expect(line.length, line).toBeLessThanOrEqual(80);
        }
        texts += 1;
      }
    }
  }
  expect(texts).toBeGreaterThanOrEqual(4);
});

test.each([
  [[], "Start here:"],
  [["list"], "Usage:\n  svc list [flags]"],
  [["comment", "edit"], "Usage:\n  svc comment edit <ref> <comment> [flags]"],
  [["comment"], "svc comment edit  replace the text"],
  [["label"], "svc label add  put a label"],
  [["create", "some title"], "Usage:\n  svc create [<title>] [flags]"],
  [["agent-instructions"], "Usage:\n  svc quickstart"],
  [["search", "a", "b"], "svc search <query>... [flags]"],
  [["projects", "show"], "svc projects show [<project>]"],
])("there is help for the words %j", async (words, text) => {
  expect(await helpFor(words, HOST, 80)).toContain(text);
});

test.each([[["lst"]], [["label", "nonsense"]], [["nothing", "like", "it"]]])(
  "there is no help for the words %j",
  async (words) => {
    expect(await helpFor(words, HOST, 80)).toBeUndefined();
  },
);

test.each([[40], [80], [200], [undefined]])(
  "no line of help is wider than a terminal of %s columns",
  async (columns) => {
    const widest = Math.min(columns ?? 80, 100);
    for (const words of [[], ["list"], ["close"], ["events"]]) {
      const help = (await helpFor(words, HOST, columns)) ?? "";
      // The examples are meant to be copied, so they are not wrapped.
      const [before = "", after = ""] = help.split("\nExamples:\n");
      const lines = [before, after.slice(after.indexOf("\n\n"))].join("\n").split("\n");
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(widest);
    }
  },
);
