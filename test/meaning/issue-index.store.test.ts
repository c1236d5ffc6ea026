import { expect, test } from "vitest";
import { removeProject } from "../../src/contract/project-actions.ts";
import { IssueIndex } from "../../src/meaning/issue-index.ts";
import type { EmbeddedIssue, VectorStore } from "../../src/store/types/vectors.ts";
import { all, countsOf, embeddedOf, type Given, given } from "../store/vectors/given.ts";
import { describeStore } from "../support/store.ts";

/** The index over real tables. `sizes` has the largest number of issues that each kind of call had at once. */
function indexOf({ w, vectors, generation }: Given) {
  const sizes = { range: 0, remove: 0, restamp: 0 };
  const count = (name: keyof typeof sizes, { length }: { readonly length: number }): void => {
    sizes[name] = Math.max(sizes[name], length);
  };
  const counted: Partial<VectorStore> = {
    range: async (...asked) => {
      const found = await vectors.range(...asked);
      count("range", found);
      return found;
    },
    remove: async (uids, options) => {
      count("remove", uids);
      await vectors.remove(uids, options);
    },
    restamp: async (of, issues) => {
      count("restamp", issues);
      return await vectors.restamp(of, issues);
    },
  };
  const overlaid = new Proxy(vectors, {
    get: (target, name) => {
      const value: unknown = Reflect.get(counted, name) ?? Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const { clock, store } = w;
  const index = new IssueIndex({ clock, store, vectors: overlaid, forgotten: () => undefined });
  const filled = { working: generation, serving: generation };
  const { signal } = new AbortController();
  const compare = async (serving = generation) =>
    await index.compare({ ...filled, serving }, signal);
  return { index, sizes, compare };
}

describeStore("the comparison of many issues with the index", (open) => {
  test("stamps moved issues and removes archived ones in small portions", async () => {
    const at = await given(open);
    const project = await at.w.given.project("large");
    const issues: EmbeddedIssue[] = [];
    for (let count = 0; count < 250; count++) {
      const { uid } = await at.w.given.issue({ project });
      issues.push({ ...(await embeddedOf(at.w, uid)), project_uid: "earlier project" });
    }
    await at.vectors.put(at.generation, issues, all(issues));
    const { index, sizes, compare } = indexOf(at);
    await compare();
    expect(index.counts).toEqual({ embedded: 250, skipped: 0, backlog: 0 });
    expect(sizes).toEqual({ range: 250, remove: 0, restamp: 100 });
    expect(await at.vectors.ofProject(at.generation, project.uid, 0, 300)).toHaveLength(250);
    await at.w.call(removeProject, { params: project.path, query: { force: true } });
    await compare();
    expect(index.counts).toEqual({ embedded: 0, skipped: 0, backlog: 0 });
    expect(sizes).toEqual({ range: 250, remove: 100, restamp: 100 });
    expect(await countsOf(at.vectors, at.generation)).toMatchObject({ done: 0 });
  });

  if (open.dialect === "postgres") return;

  test("reads and removes thousands of issues that are no more in portions, and others get their turn", async () => {
    const at = await given(open);
    const { uid } = await at.w.given.issue({ title: "kept" });
    const kept = await embeddedOf(at.w, uid);
    const gone = goneIssues(5000);
    const serving = await at.vectors.begin(at.of, "active", at.w.clock.now());
    await at.vectors.put(at.generation, [kept, ...gone], all([kept, ...gone]));
    await at.vectors.put(serving.id, gone.slice(0, 3500), all(gone));
    const { index, sizes, compare } = indexOf(at);
    let isOver = false;
    let turns = 0;
    const others = async (): Promise<void> => {
      for (; !isOver; turns++) {
        await at.vectors.generations();
        await new Promise((next) => setImmediate(next));
      }
    };
    const running = others();
    await compare(serving.id);
    isOver = true;
    await running;
    expect(index.counts).toEqual({ embedded: 1, skipped: 0, backlog: 0 });
    expect(sizes).toEqual({ range: 2000, remove: 100, restamp: 0 });
    expect(turns).toBeGreaterThanOrEqual(50);
    expect(await countsOf(at.vectors, at.generation)).toMatchObject({ done: 1 });
    expect(await countsOf(at.vectors, serving.id)).toMatchObject({ done: 0 });
  });
});

/** Issues of earlier times, with ids after those of the tables. */
function goneIssues(count: number): readonly EmbeddedIssue[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ issue_id: 1000 + at, issue_uid: `gone ${at}`, project_uid: "p", content_revision: 1 },
    ...{ text_hash: "", state: "done", reason: null, vectors: [] },
  }));
}
