import { describe, expect, test } from "vitest";
import { checkProject, diagnosis } from "../../src/cli/doctor.ts";
import { type ImportResult, importView, restoreView } from "../../src/cli/render/archive.ts";
import { doctorView } from "../../src/cli/render/doctor.ts";
import { barText, progressBar } from "../../src/cli/render/progress.ts";
import { SvcError } from "../../src/contract/errors.ts";

const STYLE = { paint: (_tone: string, text: string) => text, columns: 80, quiet: false };

describe("the progress bar", () => {
  test.each([
    [0, 10, "[------------------------]   0%"],
    [1, 3, "[########----------------]  33%"],
    [99, 100, "[#######################-]  99%"],
    [10, 10, "[########################] 100%"],
    [0, 0, "[########################] 100%"],
  ])("shows %i of %i as %s", (done, all, text) => {
    expect(barText(done, all)).toBe(text);
  });

  function terminal(isTerminal: boolean) {
    const written: string[] = [];
    const output = {
      write: (text: string) => void written.push(text),
      isTerminal,
      columns: 80,
      onClosed: () => undefined,
    };
    return { output, written };
  }

  test("is redrawn in place on a terminal, once for each change, and cleared at the end", () => {
    const { output, written } = terminal(true);
    const bar = progressBar(output, "x");
    for (const done of [0, 0, 100]) bar.show(done, 100);
    bar.end();
    expect(written).toHaveLength(3);
    expect(written[1]).toBe(`\r\u001b[2Kx ${barText(100, 100)}`);
    expect(written[2]).toBe("\r\u001b[2K");
  });

  test("is not drawn outside of a terminal", () => {
    const { output, written } = terminal(false);
    const bar = progressBar(output, "x");
    bar.show(1, 2);
    bar.end();
    expect(written).toEqual([]);
  });
});

describe("the summary", () => {
  const taken = {
    created: 0,
    updated: 0,
    unchanged: 1,
    deleted: 0,
    comments: 0,
    links: 0,
    items: [],
    conflicts: [],
    errors: [],
  };
  const told = (result: ImportResult["result"]): string =>
    importView("account").human(
      { source: "beads", project: "p", batch_uid: "B", dry_run: false, result },
      STYLE,
    );

  test.each([
    [taken, "Nothing changed in project p; already there: 1 issue."],
    [
      { ...taken, unchanged: 1234567 },
      "Nothing changed in project p; already there: 1,234,567 issues.",
    ],
    [
      { ...taken, created: 1, links: 2 },
      "Into project p: 1 issue created, 0 updated, 1 unchanged;\n0 comments and 2 links added.\nUndo: svc import undo B --project p",
    ],
    [
      {
        ...taken,
        items: [
          {
            ...{ external_id: "bd-1", issue_short_id: "abc4", status: "unchanged" as const },
            reason: "it was deleted here",
          },
        ],
      },
      "Nothing changed in project p; already there: 1 issue.\n1 issue left alone: it was deleted here (bd-1).",
    ],
    [
      { ...taken, deleted: 2 },
      "Into project p: 0 issues created, 0 updated, 1 unchanged;\n0 comments and 0 links added.\nDeleted, since the source has them no more: 2 issues.\nUndo: svc import undo B --project p",
    ],
    [
      {
        ...taken,
        conflicts: [{ external_id: "bd-1", issue_short_id: "abc4", field: "title" }],
      },
      "Nothing changed in project p; already there: 1 issue.\nconflict: bd-1 (abc4) title: kept as it is here",
    ],
    [
      { ...taken, errors: ["a parent b: no\u001b[31m"] },
      "Nothing changed in project p; already there: 1 issue.\nnot linked: a parent b: no",
    ],
  ])("the summary of an import names what happened: %j", (result, text) => {
    expect(told(result)).toBe(`account\n\n${text}`);
  });

  test("the summary of a restore names what was restored", () => {
    expect(restoreView.human({ target: "/x.db", projects: 1, issues: 2, events: 3 }, STYLE)).toBe(
      "imported /x.db: 1 project, 2 issues, 3 events",
    );
  });
});

describe("doctor", () => {
  const found = diagnosis([
    { id: "config.daemon", category: "config", status: "ok", summary: "fine" },
    { id: "daemon.version", category: "daemon", status: "warning", summary: "older", fix: "wait" },
    {
      id: "storage.fold",
      category: "storage",
      status: "failed",
      summary: "differs",
      fix: "restore",
    },
    { id: "daemon.health", category: "daemon", status: "skipped", summary: "nobody to ask" },
  ]);

  test("marks each check with its result, and counts the results", () => {
    expect(doctorView.human(found, STYLE).split("\n")).toEqual([
      "✓ config.daemon       fine",
      "! daemon.version      older",
      "                      wait",
      "✗ storage.fold        differs",
      "                      restore",
      "- daemon.health       nobody to ask",
      "",
      "1 ok, 1 warning, 1 failed, 1 skipped",
    ]);
  });

  test("doctor with -q reports only what failed", () => {
    expect(doctorView.human(found, { ...STYLE, quiet: true }).split("\n")).toEqual([
      "✗ storage.fold        differs",
      "                      restore",
    ]);
  });

  test("prints a row for each check in the output for agents", () => {
    expect(doctorView.agent(found, false).split("\n")[0]).toBe(
      "OK doctor ok=1 warning=1 failed=1 skipped=1",
    );
    expect(doctorView.agent(found, false)).toContain(
      "- check=storage.fold status=failed summary=differs fix=restore",
    );
  });

  const nowhere = {
    project: async () => await Promise.reject(new SvcError("project_not_initialized")),
  };
  test("accepts a folder without a project, and reports a project that is named but missing", async () => {
    expect(await checkProject(false, nowhere)).toMatchObject({ status: "skipped" });
    await expect(checkProject(true, nowhere)).rejects.toMatchObject({
      code: "project_not_initialized",
    });
    expect(
      await checkProject(false, { project: async () => ({ id: 1, name: "p" }) }),
    ).toMatchObject({ status: "ok" });
  });
});
