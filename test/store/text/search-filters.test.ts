import { expect, test } from "vitest";
import type { IssueFilter } from "../../../src/store/types/issues.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { describeStore } from "../../support/store.ts";
import { created, deleted, log, projectCreated, uid } from "../drafts.ts";

const [P, Q] = [uid(1), uid(2)];
const at = (number: number): string => uid(10_000 + number);
const LATE = "2026-02-01T00:00:00.000Z";
const LATER = "2026-02-01T00:00:00.001Z";

interface SearchInput {
  readonly text?: string;
  readonly limit?: number;
  readonly include_deleted?: boolean;
  readonly labels?: readonly string[];
}

async function search(store: Store, filter: IssueFilter, asked: SearchInput = {}) {
  const hits = await store.read(
    async (reader) =>
      await reader.search.lexical({
        ...{ project_uid: P, text: "falcon", limit: 20, include_deleted: false },
        ...{ labels: [], exclude_labels: [], ...asked, filter },
      }),
  );
  return hits.map(({ issue, matched }) => ({
    number: Number(issue.uid.slice(-5)) - 10_000,
    matched,
  }));
}

async function numbers(store: Store, filter: IssueFilter, asked?: SearchInput) {
  return (await search(store, filter, asked)).map(({ number }) => number).sort((a, b) => a - b);
}

describeStore("filters of a search", (open) => {
  const small = async () => {
    const store = await open();
    const closed = { status: "closed", closed_reason: "done", closed_at: LATE } as const;
    const three = { title: "falcon three", created_at: LATE };
    await log(
      store,
      projectCreated(P, "web"),
      projectCreated(Q, "app"),
      created(P, at(1), { title: "falcon one", owner: "ann", priority: 1 }),
      created(P, at(2), { title: "falcon two", ...closed, priority: 2 }),
      created(P, at(3), { ...three, owner: "bea", author: "cyd", labels: ["bug"] }),
      created(P, at(4), { title: "hawk", owner: "ann", priority: 1 }),
      created(P, at(5), { title: "falcon five", owner: "ann", metadata: { area: "ui" } }),
      created(Q, at(6), { title: "falcon six", owner: "ann", priority: 1 }),
    );
    await log(store, deleted(P, at(5)));
    return store;
  };

  test.each<readonly [IssueFilter, readonly number[]]>([
    [{}, [1, 2, 3]],
    [{ status: "open" }, [1, 3]],
    [{ status: "closed" }, [2]],
    [{ owner: "ann" }, [1]],
    [{ owner: "dov" }, []],
    [{ unowned: true }, [2]],
    [{ priority: 2 }, [2]],
    [{ priority: null }, [3]],
    [{ max_priority: 1 }, [1]],
    [{ max_priority: 2 }, [1, 2]],
    [{ author: "cyd" }, [3]],
    [{ changed_since: LATE }, [3]],
    [{ changed_since: LATER }, []],
    [{ blocked: true }, []],
    [{ blocked: false }, [1, 2, 3]],
    [{ meta: [{ key: "area" }] }, []],
    [{ status: "open", owner: "bea" }, [3]],
    [{ status: "closed", owner: "bea" }, []],
  ])("find with %j the issues of the project that match", async (filter, found) => {
    expect(await numbers(await small(), filter)).toEqual(found);
  });

  test("apply to deleted issues too when these are requested", async () => {
    const store = await small();
    expect(await numbers(store, { owner: "ann" }, { include_deleted: true })).toEqual([1, 5]);
    const meta = { meta: [{ key: "area", value: "ui" }] };
    expect(await numbers(store, meta, { include_deleted: true })).toEqual([5]);
  });

  test("combine with labels, and apply to partial matches as well", async () => {
    const store = await small();
    expect(await numbers(store, { owner: "bea" }, { labels: ["bug"] })).toEqual([3]);
    expect(await numbers(store, { owner: "ann" }, { labels: ["bug"] })).toEqual([]);
    expect(await search(store, { status: "closed" }, { text: "falcon nowhere" })).toEqual([
      { number: 2, matched: "some" },
    ]);
    expect(await search(store, { owner: "bea" }, { text: "falcn" })).toEqual([
      { number: 3, matched: "near" },
    ]);
  });

  test("find old issues behind thousands of newer ones with the same words", async () => {
    const store = await open();
    const many = Array.from({ length: 2600 }, (_, number) =>
      created(P, at(number), {
        title: number % 2 === 0 ? "falcon common ground" : "common ground",
        priority: number < 2300 ? 1 : 2,
        ...(number % 1000 === 0 ? { owner: "ann" } : {}),
      }),
    );
    await log(store, projectCreated(P, "web"), ...many);
    // Few issues satisfy the filter: the words are looked for in these alone.
    expect(await numbers(store, { owner: "ann" })).toEqual([0, 1000, 2000]);
    expect(await numbers(store, { owner: "ann" }, { text: "common ground" })).toEqual([
      0, 1000, 2000,
    ]);
    // More than 2,000 satisfy it: of the newest issues with the words those are found that satisfy it.
    const wide = await search(store, { priority: 1 }, { text: "common ground", limit: 200 });
    expect(wide.length).toBe(200);
    expect(wide.every(({ number, matched }) => number < 2300 && matched === "words")).toBe(true);
    const some = await search(store, { priority: 1 }, { text: "falcon nowhere", limit: 5 });
    expect(some.every(({ number }) => number < 2300)).toBe(true);
    expect(some).toHaveLength(5);
  }, 60_000);
});
