import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addressOf } from "../../src/config/catalog.ts";
import { loadConfig } from "../../src/config/load.ts";
import { folderWith } from "./folder.ts";

async function load(file: string) {
  const home = folderWith({ "config.toml": file });
  const { mappings } = await loadConfig({ cwd: home, env: { SVC_HOME: home } });
  return mappings;
}

const TEAM = '[[daemon]]\nname = "team"\nurl = "https://hub.example"\ntoken_env = "HUB_TOKEN"\n';
const TWIN = '[[daemon]]\nname = "twin"\nurl = "https://HUB.example:443"\n';
const OTHER = '[[daemon]]\nname = "other"\nurl = "https://other.example"\n';
const HERE = '[[daemon]]\nname = "here"\nlocal = true\n';

const FIELDS = { hub: "team", spoke_project: "a", hub_project: "b", actor: "sam" };

function mapping(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const lines = Object.entries({ ...FIELDS, ...changes }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} = ${JSON.stringify(value)}`],
  );
  return `[[federation.project]]\n${lines.join("\n")}\n`;
}

test("federation mappings are read in the order of config.toml, each with the [[daemon]] entry of its hub", async () => {
  const second = mapping({ hub: "other", spoke_project: "z", hub_project: "b" });
  const mappings = await load(`${TEAM}${OTHER}${second}${mapping()}`);
  expect(mappings).toMatchObject([
    {
      ...{ spoke_project: "z", hub_project: "b", actor: "sam" },
      hub: { name: "other", origin: { text: "https://other.example" }, allowInsecure: false },
    },
    { spoke_project: "a", hub: { name: "team", tokenEnv: "HUB_TOKEN" } },
  ]);
});

test("the URL of a hub may have a path, and two hubs may have two paths of one host", async () => {
  const entry = (name: string, path: string) =>
    `[[daemon]]\nname = "${name}"\nurl = "https://host.example${path}"\n`;
  const both = `${mapping({ hub: "one" })}${mapping({ hub: "two", spoke_project: "c" })}`;
  const mappings = await load(`${entry("one", "/svc/")}${entry("two", "/other")}${both}`);
  expect(mappings.map(({ hub }) => addressOf(hub))).toEqual([
    "https://host.example/svc",
    "https://host.example/other",
  ]);
});

test("a config.toml without [[federation.project]] has no federation mappings", async () => {
  expect(await load("")).toEqual([]);
  expect(await load("[federation]\n")).toEqual([]);
});

describe("a federation mapping is refused, so that no daemon starts with it", () => {
  test.each([
    ["without hub", mapping({ hub: undefined }), "number 1 has no hub"],
    ["without spoke_project", mapping({ spoke_project: undefined }), "has no spoke_project"],
    ["without hub_project", mapping({ hub_project: undefined }), "has no hub_project"],
    ["without actor", mapping({ actor: undefined }), "has no actor"],
    ["with an empty actor", mapping({ actor: "" }), "must have text as actor"],
    ["with a number as actor", mapping().replace('"sam"', "7"), "must have text as actor"],
    ["with a key that is unknown", mapping({ hub_projekt: "b" }), 'the unknown key "hub_projekt"'],
    ["with a hub that no entry has", mapping({ hub: "teem" }), 'no [[daemon]] entry: "teem"'],
    ["with this machine's daemon as hub", mapping({ hub: "here" }), "this machine's own daemon"],
    [
      "with a spoke_project that is no name",
      mapping({ spoke_project: "a#b" }),
      "must not contain #",
    ],
    ["with a hub_project that is no name", mapping({ hub_project: " " }), "no name of a project"],
    ["with a hub_project that is too long", mapping({ hub_project: "x".repeat(5000) }), "no name"],
    ["with the actor bootstrap", mapping({ actor: "bootstrap" }), "must not be bootstrap"],
    ["with the actor system", mapping({ actor: "system" }), "must not be system"],
    ["with an invisible actor", mapping({ actor: "\u200B" }), "an actor that cannot be used"],
    [
      "for a spoke_project that another one has",
      `${mapping()}${mapping({ hub_project: "c" })}`,
      "the same spoke_project in [[federation.project]] number 1 and [[federation.project]] number 2",
    ],
    [
      "for a hub_project that another one has, by an entry with the same address",
      `${mapping()}${mapping({ hub: "twin", spoke_project: "c" })}`,
      "the same hub_project at one address in [[federation.project]] number 1",
    ],
    ["that is no list", "[federation.project]\nhub = 1\n", "[[federation.project]]"],
    ["beside another key", "[federation]\nprojects = 1\n", '"federation.projects"'],
    ["as text", 'federation = "a"\n', "[[federation.project]]"],
  ])("a mapping %s is refused", async (_what, text, word) => {
    // Keys at the top of a TOML file come before its tables.
    const refused = load(text.startsWith("federation") ? text : `${TEAM}${TWIN}${HERE}${text}`);
    await expect(refused).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(word) as string,
    });
  });

  test("the refusal of a mapping with an unknown hub lists the known [[daemon]] entries", async () => {
    await expect(load(`${TEAM}${OTHER}${mapping({ hub: "x" })}`)).rejects.toMatchObject({
      hint: "there are: team, other",
    });
    await expect(load(mapping())).rejects.toMatchObject({
      hint: "there is no [[daemon]] entry",
    });
  });

  test("the refusal of a mapping names the file that contains it", async () => {
    const home = folderWith({ "config.toml": mapping() });
    await expect(loadConfig({ cwd: home, env: { SVC_HOME: home } })).rejects.toMatchObject({
      message: expect.stringContaining(join(home, "config.toml")) as string,
    });
  });
});

test("two federation mappings may have the same hub_project at two different hubs", async () => {
  const both = `${mapping()}${mapping({ hub: "other", spoke_project: "c" })}`;
  expect(await load(`${TEAM}${OTHER}${both}`)).toHaveLength(2);
});
