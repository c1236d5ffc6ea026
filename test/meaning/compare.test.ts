import { expect, test } from "vitest";
import { differencesOf } from "../../src/meaning/compare.ts";
import type { ContentMark } from "../../src/store/types/contents.ts";
import type { IndexedIssue } from "../../src/store/types/vectors.ts";

function mark(id: number, own: Partial<ContentMark> = {}): ContentMark {
  return { id, uid: `uid ${id}`, project_uid: "board", content_revision: 1, ...own };
}

function stamp(id: number, own: Partial<IndexedIssue> = {}): IndexedIssue {
  return {
    issue_id: id,
    issue_uid: `uid ${id}`,
    project_uid: "board",
    content_revision: 1,
    text_hash: `hash ${id}`,
    state: "done",
    reason: null,
    chunk_count: 1,
    ...own,
  };
}

test("an issue with vectors of its text is current, and others are missing", () => {
  const found = differencesOf(
    [mark(1), mark(2), mark(3, { content_revision: 2 })],
    [stamp(1), stamp(3)],
  );
  expect(found.current).toEqual([stamp(1)]);
  expect(found.missing.map(({ id }) => id)).toEqual([2, 3]);
  expect(found.gone).toEqual([]);
});

test("an issue that was refused is current until its text changes", () => {
  const refused = { state: "skipped", reason: "refused_400" } as const;
  const found = differencesOf(
    [mark(1), mark(2, { content_revision: 2 })],
    [stamp(1, refused), stamp(2, refused)],
  );
  expect(found.current).toEqual([stamp(1, refused)]);
  expect(found.missing.map(({ id }) => id)).toEqual([2]);
});

test("a skipped issue that is to be sent again is missing, and no other one", () => {
  const failed = { state: "skipped", reason: "failed_500" } as const;
  const found = differencesOf(
    [mark(1), mark(2), mark(3)],
    [stamp(1), stamp(2, failed), stamp(3, failed)],
    ({ issue_id }) => issue_id === 2,
  );
  expect(found.current).toEqual([stamp(1), stamp(3, failed)]);
  expect(found.missing.map(({ id }) => id)).toEqual([2]);
  expect(found.gone).toEqual([]);
});

test("an issue that was moved to another project gets a new stamp and keeps its vectors", () => {
  const found = differencesOf([mark(1, { project_uid: "other" })], [stamp(1)]);
  expect(found.moved).toEqual([
    {
      issue_id: 1,
      issue_uid: "uid 1",
      project_uid: "other",
      content_revision: 1,
      text_hash: "hash 1",
    },
  ]);
  expect(found.current).toHaveLength(1);
  expect([...found.missing, ...found.gone]).toEqual([]);
});

test("the vectors of an issue that is no more are removed", () => {
  expect(differencesOf([], [stamp(1)])).toEqual({
    current: [],
    moved: [],
    missing: [],
    gone: ["uid 1"],
  });
});

test("vectors under the id or uid of another issue are removed, also at the same revision", () => {
  const same = differencesOf([mark(1, { uid: "new" })], [stamp(1)]);
  expect(same.gone).toEqual(["uid 1"]);
  expect(same.missing.map(({ uid }) => uid)).toEqual(["new"]);
  const renumbered = differencesOf([mark(8, { uid: "uid 1" })], [stamp(1)]);
  expect(renumbered.gone).toEqual(["uid 1"]);
  expect(renumbered.missing.map(({ id }) => id)).toEqual([8]);
});
