import { describe, expect, test } from "vitest";
import { readFastArgs } from "../../src/cli/fast-path/args.ts";
import { embeddingsView, reindexView } from "../../src/cli/render/embeddings.ts";
import { findCommand } from "../../src/cli/start/launch.ts";
import type { showEmbeddings } from "../../src/contract/embeddings.ts";
import type { Output } from "../../src/contract/route.ts";

type Status = Output<typeof showEmbeddings>;

const STYLE = { quiet: false, paint: (_role: string, text: string) => text } as never;
const QUIET = { quiet: true, paint: (_role: string, text: string) => text } as never;

const DONE: Status = {
  ...{ configured: true, model: "nomic-embed-text", dims: 768, total: 1204, generation: "active" },
  ...{ embedded: 1202, skipped: 2, backlog: 0, error_present: false },
  last_success_at: "2026-01-01T00:00:00.000Z",
  skipped_issues: [
    { qualified_id: "web#abc4", uid: "u1", reason: "refused_400" },
    { qualified_id: "web#x9k2", uid: "u2", reason: "refused_413" },
  ],
};

describe("svc search status", () => {
  test("names the two settings if no provider is configured", () => {
    const text = embeddingsView.human({ configured: false }, STYLE);
    expect(text).toBe(
      "not configured: set base_url and model of [search.embeddings] in config.toml",
    );
    expect(embeddingsView.agent({ configured: false }, false)).toBe(
      "OK search_status configured=false",
    );
  });

  test("shows a complete index, and which issues the provider refused", () => {
    expect(embeddingsView.human(DONE, STYLE).split("\n")).toEqual([
      "model nomic-embed-text, 768 numbers",
      "indexed 1202 of 1204",
      "skipped 2, which the provider refused or failed at: web#abc4, web#x9k2",
      "last success 2026-01-01 00:00Z",
    ]);
    expect(embeddingsView.human(DONE, QUIET)).toBe("0");
    expect(embeddingsView.agent(DONE, false).split("\n")).toEqual([
      "OK search_status configured=true model=nomic-embed-text generation=active embedded=1202 total=1204 skipped=2 backlog=0 last_success=2026-01-01T00:00:00.000Z",
      "- issue=web#abc4 skipped=refused_400",
      "- issue=web#x9k2 skipped=refused_413",
    ]);
  });

  test("counts the refused issues that it does not name", () => {
    const text = embeddingsView.human({ ...DONE, skipped: 12 }, STYLE);
    expect(text).toContain(
      "skipped 12, which the provider refused or failed at: web#abc4, web#x9k2 and 10 more",
    );
  });

  test.each([
    [0.44, 30, "rate 0.4 per second, about 30s left"],
    [12.4, 59, "rate 12 per second, about 59s left"],
    [12.4, 61, "rate 12 per second, about 1m left"],
    [12.4, 7300, "rate 12 per second, about 2h2m left"],
    [12.4, undefined, "rate 12 per second"],
  ])("shows the rate %d and the rest of %s seconds as %j", (rate_per_second, eta_seconds, line) => {
    const left = eta_seconds === undefined ? {} : { eta_seconds };
    const status = { ...DONE, backlog: 7, rate_per_second, ...left };
    const lines = embeddingsView.human(status, STYLE).split("\n");
    expect(lines).toContain("backlog 7");
    expect(lines).toContain(line);
  });

  test("says that a first index does not answer yet", () => {
    const { last_success_at: _, skipped_issues: __, ...rest } = DONE;
    const status = { ...rest, embedded: 0, skipped: 0, backlog: 1204 };
    expect(embeddingsView.human({ ...status, generation: "building" }, STYLE)).toBe(
      [
        "model nomic-embed-text, 768 numbers",
        "indexed 0 of 1204, which answers searches when it is complete",
        "backlog 1204",
        "no call was successful yet",
      ].join("\n"),
    );
  });

  test("shows the status of the last error, and what to do about it", () => {
    const failed = { ...DONE, error_present: true, error_cure: "set another key" };
    const lines = embeddingsView.human({ ...failed, last_error_status: 401 }, STYLE).split("\n");
    expect(lines.at(-1)).toBe("last error 401: set another key");
    expect(embeddingsView.human(failed, STYLE)).toContain("last error: set another key");
    expect(embeddingsView.agent(failed, false)).toContain("\nCure: set another key");
    const ofIndex = { ...failed, last_error_status: 401, index_failed: true };
    expect(embeddingsView.human(ofIndex, STYLE)).toContain("last error: set another key");
    const over = { ...failed, error_present: false };
    expect(embeddingsView.human(over, STYLE)).not.toContain("set another key");
  });
});

test("svc search reindex says how many issues are embedded again", () => {
  expect(reindexView.human({ total: 1 }, STYLE)).toBe(
    "1 issue will be embedded anew; svc search status shows how far it is",
  );
  expect(reindexView.human({ total: 1 }, QUIET)).toBe("");
  expect(reindexView.agent({ total: 3 }, false)).toBe("OK search_reindex total=3");
});

const IDS = {
  search: "search",
  "search:status": "search:status",
  "search:reindex": "search:reindex",
};

describe("after svc search, the words status and reindex are a command only if they stand alone", () => {
  test.each([
    ["search status", "search:status", []],
    ["search status --json", "search:status", ["--json"]],
    ["search status --project web", "search:status", ["--project", "web"]],
    ["search reindex -q", "search:reindex", ["-q"]],
    ["search status of builds", "search", ["status", "of", "builds"]],
    ["search reindex fails --json", "search", ["reindex", "fails", "--json"]],
    ["search -- status", "search", ["--", "status"]],
    ["search --json status", "search", ["--json", "status"]],
    ["search the status", "search", ["the", "status"]],
  ])("svc %s runs %s", (line, id, rest) => {
    expect(findCommand(line.split(" "), IDS)).toEqual({ id, rest });
  });

  test.each([
    ["search status --json", undefined],
    ["search reindex --json --project web", undefined],
    ["search status of builds --json", "status of builds"],
    ["search --json status", "status"],
    ["search builds --json", "builds"],
  ])("svc %s is answered quickly as a search for %s", (line, words) => {
    const query = readFastArgs(line.split(" "))?.query;
    expect(query?.find(([param]) => param === "q")?.[1]).toBe(words);
  });
});
