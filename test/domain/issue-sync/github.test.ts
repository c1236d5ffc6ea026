import { expect, test } from "vitest";
import { isGithubFileSource, mapGithubIssue } from "../../../src/domain/issue-sync/github.ts";
import type { RemoteIssue } from "../../../src/domain/issue-sync/remote-issue.ts";
import { JULY, JUNE, MAY, newIssue } from "../../ops/issue-sync/host.ts";

test.each([
  ["github:ann/web", "Ann/Web", true],
  ["github:ann/web", "ann/website", false],
  ["github:ann/website", "ann/web", false],
  [`github:ann/${"x".repeat(44)}~01234567`, `ann/${"x".repeat(60)}`, true],
  [`github:ann/${"y".repeat(44)}~01234567`, `ann/${"x".repeat(60)}`, false],
])(
  "an import from a file with the source %s belongs to the repository %s: %s",
  (source, repository, is) => {
    expect(isGithubFileSource(source, repository)).toBe(is);
  },
);

const START = "2025-08-01T10:00:00.000Z";
const LATER = "2025-09-01T10:00:00.000Z";

function mapped(more: Partial<RemoteIssue>, titlePrefix = true) {
  return mapGithubIssue({ ...newIssue(12), ...more }, { titlePrefix, startedAt: START });
}

test.each([
  ["crash", true, "[GitHub #12] crash"],
  ["  crash ", true, "[GitHub #12] crash"],
  ["  crash ", false, "crash"],
  [" \t", true, "[GitHub #12] (untitled)"],
  ["", false, "(untitled GitHub issue #12)"],
  ["\u202e", false, "(untitled GitHub issue #12)"],
  ["a\u0000b\ud800", false, "a\ufffdb\ufffd"],
])("the GitHub title %j with the title prefix set to %j becomes %j", (title, prefix, to) => {
  expect(mapped({ title }, prefix).title).toBe(to);
});

test("a GitHub title that is too long is cut, and the body begins with the whole title", () => {
  const most = "x".repeat(1024 - "[GitHub #12] ".length);
  expect(mapped({ title: most })).toMatchObject({ title: `[GitHub #12] ${most}` });
  expect(mapped({ title: most }).body).toBe(mapped({}).body);
  const longer = mapped({ title: `${most}y`, body: "text" });
  expect(longer.title).toBe(`[GitHub #12] ${most}`);
  expect(longer.body.startsWith(`Full title: [GitHub #12] ${most}y\n\ntext\n---\n`)).toBe(true);
  expect(mapped({ title: "x".repeat(1024 * 1024) }).title).toHaveLength(1024);
});

const FOOT = "---\nImported from GitHub: https://github.com/ann/web/issues/12";

test.each([
  ["text", `text\n${FOOT}`],
  ["text\r\n\n", `text\n${FOOT}`],
  ["", FOOT],
  ["nul \u0000", `nul \ufffd\n${FOOT}`],
])("the GitHub body %j becomes %j, which ends with the issue's address", (body, to) => {
  expect(mapped({ body }).body).toBe(to);
});

test.each([
  ["closed", "completed", "done"],
  ["closed", "not_planned", "wontfix"],
  ["closed", "NOT_PLANNED", "wontfix"],
  ["closed", "duplicate", "duplicate"],
  ["closed", "something else", "done"],
  ["closed", undefined, "done"],
] as const)(
  "a GitHub issue with the state %s and the reason %s is closed as %s",
  (state, state_reason, reason) => {
    const item = mapped({ state, state_reason, closed_at: JULY, updated_at: JULY });
    expect(item).toMatchObject({ status: "closed", closed_reason: reason, closed_at: JULY });
  },
);

test("an open GitHub issue gets no close reason and no close time", () => {
  const item = mapped({ state: "open", state_reason: "reopened", closed_at: JUNE });
  expect(item.status).toBe("open");
  expect(item).not.toHaveProperty("closed_at");
  expect(item).not.toHaveProperty("closed_reason");
});

test.each([
  [undefined, JUNE, JUNE, JUNE],
  [MAY, undefined, MAY, MAY],
  [undefined, undefined, START, START],
  [JUNE, MAY, JUNE, JUNE],
])(
  "a GitHub issue created %s and updated %s gets the times %s and %s",
  (created_at, updated_at, created, updated) => {
    const item = mapped({ created_at, updated_at });
    expect(item).toMatchObject({ created_at: created, updated_at: updated });
  },
);

test.each([
  ["missing", undefined, JUNE],
  ["before the issue was created", "2025-04-30T10:00:00.000Z", JUNE],
  ["when it was created", MAY, MAY],
  ["later", LATER, LATER],
])(
  "a closed GitHub issue has a valid close time if the one on GitHub is %s",
  (_, closed_at, to) => {
    expect(mapped({ state: "closed", closed_at }).closed_at).toBe(to);
  },
);

test("a GitHub issue without a creation time gets one that is not after its close time", () => {
  const times = { created_at: undefined, updated_at: JULY, closed_at: JUNE };
  expect(mapped({ state: "closed", ...times })).toMatchObject({
    created_at: JUNE,
    closed_at: JUNE,
  });
});

test("a deleted GitHub account becomes github-ghost, and an issue without an assignee gets no owner", () => {
  const comments = [{ key: "comment-id:1", body: " ", author: undefined, created_at: undefined }];
  const item = mapped({ author: undefined, owner: undefined, comments });
  expect(item.author).toBe("github-ghost");
  expect(item).not.toHaveProperty("owner");
  expect(item.comments).toEqual([
    { external_id: "comment-id:1", author: "github-ghost", body: "(no content)", created_at: JUNE },
  ]);
  expect(mapped({ author: "unknown" }).author).toBe("unknown");
});

test("labels of GitHub are imported in svc's spelling, each once, and no more than an issue may have", () => {
  expect(mapped({ labels: ["Bug", "bug", "Good First Issue", "日本", "é!"] }).labels).toEqual([
    "bug",
    "good-first-issue",
    "e",
  ]);
  const many = Array.from({ length: 400 }, (_, at) => `label ${at}`);
  expect(mapped({ labels: many.slice(0, 200) }).labels).toHaveLength(200);
  expect(mapped({ labels: many }).labels).toHaveLength(200);
});
