import { expect, test } from "vitest";
import { pollEvents } from "../../src/contract/activity.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

describeStore("an id of another tracker", (open) => {
  test("finds the imported issue, from the issue's own project and from others", async () => {
    const { w, web, bring } = await importer();
    const short_id = await bring("beads", "bd-077e.1");
    const { issue } = await w.call(showIssue, { params: { ...web, ref: "bd-077e.1" } });
    expect(issue.short_id).toBe(short_id);
    const other = await w.given.issue({ title: "another" });
    const body = { links_delta: { add_blocked_by: ["bd-077e.1"] } };
    const edited = await w.call(editIssue, { params: { ...web, ref: other.short_id }, body });
    expect(edited.changed).toBe(true);
    const shop = await w.given.project("shop");
    const missing = { params: { ...shop.path, ref: "bd-077e.1" } };
    expect(await w.refused(showIssue, missing)).toMatchObject({ code: "issue_not_found" });
    const far = { params: { ...shop.path, ref: "bd-077e.2" } };
    expect(await w.refused(showIssue, far)).toMatchObject({ code: "issue_not_found" });
  });

  test("has lower precedence than an equal short id, and is ambiguous if two trackers have it", async () => {
    const { w, web, bring } = await importer();
    const short_id = await bring("beads", "bd-1");
    await bring("beads", short_id);
    const { issue } = await w.call(showIssue, { params: { ...web, ref: short_id } });
    expect(issue.short_id).toBe(short_id);
    await bring("linear", "bd-1");
    const refused = await w.refused(showIssue, { params: { ...web, ref: "bd-1" } });
    expect(refused).toMatchObject({
      code: "issue_not_found",
      message: "bd-1 names an issue of beads and linear each",
    });
  });

  test("is accepted in any letter case, and as #number if the tracker has one kind of id", async () => {
    const { w, web, bring } = await importer();
    const short_id = await bring("github:acme/web", "gh-12");
    await bring("plan:p", "12");
    for (const ref of ["GH-12", "#12", "web#gh-12"]) {
      const { issue } = await w.call(showIssue, { params: { ...web, ref } });
      expect([ref, issue.short_id]).toEqual([ref, short_id]);
    }
    for (const ref of ["12", "#1", "#gh-12"]) {
      const refused = await w.refused(showIssue, { params: { ...web, ref } });
      expect([ref, refused.code]).toEqual([ref, "issue_not_found"]);
    }
    await bring("github:acme/api", "gh-12");
    const refused = await w.refused(showIssue, { params: { ...web, ref: "#12" } });
    expect(refused).toMatchObject({
      message: "#12 names an issue of github:acme/api and github:acme/web each",
    });
  });

  test("finds the events and the history of the issue", async () => {
    const { w, web, bring } = await importer();
    const short_id = await bring("beads", "bd-7");
    const past = { params: { ...web, ref: "bd-7" }, query: { at: w.clock.now() } };
    expect((await w.call(showIssue, past)).issue.short_id).toBe(short_id);
    for (const issue of ["bd-7", "web#bd-7"]) {
      const query = { project_id: [web.project_id], issue: [issue] };
      const { events } = await w.call(pollEvents, { query });
      expect(events.map(({ type }) => type)).toContain("issue.created");
    }
    const everywhere = await w.call(pollEvents, { query: { issue: ["web#bd-7"] } });
    expect(everywhere.events.map(({ type }) => type)).toContain("issue.created");
    const query = { issue: ["bd-7"] };
    expect(await w.refused(pollEvents, { query })).toMatchObject({ code: "issue_not_found" });
  });

  test("is mentioned by svc show if it equals a short id, and is refused with candidates if two sources have it", async () => {
    const { w, web, bring } = await importer();
    const short_id = await bring("beads", "bd-1");
    const other = await bring("beads", short_id);
    const shown = await w.call(showIssue, { params: { ...web, ref: short_id } });
    expect(shown.namesakes).toEqual([{ qualified_id: `web#${other}`, source: "beads" }]);
    expect((await w.call(showIssue, { params: { ...web, ref: other } })).namesakes).toBeUndefined();
    const third = await bring("linear", "bd-1");
    const candidates = [
      { qualified_id: `web#${short_id}`, source: "beads" },
      { qualified_id: `web#${third}`, source: "linear" },
    ];
    expect(await w.refused(showIssue, { params: { ...web, ref: "bd-1" } })).toMatchObject({
      data: { candidates },
      hint: `use web#${short_id} (beads) or web#${third} (linear)`,
    });
  });

  test("that is a UUID is found by its first eight digits, unless two ids begin with them", async () => {
    const { w, web, bring } = await importer();
    const uuid = (start: string, end: number) => `${start}-2f4a-4c6b-8d0e-${`${end}`.repeat(12)}`;
    const short_id = await bring("taskwarrior", uuid("5b7d9c1e", 1));
    const digits = await bring("taskwarrior", uuid("12345678", 1));
    await bring("beads", "5b7d9c1e-not-a-uuid");
    for (const [ref, found] of [
      ...[["5b7d9c1e", short_id] as const, ["web#5B7D9C1E", short_id] as const],
      ...[["12345678", digits] as const, ["web#12345678", digits] as const],
    ]) {
      const { issue } = await w.call(showIssue, { params: { ...web, ref } });
      expect([ref, issue.short_id]).toEqual([ref, found]);
    }
    const { results } = await w.call(searchIssues, { params: web, query: { q: "see 5b7d9c1e" } });
    expect(results[0]?.issue.short_id).toBe(short_id);
    for (const ref of ["5b7d9c1", "5b7d9c10", "5b7d9c1e2"]) {
      const refused = await w.refused(showIssue, { params: { ...web, ref } });
      expect([ref, refused.code]).toEqual([ref, "issue_not_found"]);
    }
    const other = await bring("taskwarrior", uuid("5b7d9c1e", 2));
    expect(await w.refused(showIssue, { params: { ...web, ref: "5b7d9c1e" } })).toMatchObject({
      message: "5b7d9c1e names several issues of taskwarrior",
      hint: `use web#${short_id} (taskwarrior) or web#${other} (taskwarrior)`,
    });
  });

  async function importer() {
    const w = await world({ store: open });
    const { path: web } = await w.given.project("web");
    const bring = async (source: string, external_id: string) => {
      const times = { created_at: "2025-05-01T10:00:00Z", updated_at: "2025-05-01T10:00:00Z" };
      const item = { external_id, title: external_id, author: "ann", status: "open" as const };
      const body = { source, items: [{ ...item, ...times }] };
      const { items } = await w.call(importIssues, { params: web, body });
      return items[0]?.issue_short_id ?? "";
    };
    return { w, web, bring };
  }
});
