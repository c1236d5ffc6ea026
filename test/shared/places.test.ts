import { describe, expect, test } from "vitest";
import { chooseProject } from "../../src/shared/project-choice.ts";
import { placeOf } from "../../src/shared/ref.ts";

const UID = "01K4M0000000000000000000E1";

describe("finding an issue by a reference", () => {
  const asked: string[] = [];
  const ask = {
    project: async (name?: string) => {
      asked.push(`project ${name ?? "own"}`);
      return await Promise.resolve({ id: name === undefined ? 1 : 2 });
    },
    issue: async (uid: string) => {
      asked.push(`issue ${uid}`);
      return await Promise.resolve({ project_id: 3 });
    },
  };

  test.each([
    ["ABC4", { project_id: 1, ref: "abc4" }, "project own"],
    ["web#abc4", { project_id: 2, ref: "abc4" }, "project web"],
    [UID.toLowerCase(), { project_id: 3, ref: UID }, `issue ${UID}`],
    [`web#${UID}`, { project_id: 2, ref: UID }, "project web"],
  ])(
    "the reference %s is resolved with one request to the daemon",
    async (text, place, question) => {
      asked.length = 0;
      expect(await placeOf(text, ask)).toEqual(place);
      expect(asked).toEqual([question]);
    },
  );
});

describe("finding a project by a reference", () => {
  const projects = [
    { id: 1, name: "web" },
    { id: 2, name: "shop" },
    { id: 3, name: "2" },
  ];
  const aliases: Readonly<Record<number, string>> = {
    1: "github.com/ann/site",
    2: "local:///home/bea/site",
    3: "github.com/ann/two",
  };
  const asked: number[] = [];
  const choose = async (text: string) =>
    await chooseProject(text, projects, async ({ id }) => {
      asked.push(id);
      return await Promise.resolve([{ alias_identity: aliases[id] ?? "" }]);
    });

  test("uses the id or the name, and does not look up aliases if one matches", async () => {
    expect((await choose("shop")).id).toBe(2);
    expect((await choose("1")).name).toBe("web");
    expect(asked).toEqual([]);
  });

  test("finds the project by a repository or by its last part", async () => {
    expect((await choose("github.com/ann/site")).id).toBe(1);
    expect((await choose("two")).id).toBe(3);
  });

  test.each([
    ["2", "fits several projects: shop (2), 2 (3)"],
    ["site", "fits several projects: web (1), shop (2)"],
    ["ann", 'there is no project "ann"'],
  ])("fails for %s, which is ambiguous or unknown", async (text, message) => {
    await expect(choose(text)).rejects.toThrow(message);
  });
});
