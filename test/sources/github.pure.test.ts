import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GITHUB, readGithub } from "../../src/sources/github/read.ts";
import { mapSource } from "../../src/sources/neutral/map.ts";
import { reportAccount } from "../../src/sources/neutral/report.ts";

const SMALL = readFileSync(join(import.meta.dirname, "fixtures/github-small.json"), "utf8");

async function mapText(text: string) {
  const file = mapSource(GITHUB, await readGithub(text), GITHUB.mapping);
  return { ...file, items: [...file.items] };
}

function issue(fields: object = {}): object {
  return {
    number: 1,
    title: "T",
    body: "",
    state: "OPEN",
    labels: [],
    assignees: [],
    author: { login: "ann" },
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-02T00:00:00Z",
    closedAt: null,
    milestone: null,
    url: "https://github.com/acme/web/issues/1",
    ...fields,
  };
}

function restIssue(fields: object = {}): object {
  return {
    url: "https://api.github.com/repos/acme/web/issues/1",
    html_url: "https://github.com/acme/web/issues/1",
    repository_url: "https://api.github.com/repos/acme/web",
    id: 99,
    node_id: "I_1",
    number: 1,
    title: "T",
    user: { login: "ann", id: 1, type: "User" },
    labels: [{ id: 1, name: "bug", color: "d73a4a", default: true }],
    state: "closed",
    state_reason: "duplicate",
    locked: false,
    assignee: { login: "bea" },
    assignees: [{ login: "bea" }],
    milestone: null,
    comments: 4,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-03T00:00:00Z",
    closed_at: "2026-01-02T00:00:00Z",
    type: { id: 1, name: "Task" },
    parent_issue_url: "https://api.github.com/repos/acme/web/issues/7",
    sub_issues_summary: { total: 0, completed: 0, percent_completed: 0 },
    body: null,
    ...fields,
  };
}

async function mapOne(fields: object) {
  const { items } = await mapText(JSON.stringify(fields));
  const [item] = items;
  if (item === undefined) throw new Error("the issue was left out");
  return item;
}

describe("issues of gh", () => {
  test("keep their text, people, labels, comments and the other fields of GitHub", async () => {
    const { items } = await mapText(SMALL);
    expect(items.find(({ external_id }) => external_id === "gh-12")).toEqual({
      external_id: "gh-12",
      title: "Login hangs",
      body: "It hangs.\r\n\r\nSee #3.",
      author: "ann",
      owner: "bea",
      status: "open",
      created_at: "2026-02-01T09:00:00.000Z",
      updated_at: "2026-02-03T10:00:00.000Z",
      labels: ["good-first-issue", "milestone:v1.0-beta", "type:bug", "ui"],
      metadata: {
        "github.number": 12,
        "github.url": "https://github.com/acme/Web/issues/12",
        "github.assignees": ["bea", "cid"],
        "github.labels": ["Good First Issue", "ui"],
        "github.milestone": {
          number: 2,
          title: "v1.0 Beta",
          description: "",
          dueOn: "2026-06-01T00:00:00Z",
        },
        "github.isPinned": true,
        "github.projectItems": [{ status: { optionId: "1", name: "Doing" }, title: "Roadmap" }],
        "github.blockedBy": {
          nodes: [
            { number: 3, url: "https://github.com/acme/Web/issues/3" },
            { number: 9, url: "https://github.com/acme/api/issues/9" },
          ],
          totalCount: 2,
        },
      },
      links: [{ type: "blocks", target_external_id: "gh-3", incoming: true, author: "unknown" }],
      comments: [
        {
          external_id: "gh-12/IC_1",
          author: "cid",
          body: "Since when?",
          created_at: "2026-02-02T10:00:00.000Z",
        },
        {
          external_id: "gh-12/IC_2",
          author: "unknown",
          body: "Since Monday.",
          created_at: "2026-02-03T10:00:00.000Z",
        },
      ],
    });
  });

  test("belong to their repository, and a link that both ends state is one link", async () => {
    const { items, source, account } = await mapText(SMALL);
    expect(source).toBe("github:acme/web");
    expect(items.find(({ external_id }) => external_id === "gh-3")).toMatchObject({
      status: "closed",
      closed_reason: "wontfix",
      author: "app/dependabot",
      links: [{ type: "parent", target_external_id: "gh-2" }],
    });
    expect(account().links).toEqual({ parent: 1, blocks: 1, related: 0 });
    const report = reportAccount(account()).replace(/\s+/g, " ");
    expect(report).toContain("it names issues of other repositories");
    for (const { name, read, outcomes } of account().fields)
      expect([name, outcomes.reduce((sum, { count }) => sum + count, 0)]).toEqual([name, read]);
  });

  test.each([
    ["CLOSED", "COMPLETED", "closed", "done"],
    ["CLOSED", "NOT_PLANNED", "closed", "wontfix"],
    ["CLOSED", "DUPLICATE", "closed", "duplicate"],
    ["CLOSED", "", "closed", "done"],
    ["OPEN", "REOPENED", "open", undefined],
  ])(
    "issues with state %s and reason %j become %s as %s",
    async (state, stateReason, status, reason) => {
      const item = await mapOne(issue({ state, stateReason }));
      expect([item.status, item.closed_reason]).toEqual([status, reason]);
    },
  );

  test("issues without comments or links in the export keep those that svc has", async () => {
    const item = await mapOne(issue());
    expect(item).not.toHaveProperty("comments");
    expect(item).not.toHaveProperty("links");
    expect(await mapOne(issue({ comments: [], parent: null }))).toMatchObject({ comments: [] });
  });

  test("report what each field of today's gh became, including lists that gh cut", async () => {
    const two = {
      number: 2,
      title: "B",
      url: "https://github.com/acme/web/issues/2",
      state: "OPEN",
    };
    const fields = issue({
      ...{ id: "I_1", closed: false, stateReason: "", isPinned: false, comments: [] },
      ...{ issueType: { id: "IT_1", name: "Bug", description: "", color: "RED" }, parent: two },
      subIssues: { nodes: [{ ...two, number: 3, url: two.url.replace("2", "3") }], totalCount: 60 },
      subIssuesSummary: { total: 60, completed: 0, percentCompleted: 0 },
      ...{ blockedBy: { nodes: [two], totalCount: 1 }, blocking: { nodes: [], totalCount: 0 } },
      closedByPullRequestsReferences: [{ number: 9, url: "https://github.com/acme/web/pull/9" }],
      ...{ projectCards: [], projectItems: [{ status: { name: "Doing" }, title: "Roadmap" }] },
      reactionGroups: [{ content: "THUMBS_UP", users: { totalCount: 2 } }],
    });
    const { items, account } = await mapText(JSON.stringify([fields]));
    expect(Object.keys(items[0]?.metadata ?? {}).map((key) => key.replace("github.", ""))).toEqual(
      expect.arrayContaining([
        ...["closedByPullRequestsReferences", "projectItems", "reactionGroups", "subIssues"],
        ...["id", "number", "url"],
      ]),
    );
    expect(items[0]?.links).toEqual([
      { type: "parent", target_external_id: "gh-2", author: "unknown" },
      { type: "blocks", target_external_id: "gh-2", incoming: true, author: "unknown" },
    ]);
    expect(reportAccount(account()).replace(/\s+/g, " ")).toContain(
      "subIssues 1 metadata github.subIssues: gh wrote a part of the list only",
    );
  });

  test("issues of a repository with a very long name have a source name of their own", async () => {
    const repository = `${"o".repeat(39)}/${"r".repeat(90)}`;
    const names = ["1", "2"].map(async (end) => {
      const url = `https://github.com/${repository}${end}/issues/1`;
      return (await mapText(JSON.stringify(issue({ url })))).source;
    });
    const [first = "", second] = await Promise.all(names);
    expect(first).not.toBe(second);
    expect(first.length).toBeLessThanOrEqual(64);
  });
});

describe("issues of the REST interface", () => {
  test("are imported without pull requests, from several lists", async () => {
    const pull = restIssue({ number: 2, pull_request: { url: "x" } });
    const { items, account } = await mapText(
      `${JSON.stringify([restIssue(), pull])}\n${JSON.stringify([restIssue({ number: 5, html_url: "https://github.com/acme/web/issues/5" })])}`,
    );
    expect(items.map(({ external_id }) => external_id)).toEqual(["gh-1", "gh-5"]);
    expect(account().other_records).toEqual({ "pull request": 1 });
    expect(items[0]).toEqual({
      external_id: "gh-1",
      title: "T",
      body: "",
      author: "ann",
      owner: "bea",
      status: "closed",
      closed_reason: "duplicate",
      closed_at: "2026-01-02T00:00:00.000Z",
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-03T00:00:00.000Z",
      labels: ["bug", "type:task"],
      metadata: {
        "github.number": 1,
        "github.id": 99,
        "github.html_url": "https://github.com/acme/web/issues/1",
      },
      links: [{ type: "parent", target_external_id: "gh-7", author: "unknown" }],
    });
  });
});

describe("a file without issues of GitHub", () => {
  test.each<[string, object, string]>([
    [
      "lacks fields",
      { number: 1, title: "T" },
      "line 1: an issue without body, state, labels, assignees, author, createdAt, updatedAt, closedAt, milestone, url",
    ],
    [
      "has no address",
      issue({ url: "somewhere" }),
      "line 1: issue 1: url is no address of an issue",
    ],
    [
      "has no time",
      issue({ updatedAt: "now" }),
      "line 1: issue 1 was created or updated at no instant",
    ],
    ["has a wrong list", issue({ labels: "bug" }), "line 1: issue 1: labels is no list"],
    ["has wrong comments", issue({ comments: ["hi"] }), "line 1: issue 1: a comment is no object"],
    [
      "is of Taskwarrior",
      { uuid: "1", description: "a", entry: "20260101T000000Z" },
      "line 1: this looks like taskwarrior, not like github",
    ],
    [
      "is an export of svc",
      { kind: "issue", data: {} },
      "line 1: this looks like svc, not like github",
    ],
  ])("is refused with line and remedy: it %s", async (_name, fields, message) => {
    const refusal: unknown = await readGithub(JSON.stringify([fields])).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ code: "validation", hint: expect.any(String) as string });
    expect((refusal as Error).message).toBe(`${message}; nothing was written`);
  });

  test("is refused if it mixes repositories", async () => {
    const other = issue({ url: "https://github.com/acme/api/issues/1" });
    await expect(
      readGithub(`${JSON.stringify(issue())}\n${JSON.stringify(other)}`),
    ).rejects.toMatchObject({
      message: "line 2: the file has issues of acme/web and of acme/api; nothing was written",
      hint: "import one repository at a time",
    });
  });
});
