import { expect, test } from "vitest";
import { editIssue, showIssue } from "../../../src/contract/issues.ts";
import { createLink } from "../../../src/contract/links.ts";
import { created } from "../../store/drafts.ts";
import { BEGIN_MS, ForeignEvents } from "../../store/foreign-events.ts";
import { makeHub } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { world } from "../../support/world.ts";

describeStore("a short id that an issue of a copy and one of the hub both got", (open) => {
  test("names neither of the two issues, while their uids and longer short ids name them as before", async () => {
    const w = await world({ store: open });
    const own = await w.given.issue({ title: "made here" });
    const other = await w.given.issue({ title: "another" });
    const project_uid = own.project_uid ?? "";
    await makeHub(w, { uid: project_uid }, { role: "spoke", hub_url: "https://hub.example" });
    const short = own.short_id;
    const uid = `01J${"0".repeat(23 - short.length - 1)}Z${short.toUpperCase()}`;
    const draft = created(project_uid, uid, { short_id: short, title: "of the hub" });
    const event = new ForeignEvents().next(draft, { hlc_physical_ms: BEGIN_MS, hub_event_id: 7 });
    await w.store.write(async (tx) => await tx.admit([event], { fromHub: true }));

    const path = { ...own.path, ref: short };
    const refused = [
      await w.refused(showIssue, { params: path }),
      await w.refused(showIssue, { params: path, query: { at: w.clock.now() } }),
      await w.refused(editIssue, { params: path, body: { title: "wrong one" } }),
      await w.refused(createLink, {
        params: other.path,
        body: { type: "blocks", to_ref: short },
      }),
    ];
    for (const { code, data } of refused)
      expect({ code, data }).toMatchObject({
        code: "prefix_ambiguous",
        data: { candidates: [{ uid, short_id: short }, { uid: own.uid }] },
      });
    const mine = await w.call(showIssue, { params: own.path });
    expect(mine.issue.short_id.length).toBeGreaterThan(short.length);
    const byLonger = { ...own.path, ref: mine.issue.short_id };
    expect((await w.call(showIssue, { params: byLonger })).issue.title).toBe("made here");
    const byUid = await w.call(showIssue, { params: { ...own.path, ref: uid } });
    expect(byUid.issue.title).toBe("of the hub");
    const others = await w.call(showIssue, { params: { ...own.path, ref: other.short_id } });
    expect(others.issue.title).toBe("another");
  });
});
