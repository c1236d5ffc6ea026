import { describe, expect, test } from "vitest";
import { faultByDescription } from "../host/described.ts";
import { hosted, REPO, readRun, trustHost } from "./support.ts";

trustHost();

/** Every kind of row that the host of the tests gives. */
async function everyRow() {
  const answers: { readonly url: string; readonly status: number; readonly body: unknown }[] = [];
  const host = await hosted({
    onAnswer: (asked, status, body) => answers.push({ ...asked, status, body }),
  });
  const { state } = host;
  state.addRepository("bea", "other");
  state.addIssue("bea/other");
  for (let number = 1; number <= 150; number++)
    state.addIssue(REPO, { isPullRequest: number === 9 });
  state.editIssue(REPO, 1, {
    ...{ user: null, assignees: ["ann", "bea"], labels: ["bug"], body: "text", parent: 2 },
    ...{ state: "closed", state_reason: "completed", closed_at: state.now() },
  });
  state.setParent(REPO, 3, "bea/other#1");
  for (let n = 0; n < 150; n++) state.addComment(REPO, 4, { user: n === 0 ? null : "ann" });
  state.addComment(REPO, 9);
  return { ...host, answers };
}

describe("the simulated GitHub host", () => {
  test("gets requests and gives answers that match GitHub's description of its interface", async () => {
    const { provider, bound, answers } = await everyRow();
    await readRun(provider, bound);
    const rest = answers.filter(({ url }) => !url.includes("graphql"));
    expect(rest.length).toBeGreaterThan(5);
    for (const { status, body, ...asked } of rest)
      expect([asked.url, faultByDescription(asked as never, status, body)]).toEqual([
        asked.url,
        undefined,
      ]);
  });
});

describe("the check against GitHub's description", () => {
  const asked = (url: string) => ({
    method: "GET",
    url: `/api/v3/repos/ann/tracker${url}`,
    body: "",
  });

  test("refuses a row without a field, or with one of another type", async () => {
    const { provider, bound, answers } = await everyRow();
    await readRun(provider, bound);
    const { body } = answers.find(({ url }) => url.includes("/issues?")) ?? {};
    const [row] = body as readonly Record<string, unknown>[];
    expect(faultByDescription(asked("/issues"), 200, [row])).toBeUndefined();
    for (const [field, value] of [
      ["labels", undefined],
      ["number", "1"],
      ["state", 1],
      ["user", {}],
    ])
      expect(
        faultByDescription(asked("/issues"), 200, [{ ...row, [String(field)]: value }]),
      ).toContain(field);
  });

  test.each([
    ["/issues?stat=all", "no parameter stat"],
    ["/issues?sort=title", "sort"],
    ["/issues/1/comment", "no route"],
    ["/issues/comments?direction=up", "direction"],
  ])("refuses the request %s", (url, why) => {
    expect(faultByDescription(asked(url), 200, [])).toContain(why);
  });
});
