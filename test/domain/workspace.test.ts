import { describe, expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import { projectName } from "../../src/domain/projects.ts";
import { enclosingPaths, folderName, workspacePath } from "../../src/domain/workspace.ts";

describe("the folder of a workspace", () => {
  test.each([
    ["/home/ann/web", "/home/ann/web"],
    ["/home/ann/web/", "/home/ann/web"],
    ["/home/./ann//x/../web", "/home/ann/web"],
    ["/..", "/"],
    ["C:\\work\\web", "C:/work/web"],
  ])("%s is normalised to %s", (text, path) => {
    expect(workspacePath(text)).toBe(path);
  });

  test.each(["", "web", "./web", "~/web", "C:web", "/a\u0000b"])("%j is refused", (text) => {
    expect(() => workspacePath(text)).toThrow(SvcError);
  });

  test("is searched for in the current folder and its parents, but never at the root", () => {
    expect(enclosingPaths("/home/ann/web")).toEqual(["/home/ann/web", "/home/ann", "/home"]);
    expect(enclosingPaths("C:/work/web")).toEqual(["C:/work/web", "C:/work"]);
  });

  test("gives a project the name of its last part", () => {
    expect(folderName("/home/ann/web")).toBe("web");
    expect(() => folderName("/")).toThrow(SvcError);
  });
});

describe("the name of a project", () => {
  test.each([
    ["  web shop ", "web shop"],
    ["é".repeat(128), "é".repeat(128)],
  ])("%j is kept as %j", (text, name) => {
    expect(projectName(text)).toBe(name);
  });

  test.each(["", "   ", "a#b", "a\u0000b", `${"é".repeat(128)}x`])("%j is refused", (text) => {
    expect(() => projectName(text)).toThrow(SvcError);
  });
});
