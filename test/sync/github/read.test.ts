import { describe, expect, test } from "vitest";
import { faultOf, hosted, numbersOf, REPO, readRun, TOKEN, trustHost } from "./support.ts";

trustHost();

describe("validating a repository", () => {
  test("returns its identity, with the names as the host spells them", async () => {
    const { provider, place, bound, host } = await hosted();
    const identity = await provider.validate(
      { ...place, owner: "ANN", repo: "Tracker" },
      new AbortController().signal,
    );
    expect(identity).toEqual({
      source_key: `github:${bound.remote_id}`,
      remote_id: bound.remote_id,
      display_name: REPO,
      config: { host, owner: "ann", repo: "tracker", repo_id: bound.repo_id },
    });
  });

  test("fails for a repository that the credential may not read", async () => {
    const { provider, place } = await hosted();
    const { signal } = new AbortController();
    const fault = await faultOf(provider.validate({ ...place, repo: "other" }, signal));
    expect(fault).toMatchObject({
      kind: "repository_unavailable",
      message: "the host answered 404: Not Found",
    });
  });

  test.each([
    ["without node_id", { id: 1, full_name: "ann/tracker" }],
    ["without id", { node_id: "R_1", full_name: "ann/tracker" }],
    ["without full_name", { node_id: "R_1", id: 1 }],
    ["with a path as its name", { node_id: "R_1", id: 1, full_name: "ann/../tracker" }],
    ["with a control character in node_id", { node_id: "R_1\n", id: 1, full_name: "ann/tracker" }],
    ["that is a list", []],
  ])("fails for an answer %s", async (_what, row) => {
    const { provider, place, state } = await hosted();
    state.script({ match: "/repos/", body: JSON.stringify(row) });
    const fault = await faultOf(provider.validate(place, new AbortController().signal));
    expect(fault.kind).toBe("provider_decode");
  });
});

describe("a run of GitHub sync", () => {
  test("reads issues with their comments, and leaves out pull requests", async () => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO, {
      ...{ title: "Broken", body: "It is broken.", labels: ["bug", "P1"] },
      ...{ user: "cid", assignees: ["dan", "eve"] },
    });
    state.addIssue(REPO, { isPullRequest: true });
    state.tick(60_000);
    state.addIssue(REPO, {
      user: null,
      state: "closed",
      state_reason: "not_planned",
      closed_at: state.now(),
    });
    state.tick(60_000);
    const id = state.addComment(REPO, 1, { user: null, body: "me too" });
    const { issues } = await readRun(provider, bound);
    expect(issues).toEqual([
      {
        keys: ["issue-id:1004", "issue:I_1004", "issue-number:3"],
        number: 3,
        url: `https://${bound.host}/ann/tracker/issues/3`,
        ...{ title: "Issue 3", body: "", state: "closed", state_reason: "not_planned", labels: [] },
        ...{ owner: undefined, author: undefined, comments: [], parent: { kind: "none" } },
        created_at: "2026-01-01T00:01:00.000Z",
        updated_at: "2026-01-01T00:01:00.000Z",
        closed_at: "2026-01-01T00:01:00.000Z",
      },
      {
        keys: ["issue-id:1002", "issue:I_1002", "issue-number:1"],
        number: 1,
        url: `https://${bound.host}/ann/tracker/issues/1`,
        ...{ title: "Broken", body: "It is broken.", state: "open", state_reason: undefined },
        ...{ labels: ["bug", "P1"], owner: "dan", author: "cid", parent: { kind: "none" } },
        comments: [
          {
            key: `comment-id:${id}`,
            ...{ body: "me too", author: undefined, created_at: "2026-01-01T00:02:00.000Z" },
          },
        ],
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:02:00.000Z",
        closed_at: undefined,
      },
    ]);
  });

  test("first returns the repository and the time of the host, and last the links", async () => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO);
    const { batches } = await readRun(provider, bound);
    expect(batches.map(({ kind }) => kind)).toEqual(["repository", "issues", "links"]);
    expect(batches[0]).toMatchObject({ host_time: "2026-01-01T00:00:00.000Z" });
    expect(batches[2]).toEqual({ kind: "links", scan: "rows", links: [] });
  });

  test("needs two requests if nothing has changed", async () => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO);
    state.addComment(REPO, 1);
    const { issues } = await readRun(provider, bound, { since: "2026-01-01T00:00:01.000Z" });
    expect(issues).toEqual([]);
    expect(state.asked.map(({ url }) => url)).toEqual([
      "/api/v3/repos/ann/tracker",
      "/api/v3/repos/ann/tracker/issues?state=all&sort=updated&direction=asc&per_page=100&since=2026-01-01T00:00:01Z",
    ]);
  });

  test("sends the credential with each request", async () => {
    const { state, provider, bound } = await hosted();
    await readRun(provider, bound);
    expect(state.asked.every(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(
      true,
    );
  });

  test("reads 350 issues in pages, each once", async () => {
    const { state, provider, bound } = await hosted();
    for (let n = 0; n < 350; n++) {
      state.addIssue(REPO);
      state.tick(5000);
    }
    const { issues, progress } = await readRun(provider, bound);
    expect(numbersOf(issues)).toEqual(Array.from({ length: 350 }, (_none, at) => at + 1));
    expect(progress.at(-1)).toEqual({
      requests: 6,
      issues: 350,
      comments: 0,
      scanned: 0,
      waited_ms: 0,
    });
  });

  test("reads 350 issues that changed in the same second", async () => {
    const { state, provider, bound } = await hosted();
    for (let n = 0; n < 350; n++) state.addIssue(REPO);
    const { issues } = await readRun(provider, bound);
    expect(new Set(numbersOf(issues)).size).toBe(350);
    expect(issues).toHaveLength(350);
  });

  test("returns at most 40 issues at once", async () => {
    const { state, provider, bound } = await hosted();
    for (let n = 0; n < 81; n++) state.addIssue(REPO);
    const { batches } = await readRun(provider, bound);
    const sizes = batches.flatMap((batch) =>
      batch.kind === "issues" ? [batch.issues.length] : [],
    );
    expect(sizes).toEqual([40, 40, 1]);
  });

  test("returns fewer issues at once if they are large", async () => {
    const { state, provider, bound } = await hosted();
    for (let n = 0; n < 4; n++) state.addIssue(REPO, { body: "x".repeat(2 * 1024 * 1024) });
    const { batches } = await readRun(provider, bound);
    const sizes = batches.flatMap((batch) =>
      batch.kind === "issues" ? [batch.issues.length] : [],
    );
    expect(sizes).toEqual([2, 2]);
  });

  test("is interrupted when its signal is aborted", async () => {
    const stop = new AbortController();
    const { provider, bound } = await hosted({ before: () => () => stop.abort() });
    const fault = await faultOf(readRun(provider, bound, { signal: stop.signal }));
    expect(fault.kind).toBe("interrupted");
  });
});

describe("comments", () => {
  test("comments of one issue are read page by page, the oldest first", async () => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO);
    for (let n = 0; n < 250; n++) state.addComment(REPO, 1, { body: String(n) });
    const { issues } = await readRun(provider, bound);
    const bodies = issues[0]?.comments.map(({ body }) => Number(body));
    expect(bodies).toEqual(Array.from({ length: 250 }, (_none, at) => at));
  });

  test("comments are all read even if another one is deleted meanwhile", async () => {
    let isDone = false;
    const { state, provider, bound } = await hosted({
      before: (host) => (asked) => {
        if (isDone || !asked.url.includes("comments") || !asked.url.includes("page=2")) return;
        isDone = true;
        host.removeComment(REPO, 1, first);
      },
    });
    state.addIssue(REPO);
    const first = state.addComment(REPO, 1, { body: "0" });
    for (let n = 1; n < 150; n++) state.addComment(REPO, 1, { body: String(n) });
    const { issues } = await readRun(provider, bound);
    expect(isDone).toBe(true);
    const bodies = new Set(issues[0]?.comments.map(({ body }) => Number(body)));
    for (let n = 1; n < 150; n++) expect(bodies).toContain(n);
  });

  test("comments of a large repository are read a hundred at once, without those of pull requests", async () => {
    const { state, provider, bound } = await hosted();
    for (let n = 1; n <= 300; n++) {
      state.addIssue(REPO, { isPullRequest: n % 10 === 0 });
      for (let k = 0; k < 3; k++) state.addComment(REPO, n, { body: `${n}.${k}` });
      state.tick(5000);
    }
    const { issues, progress } = await readRun(provider, bound);
    expect(issues).toHaveLength(270);
    for (const { number, comments } of issues)
      expect(comments.map(({ body }) => body)).toEqual([0, 1, 2].map((k) => `${number}.${k}`));
    expect(progress.at(-1)?.requests).toBeLessThan(20);
  });

  test("comments of a large repository are read only as far as needed for the issues read so far", async () => {
    const { state, provider, bound } = await hosted();
    for (let n = 1; n <= 450; n++) {
      state.addIssue(REPO);
      for (let k = 0; k < 3; k++) state.addComment(REPO, n, { body: `${n}.${k}` });
      state.tick(5000);
    }
    await readRun(provider, bound);
    const lists = state.asked.map(({ url }) => /\/(issues|comments)\?.*sort=/.exec(url)?.[1]);
    const [, second] = lists.flatMap((list, at) => (list === "issues" ? [at] : []));
    // The first hundred issues have 300 comments, and a page begins a second before the last one ended.
    expect(lists.slice(0, second).filter((list) => list === "comments")).toHaveLength(4);
  });

  test("comments that are edited while they are read are returned once, with the new text", async () => {
    let isDone = false;
    const { state, provider, bound } = await hosted({
      before:
        (host) =>
        ({ url }) => {
          if (isDone || !url.includes("/issues/comments?") || !url.includes("since=")) return;
          isDone = true;
          const [comment] = host.issue(REPO, 1).comments;
          Object.assign(comment ?? {}, { body: "edited", updated_at: host.now() });
          host.version++;
        },
    });
    for (let n = 1; n <= 150; n++) {
      state.addIssue(REPO);
      for (const body of ["first", "second"]) state.addComment(REPO, n, { body });
      state.tick(5000);
    }
    // So the issue comes last, when its first comments have long been read.
    state.addComment(REPO, 1, { body: "third" });
    const { issues } = await readRun(provider, bound);
    const bodies = issues.find(({ number }) => number === 1)?.comments.map(({ body }) => body);
    expect(isDone).toBe(true);
    expect(bodies).toEqual(["edited", "second", "third"]);
  });

  test("comments are read issue by issue if most of them belong to pull requests", async () => {
    const { state, provider, bound } = await hosted();
    for (let n = 1; n <= 150; n++) state.addIssue(REPO, { isPullRequest: n > 2 });
    for (let k = 0; k < 1000; k++) state.addComment(REPO, 3);
    state.tick(5000);
    state.addComment(REPO, 1);
    const { issues } = await readRun(provider, bound);
    expect(issues.find(({ number }) => number === 1)?.comments).toHaveLength(1);
    const atOnce = state.asked.filter(({ url }) => url.includes("/issues/comments?"));
    expect(atOnce).toHaveLength(1);
  });

  test("a comment that is written after all comments were fetched at once is read too", async () => {
    const { state, provider, bound } = await hosted({
      before: (host) => (asked) => {
        if (asked.url.includes("/issues?") && asked.url.includes("since=") && !isDone) {
          isDone = true;
          host.addComment(REPO, 150, { body: "late" });
        }
      },
    });
    let isDone = false;
    for (let n = 1; n <= 150; n++) {
      state.addIssue(REPO);
      state.addComment(REPO, n, { body: "early" });
      state.tick(5000);
    }
    const { issues } = await readRun(provider, bound);
    const last = issues.filter(({ number }) => number === 150).at(-1);
    expect(last?.comments.map(({ body }) => body)).toEqual(["early", "late"]);
  });
});

describe("a repository that changes while it is read", () => {
  test("loses no issue when one moves from the first page to the last", async () => {
    let isDone = false;
    const { state, provider, bound } = await hosted({
      before: (host) => (asked) => {
        if (isDone || !asked.url.includes("since=")) return;
        isDone = true;
        host.editIssue(REPO, 1, { title: "changed" });
      },
    });
    for (let n = 0; n < 250; n++) {
      state.addIssue(REPO);
      state.tick(5000);
    }
    const { issues } = await readRun(provider, bound);
    expect(new Set(numbersOf(issues)).size).toBe(250);
    expect(issues.filter(({ number }) => number === 1).map(({ title }) => title)).toEqual([
      "Issue 1",
      "changed",
    ]);
  });

  test("loses no issue when some of those that changed in the same second change again", async () => {
    const pages: string[] = [];
    const { state, provider, bound } = await hosted({
      before: (host) => (asked) => {
        const [, page] = /[?&]page=(\d)/.exec(asked.url) ?? [];
        if (page === undefined || !asked.url.includes("/issues?")) return;
        pages.push(page);
        host.tick(2000);
        for (const n of [1, 2, 3]) host.editIssue(REPO, n + Number(page) * 3, { title: "changed" });
      },
    });
    for (let n = 0; n < 450; n++) state.addIssue(REPO);
    const { issues } = await readRun(provider, bound);
    expect(pages).toEqual(["2", "3", "4", "5"]);
    expect(new Set(numbersOf(issues)).size).toBe(450);
  });

  test("loses no issue when one is deleted", async () => {
    let isDone = false;
    const { state, provider, bound } = await hosted({
      before: (host) => (asked) => {
        if (isDone || !asked.url.includes("since=")) return;
        isDone = true;
        host.removeIssue(REPO, 1);
      },
    });
    for (let n = 0; n < 250; n++) {
      state.addIssue(REPO);
      state.tick(5000);
    }
    const { issues } = await readRun(provider, bound);
    expect(isDone).toBe(true);
    expect(new Set(numbersOf(issues)).size).toBe(250);
  });

  test.each([301, 404, 410])(
    "loses only the issue whose comments are answered with %i, since that issue is gone",
    async (status) => {
      const { state, provider, bound } = await hosted();
      for (let n = 1; n <= 3; n++) {
        state.addIssue(REPO);
        state.addComment(REPO, n);
      }
      const headers = { location: "https://evil.example/" };
      state.script({ match: "/issues/2/comments", status, headers });
      expect(numbersOf((await readRun(provider, bound)).issues)).toEqual([1, 3]);
    },
  );

  test("is not read for ever: changes after the start of a run are left for the next run", async () => {
    const { state, provider, bound } = await hosted({
      before: (host) => (asked) => {
        if (!asked.url.includes("/issues?")) return;
        host.tick(60_000);
        for (let number = 1; number <= 150; number++) host.editIssue(REPO, number, {});
      },
    });
    for (let n = 0; n < 150; n++) state.addIssue(REPO);
    await readRun(provider, bound);
    expect(state.asked.length).toBeLessThan(6);
  });
});

describe("a repository that was renamed or created again", () => {
  test("is found under its new name", async () => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO);
    state.rename(REPO, "ann/board");
    const { batches, issues } = await readRun(provider, bound);
    expect(batches[0]).toMatchObject({
      identity: { display_name: "ann/board", config: { owner: "ann", repo: "board" } },
    });
    expect(numbersOf(issues)).toEqual([1]);
    expect(state.asked.at(-1)?.url).toContain("/repos/ann/board/issues");
  });

  test("is refused under its old name if no binding knows its number", async () => {
    const { state, provider, place } = await hosted();
    state.rename(REPO, "ann/board");
    const fault = await faultOf(provider.validate(place, new AbortController().signal));
    expect(fault).toMatchObject({
      kind: "repository_unavailable",
      hint: "name the repository as it is called today",
    });
  });

  test("is not read if it is another repository with the same name", async () => {
    const { state, provider, bound } = await hosted();
    state.removeRepository(REPO);
    state.addRepository("ann", "tracker");
    state.addIssue(REPO);
    const fault = await faultOf(readRun(provider, bound));
    expect(fault.kind).toBe("repository_mismatch");
    expect(state.asked).toHaveLength(1);
  });
});

describe("parents", () => {
  const scanned = { parents: "scan" } as const;

  test("parents are taken from the rows of issues, with the keys of parents that were read too", async () => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO);
    state.addIssue(REPO, { parent: 1 });
    const { issues, scan } = await readRun(provider, bound);
    expect(issues.map(({ parent }) => parent)).toEqual([
      { kind: "none" },
      { kind: "issue", keys: issues[0]?.keys },
    ]);
    expect(scan).toBe("rows");
  });

  test("parents that were not read have only their number as key", async () => {
    const { state, provider, bound } = await hosted();
    state.addIssue(REPO);
    state.tick(60_000);
    state.addIssue(REPO, { parent: 1 });
    const { issues } = await readRun(provider, bound, { since: "2026-01-01T00:00:30.000Z" });
    expect(issues.map(({ parent }) => parent)).toEqual([
      { kind: "issue", keys: ["issue-number:1"] },
    ]);
  });

  test("parents in another repository are unknown", async () => {
    const { state, provider, bound } = await hosted();
    state.addRepository("bea", "other");
    state.addIssue("bea/other");
    state.addIssue(REPO, { parent: "bea/other#1" });
    for (const parents of ["rows", "scan"] as const) {
      const { issues } = await readRun(provider, bound, { parents });
      expect(issues[0]?.parent).toEqual({ kind: "unknown" });
    }
  });

  test("parents from a scan include those of issues that were not read", async () => {
    const { state, provider, bound } = await hosted();
    state.behave({ parents: "rows without" });
    for (let n = 0; n < 250; n++) state.addIssue(REPO, { isPullRequest: n === 7 });
    state.setParent(REPO, 3, 2);
    state.tick(60_000);
    state.editIssue(REPO, 1, { parent: 2 });
    const since = "2026-01-01T00:00:30.000Z";
    const { issues, links, scan, progress } = await readRun(provider, bound, { ...scanned, since });
    expect(scan).toBe("complete");
    expect(issues.map(({ parent }) => parent)).toEqual([
      { kind: "issue", keys: ["issue-id:1003", "issue:I_1003", "issue-number:2"] },
    ]);
    expect(links).toHaveLength(248);
    expect(links.find(({ number }) => number === 3)?.parent).toEqual(issues[0]?.parent);
    expect(links.find(({ number }) => number === 4)?.parent).toEqual({ kind: "none" });
    expect(progress.at(-1)?.scanned).toBe(249);
  });

  test("parents that the rows leave out are unknown without a scan", async () => {
    const { state, provider, bound } = await hosted();
    state.behave({ parents: "rows without" });
    state.addIssue(REPO);
    const { issues } = await readRun(provider, bound);
    expect(issues[0]?.parent).toEqual({ kind: "unknown" });
  });

  test("a host without parent fields is asked for parents at most once an hour", async () => {
    const { state, provider, bound, clock } = await hosted();
    state.behave({ parents: "no fields" });
    state.addIssue(REPO);
    const queries = (): number => state.asked.filter(({ method }) => method === "POST").length;
    for (const [wait, asked] of [
      [0, 1],
      [0, 1],
      [3_599_999, 1],
      [1, 2],
    ] as const) {
      clock.advance(wait);
      const run = await readRun(provider, bound, scanned);
      expect(run.scan).toBe("unsupported");
      expect(run.issues[0]?.parent).toEqual({ kind: "unknown" });
      expect(queries()).toBe(asked);
    }
  });

  test.each([
    ["other errors", { errors: [{ message: "Something went wrong" }] }],
    [
      "an unknown field of another name",
      { errors: [{ message: "Field 'title' doesn't exist on type 'Issue'" }] },
    ],
    [
      "an unknown parent beside another error",
      {
        errors: [
          { message: "Field 'parent' doesn't exist on type 'Issue'" },
          { message: "Something went wrong" },
        ],
      },
    ],
    ["no list", { data: { repository: null } }],
    ["an issue without its id", answerOf([{ id: "I_1", number: 1, parent: null }])],
    ["an issue without its parent", answerOf([{ id: "I_1", number: 1, fullDatabaseId: "1" }])],
    ["no way to the next page", answerOf([], { hasNextPage: true, endCursor: null })],
  ])("a scan of parents with %s ends the run", async (_what, body) => {
    const { state, provider, bound } = await hosted();
    state.script({ match: "graphql", body: JSON.stringify(body) });
    const fault = await faultOf(readRun(provider, bound, scanned));
    expect(fault.kind).toBe("parent_scan");
  });

  test("a scan of parents whose pages lead in a circle ends the run", async () => {
    const { state, provider, bound } = await hosted();
    const page = answerOf([], { hasNextPage: true, endCursor: "c1" });
    state.script({ match: "graphql", times: 2, body: JSON.stringify(page) });
    expect((await faultOf(readRun(provider, bound, scanned))).kind).toBe("parent_scan");
  });

  test.each([
    [{ message: "Field 'parent' doesn't exist on type 'Issue'" }],
    [{ message: 'Cannot query field "parent" on type "Issue".' }],
    [{ message: "x", extensions: { code: "undefinedField", fieldName: "fullDatabaseId" } }],
  ])("parents count as unsupported if the host answers with the error %j", async (error) => {
    const { state, provider, bound } = await hosted();
    state.script({ match: "graphql", body: JSON.stringify({ errors: [error] }) });
    expect((await readRun(provider, bound, scanned)).scan).toBe("unsupported");
  });
});

function answerOf(nodes: readonly object[], pageInfo: object = { hasNextPage: false }): object {
  return { data: { repository: { issues: { nodes, pageInfo } } } };
}
