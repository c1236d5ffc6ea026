import { expect, test } from "vitest";
import { showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

interface Query {
  readonly comment?: string;
  readonly comments_before?: string;
  readonly comments_limit?: number;
  readonly max_bytes?: number;
}

describeStore("comments of an issue, page by page", (open) => {
  /** An issue with these many comments, of which pairs have the same time. */
  async function commented(count: number) {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const uids: string[] = [];
    for (let n = 0; n < count; n++) {
      if (n % 2 === 0) w.clock.advance(1000);
      const { comment } = await w.given.comment({ on: issue, body: `comment ${n}` });
      uids.push(comment.uid);
    }
    w.clock.advance(1000);
    const at = w.clock.now();
    const show = async (query: Query) => await w.call(showIssue, { params: issue.path, query });
    const ways = [
      show,
      async (query: Query) => await w.call(showIssueByUID, { params: { uid: issue.uid }, query }),
      async (query: Query) =>
        await w.call(showIssue, { params: issue.path, query: { ...query, at } }),
    ];
    return { w, issue, uids, show, ways };
  }

  test("all comments are shown without paging, and pages go from the newest comments to the oldest", async () => {
    const { uids, ways } = await commented(7);
    for (const show of ways) {
      const whole = await show({});
      expect(whole.comments.map(({ uid }) => uid)).toEqual(uids);
      expect(whole).not.toHaveProperty("comment_count");
      expect(whole).not.toHaveProperty("older_comment_count");
      const pages: string[][] = [];
      const older: (number | undefined)[] = [];
      for (let before: string | undefined; ; ) {
        const page = await show({
          comments_limit: 3,
          ...(before === undefined ? {} : { comments_before: before }),
        });
        pages.push(page.comments.map(({ uid }) => uid));
        older.push(page.older_comment_count);
        expect(page.comment_count).toBe(7);
        if (page.older_comment_count === 0) break;
        before = page.comments[0]?.uid;
      }
      expect(pages).toEqual([uids.slice(4), uids.slice(1, 4), uids.slice(0, 1)]);
      expect(older).toEqual([4, 1, 0]);
    }
  });

  test("a single comment can be requested by its uid in any letter case", async () => {
    const { uids, ways } = await commented(4);
    const [, second = ""] = uids;
    for (const show of ways)
      for (const comment of [second, second.toLowerCase()])
        expect(await show({ comment, comments_limit: 0 })).toMatchObject({
          comments: [{ uid: second }],
          comment_count: 4,
          older_comment_count: 1,
        });
  });

  test("no comments are returned if none are requested, and all of them if there are fewer than requested", async () => {
    const { uids, ways } = await commented(3);
    for (const show of ways) {
      expect(await show({ comments_limit: 0 })).toMatchObject({
        comments: [],
        comment_count: 3,
        older_comment_count: 3,
      });
      const all = await show({ comments_limit: 100 });
      expect(all.comments).toHaveLength(3);
      expect(all.older_comment_count).toBe(0);
      const [first = ""] = uids;
      expect(await show({ comments_before: first })).toMatchObject({
        comments: [],
        comment_count: 3,
        older_comment_count: 0,
      });
    }
  });

  test("a request for comments is refused if it names one that does not belong to the issue", async () => {
    const { w, issue } = await commented(1);
    const { comment } = await w.given.comment({ on: await w.given.issue({ title: "other" }) });
    for (const field of ["comment", "comments_before"])
      for (const uid of [comment.uid, "x", ""])
        for (const at of [{}, { at: w.clock.now() }]) {
          const query = { [field]: uid, ...at };
          expect(await w.refused(showIssue, { params: issue.path, query })).toMatchObject({
            code: "validation",
            message: `${field}: the issue has no comment ${JSON.stringify(uid)}`,
          });
        }
  });

  test("comments are still counted when the size limit of the answer cuts them", async () => {
    const { uids, ways } = await commented(40);
    for (const show of ways)
      for (const max_bytes of [1, 2000, 3000, 5000]) {
        const whole = await show({ max_bytes });
        expect(whole).toMatchObject({ truncated: true, comment_count: 40 });
        const kept = whole.comments.length;
        expect(whole.comments.map(({ uid }) => uid)).toEqual(uids.slice(40 - kept));
        const page = await show({ max_bytes, comments_limit: 30, comments_before: uids[35] ?? "" });
        const shown = page.comments.map(({ uid }) => uid);
        expect(shown).toEqual(uids.slice(35 - shown.length, 35));
        expect(page).toMatchObject({
          comment_count: 40,
          older_comment_count: 35 - shown.length,
        });
      }
  });

  test("comments with the same time are sorted by uid, in whatever order they arrived", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const at = w.clock.now();
    const uids = ["C", "A", "D", "B"].map((letter) => `01J0000000000000000000000${letter}`);
    await w.store.write(async (tx) => {
      for (const uid of uids) {
        const payload = { comment_uid: uid, author: "ann", body: uid, created_at: at };
        const about = { project_uid: issue.project_uid ?? "", issue_uid: issue.uid };
        await tx.append({ type: "issue.commented", actor: "ann", ...about, payload });
      }
    });
    const sorted = uids.toSorted();
    w.clock.advance(1000);
    for (const query of [{}, { at: w.clock.now() }]) {
      const show = async (asked: Query) =>
        (
          await w.call(showIssue, { params: issue.path, query: { ...query, ...asked } })
        ).comments.map(({ uid }) => uid);
      expect(await show({})).toEqual(sorted);
      expect(await show({ comments_limit: 2 })).toEqual(sorted.slice(2));
      expect(await show({ comments_limit: 2, comments_before: sorted[2] ?? "" })).toEqual(
        sorted.slice(0, 2),
      );
    }
  });
});
