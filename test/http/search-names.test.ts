import { expect, test } from "vitest";
import { closeIssue } from "../../src/contract/actions.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const AT = "2026-01-01T00:00:00.000Z";

describeStore("search for an identifier of an issue", (open) => {
  test("puts the issue first for its ids, its external id and the commit that closed it", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    const issue = await w.given.issue({ project, title: "Falcon lands" });
    const item = { author: "ann", status: "open", created_at: AT, updated_at: AT } as const;
    await w.call(importIssues, {
      params: project.path,
      body: {
        source: "beads",
        items: [{ ...item, external_id: "bd-077e", title: "From elsewhere" }],
      },
    });
    const sha = "0123456789abcdef0123456789abcdef01234567";
    await w.call(closeIssue, {
      params: issue.path,
      body: {
        reason: "done",
        message: "The falcon lands on its feet now, and stays there.",
        evidence: [{ type: "commit", sha }],
      },
    });
    await w.given.issue({ project, title: `mentions ${issue.short_id}, bd-077e and ${sha}` });
    const first = async (q: string, query = {}) => {
      const { results } = await w.call(searchIssues, {
        params: project.path,
        query: { q, ...query },
      });
      return [results[0]?.issue.title, results[0]?.matched];
    };
    const id = ["Falcon lands", "id"];
    for (const q of [issue.short_id, `#${issue.short_id}`, `web#${issue.short_id}`, issue.uid])
      expect(await first(q)).toEqual(id);
    for (const q of [sha, sha.slice(0, 7), sha.toUpperCase()]) expect(await first(q)).toEqual(id);
    for (const q of ["bd-077e", "BD-077E", "077e", "is bd-077e done?"])
      expect(await first(q)).toEqual(["From elsewhere", "id"]);
    expect((await first(`shop#${issue.short_id}`))[1]).not.toBe("id");
    expect((await first(issue.short_id, { label: ["absent"] }))[0]).toBeUndefined();
  });
});
