import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Tested, testConnector } from "../../src/connectors/index.ts";
import { folderWith } from "../config/folder.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "examples", "connectors");
const FIXTURE = join(EXAMPLES, "files-fixture.mjs");
const LONG = 180_000;

/** The Python of this machine. Without one, the test that needs it is skipped, since svc needs no Python. */
const python: string = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], {
  encoding: "utf8",
}).stdout.trim();

interface Options {
  readonly only?: readonly number[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly fixture?: readonly string[];
  readonly root?: string;
}

async function tested(words: readonly string[], options: Options): Promise<readonly Tested[]> {
  const [command = "", ...args] = words;
  return await testConnector({
    entry: { command, args, timeoutMs: 30_000, env: {}, settings: options.settings ?? {} },
    ...{ environment: {}, signal: new AbortController().signal },
    ...options,
  });
}

function failuresOf(all: readonly Tested[]): readonly Tested[] {
  return all.filter(({ status }) => status === "failed");
}

function skippedOf(all: readonly Tested[]): readonly number[] {
  return all.flatMap(({ status, number }) => (status === "skipped" ? [number] : []));
}

describe.runIf(process.platform !== "win32")("svc connector test", () => {
  test("shows the last whole lines of stderr of a program that fails, without its secrets", async () => {
    const script =
      "console.error('hunter2-path'.repeat(99) + '\\nno file at hunter2-path'); process.exit(3)";
    const settings = { path: "hunter2-path" };
    const [described] = await tested([process.execPath, "-e", script], { settings, only: [1] });
    expect(described).toMatchObject({
      status: "failed",
      came: "it ended with exit code 3; its stderr ends with no file at [redacted]",
    });
  });

  test("shows all that the folder of Markdown files can do", { timeout: LONG }, async () => {
    const settings = { folder: folderWith() };
    const files = [process.execPath, join(EXAMPLES, "files.mjs")];
    const all = await tested(files, { settings, fixture: [process.execPath, FIXTURE] });
    expect(failuresOf(all)).toEqual([]);
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(skippedOf(all)).toEqual([9]);
  });

  test.runIf(python !== "")(
    "shows all that the connector in Python can do, and leaves the other entries of its file",
    { timeout: LONG },
    async () => {
      const own = { key: "own-1", name: "own", comments: [{ id: "c1", body: "A text" }] };
      const path = join(folderWith({ "entries.json": JSON.stringify([own]) }), "entries.json");
      const fixture = [python, join(EXAMPLES, "minimal-fixture.py")];
      const minimal = [python, join(EXAMPLES, "minimal.py")];
      const all = await tested(minimal, { settings: { path }, fixture });
      expect(failuresOf(all)).toEqual([]);
      expect(skippedOf(all)).toEqual([7, 8]);
      const entries: unknown = JSON.parse(readFileSync(path, "utf8"));
      expect(entries).toEqual([own, expect.objectContaining({ key: "test-1" })]);
    },
  );

  test("without a fixture uses a root that is named, and leaves it complete", async () => {
    const folder = folderWith({ "one.md": "# A title\n\nText.\n" });
    const files = [process.execPath, join(EXAMPLES, "files.mjs")];
    const options = { settings: { folder }, root: "one.md", only: [3, 5, 6, 10] };
    const all = await tested(files, options);
    expect(failuresOf(all)).toEqual([]);
    expect(skippedOf(all)).toEqual([5, 10]);
    expect(readFileSync(join(folder, "one.md"), "utf8")).toContain("state: done");
    const again = await tested(files, { ...options, only: [6] });
    expect(again).toEqual([
      {
        ...{ number: 6, name: expect.any(String) as string, status: "ok" },
        why: "the root was complete before the test",
      },
    ]);
  });

  test("says that the fixture failed, not the connector", async () => {
    const files = [process.execPath, join(EXAMPLES, "files.mjs")];
    const [found] = await tested(files, {
      ...{ settings: { folder: folderWith() }, only: [3], fixture: ["/nowhere/fixture"] },
    });
    expect(found?.status).toBe("failed");
    expect(found?.why).toContain("the fixture failed: reset: it cannot be started");
    expect(found?.rule).toBeUndefined();
  });

  test("shows no secret of the settings in what was sent and came", async () => {
    const program = join(import.meta.dirname, "programs", "answers.mjs");
    const command = [process.execPath, program, "fail", "no_key", String.raw`not g\u0065heim`];
    const [found] = await tested(command, {
      ...{ settings: { key: "geheim" }, root: "one", only: [1] },
    });
    expect(found).toMatchObject({ status: "failed", rule: "method.result" });
    expect(JSON.stringify(found)).not.toMatch(/geheim|g\\+u0065heim/);
  });

  const planted: readonly (readonly [number, string, string, string, string])[] = [
    [
      1,
      "describe.stable",
      "files.mjs",
      'display_name: "Markdown files"',
      "display_name: String(process.pid)",
    ],
    [
      2,
      "root.account",
      "markdown-files.mjs",
      "identity_key: accountOf(folder)",
      'identity_key: "another"',
    ],
    [
      3,
      "root.state_there",
      "markdown-files.mjs",
      ".trim(),\n    comments",
      ".trim().slice(1),\n    comments",
    ],
    [4, "comments.order", "markdown-files.mjs", ".sort(inOrder)", ".sort(inOrder).reverse()"],
    [
      4,
      "comments.all",
      "markdown-files.mjs",
      ".sort(inOrder)",
      ".filter(({ deleted }) => !deleted)",
    ],
    [
      5,
      "comments.edit",
      "markdown-files.mjs",
      "revision: digest(body, String(isDeleted), String(updated))",
      "revision: digest(id)",
    ],
    [
      6,
      "complete.idempotent",
      "markdown-files.mjs",
      'if (file.head.state !== "done") save',
      "save",
    ],
    [7, "publish.once", "markdown-files.mjs", "op === operation_id", "op === body"],
    [8, "fields.conflict", "markdown-files.mjs", "if (!isExpected)", "if (false)"],
    [8, "value.form", "markdown-files.mjs", 'value.endsWith("Z") ? "instant" : "date"', '"date"'],
    [9, "method.unknown", "files.mjs", '["publish_comment", "fields", "conditional_fields"]', "[]"],
    [
      10,
      "params.exact",
      "markdown-files.mjs",
      '{ state: "done" }',
      '{ state: "done", due: undefined }',
    ],
    [
      11,
      "missing.text",
      "markdown-files.mjs",
      '"there is no file of this name"',
      "`there is no ${folder}/${name}`",
    ],
    [
      11,
      "missing.error",
      "markdown-files.mjs",
      'refusal("root_not_found", "there is',
      'refusal("failed", "there is',
    ],
    [12, "request.refused", "files.mjs", "process.exit(2)", "process.exit(0)"],
  ];

  test.each(planted)(
    "finds with behaviour %i that %s does not hold in a copy of the connector",
    { timeout: LONG },
    async (number, rule, file, right, wrong) => {
      const folder = folderWith();
      for (const name of ["files.mjs", "markdown-files.mjs"])
        copyFileSync(join(EXAMPLES, name), join(folder, name));
      const text = readFileSync(join(folder, file), "utf8");
      expect(text.split(right)).toHaveLength(2);
      writeFileSync(
        join(folder, file),
        text.replace(right, () => wrong),
      );
      const all = await tested([process.execPath, join(folder, "files.mjs")], {
        ...{ only: [number], settings: { folder: folderWith() } },
        fixture: [process.execPath, FIXTURE],
      });
      expect(all).toMatchObject([{ number, status: "failed", rule }]);
    },
  );
});
