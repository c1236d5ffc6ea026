import { expect, test } from "vitest";
import type { SearchQuery } from "../../src/store/types/issues.ts";
import type { Store } from "../../src/store/types/store.ts";
import { describeStore } from "../support/store.ts";
import {
  commentEdited,
  commented,
  created,
  deleted,
  edited,
  labeled,
  log,
  projectCreated,
  uid,
  unlabeled,
} from "./drafts.ts";

const [P, Q] = [uid(1), uid(2)];
const [A, B, C] = [uid(101), uid(102), uid(103)];

describeStore("search", (open) => {
  const search = async (store: Store, text: string, query: Partial<SearchQuery> = {}) =>
    await store.read(
      async (reader) =>
        await reader.search.lexical({
          project_uid: P,
          text,
          limit: 20,
          include_deleted: false,
          labels: [],
          exclude_labels: [],
          ...query,
        }),
    );
  const found = async (store: Store, text: string, query: Partial<SearchQuery> = {}) =>
    (await search(store, text, query)).map(({ issue, matched_in }) => [
      Number(issue.uid.slice(-3)) - 100,
      ...matched_in,
    ]);

  test("finds the words of a new issue at once and says where they are", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "Parser crash", body: "on empty input" }),
      commented(P, A, uid(901), "seen on Tuesday"),
    );
    expect(await found(store, "crash")).toEqual([[1, "title"]]);
    expect(await found(store, "empty parser")).toEqual([[1, "title", "body"]]);
    expect(await found(store, "tuesday")).toEqual([[1, "comments"]]);
    expect(await found(store, "crash tuesday input")).toEqual([[1, "title", "body", "comments"]]);
    expect(await found(store, "crash nowhere")).toEqual([]);
  });

  test("finds new issues as they are when their write ends", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"), projectCreated(Q, "app"));
    await store.write(async (tx) => {
      await tx.appendNewIssues([
        created(P, A, { title: "Parser crash", body: "on input", labels: ["bug", "ui"] }),
        created(P, B, { title: "Parser stall", labels: ["bug"] }),
        created(P, C, { title: "Parser leak", labels: ["bug"] }),
      ]);
      await tx.append(commented(P, A, uid(901), "seen on Tuesday"));
      await tx.append(edited(P, B, { title: "Lexer stall" }));
      await tx.append(unlabeled(P, C, "bug"));
      await tx.append(labeled(P, C, "slow"));
    });
    expect(await found(store, "parser")).toEqual([
      [3, "title"],
      [1, "title"],
    ]);
    expect(await found(store, "tuesday input")).toEqual([[1, "body", "comments"]]);
    expect(await found(store, "lexer")).toEqual([[2, "title"]]);
    expect(await found(store, "parser", { labels: ["bug"] })).toEqual([[1, "title"]]);
    expect(await found(store, "parser", { labels: ["slow"] })).toEqual([[3, "title"]]);
  });

  test("inside a write finds what the write has written", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const seen = await store.write(async (tx) => {
      await tx.append(created(P, A, { title: "Parser crash" }));
      const query = { project_uid: P, text: "crash", limit: 20, include_deleted: false };
      const hits = await tx.search.lexical({ ...query, labels: [], exclude_labels: [] });
      await tx.append(edited(P, A, { title: "Lexer crash" }));
      return hits.map(({ issue }) => issue.title);
    });
    expect(seen).toEqual(["Parser crash"]);
    expect([await found(store, "parser"), await found(store, "lexer")]).toEqual([
      [],
      [[1, "title"]],
    ]);
  });

  test("words that were edited away are not found any more", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"), created(P, A, { title: "alpha", body: "beta" }));
    await log(store, commented(P, A, uid(901), "gamma"), commented(P, A, uid(902), "delta"));
    await log(
      store,
      commentEdited(P, A, uid(901), "epsilon"),
      edited(P, A, { title: "zeta", body: "eta" }),
    );
    const counts = async (...words: readonly string[]) =>
      await Promise.all(words.map(async (word) => (await found(store, word)).length));
    expect(await counts("alpha", "beta", "gamma")).toEqual([0, 0, 0]);
    expect(await counts("zeta", "eta", "epsilon", "delta")).toEqual([1, 1, 1, 1]);
  });

  test.each([
    '"',
    "*",
    "NEAR(a b)",
    "a OR b",
    "-x",
    "col:x",
    "title:x",
    "\0",
    "a\0b",
    "'",
    "\\",
    "(",
    "a & b",
    "a | !b",
    "a:*",
    "<->",
    "{x}",
    "$1",
    "?",
  ])("%j is taken literally", async (text) => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "a plain issue", body: "with x" }),
    );
    await expect(search(store, text)).resolves.toBeInstanceOf(Array);
  });

  test("operators are words: `a OR b` asks for all three", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "cats" }),
      created(P, B, { title: "dogs" }),
      created(P, C, { title: "cats or dogs" }),
    );
    expect(await found(store, "cats OR dogs")).toEqual([[3, "title"]]);
  });

  test("letters are compared without case and diacritics, words as a whole", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "Café ÜBER Straße", body: "漢字 naïve" }),
    );
    const counts = async (...words: readonly string[]) =>
      await Promise.all(words.map(async (word) => (await found(store, word)).length));
    expect(await counts("cafe", "CAFÉ", "uber", "naive", "漢字")).toEqual([1, 1, 1, 1, 1]);
    expect(await counts("caf", "afe", "漢")).toEqual([0, 0, 0]);
  });

  test("words joined by a sign are a phrase, inside one text", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "foo bar" }),
      created(P, B, { title: "bar foo" }),
      created(P, C, { title: "ends in foo", body: "bar begins" }),
    );
    expect(await found(store, "foo-bar")).toEqual([[1, "title"]]);
    expect(new Set((await found(store, "foo bar")).map(([number]) => number))).toEqual(
      new Set([1, 2, 3]),
    );
  });

  test("deleted issues are found only when asked for, other projects' never", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      projectCreated(Q, "api"),
      created(P, A, { title: "word" }),
      created(P, B, { title: "word" }),
      created(Q, C, { title: "word" }),
    );
    await log(store, deleted(P, A));
    expect(await found(store, "word")).toEqual([[2, "title"]]);
    const all = await found(store, "word", { include_deleted: true });
    expect(new Set(all.map(([number]) => number))).toEqual(new Set([1, 2]));
    expect(await found(store, "word", { project_uid: Q })).toEqual([[3, "title"]]);
    expect(await found(store, "word", { project_uid: uid(77) })).toEqual([]);
  });

  test("labels are applied before the limit: 20 of 500 matches are all found", async () => {
    const store = await open();
    const many = Array.from({ length: 500 }, (_, at) => {
      const labels = at % 25 === 0 ? ["a", "b"] : at % 25 === 1 ? ["a", "b", "c"] : ["a"];
      return created(P, uid(1000 + at), { title: "common words", labels });
    });
    await log(store, projectCreated(P, "web"), ...many);
    const hits = await search(store, "common", { labels: ["a", "b"], exclude_labels: ["c"] });
    expect(hits).toHaveLength(20);
    await log(store, unlabeled(P, uid(1000), "b"), labeled(P, uid(1025), "c"));
    expect(
      await search(store, "common", { labels: ["a", "b"], exclude_labels: ["c"] }),
    ).toHaveLength(18);
  });

  test("rare words are ranked by how much they say, the best first and the older of equals", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "other", body: `parser ${"filler words here ".repeat(40)}` }),
      created(P, B, { title: "parser parser", body: "" }),
      created(P, C, { title: "same", body: "needle" }),
      created(P, uid(104), { title: "same", body: "needle" }),
    );
    expect((await found(store, "parser")).map(([number]) => number)).toEqual([2, 1]);
    expect((await found(store, "needle")).map(([number]) => number)).toEqual([3, 4]);
    const scores = (await search(store, "parser")).map(({ score }) => score);
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0);
    expect(scores[1]).toBeGreaterThan(0);
  });

  test("of more matches than are ranked, those with the words in their titles come first, the newest of them", async () => {
    const store = await open();
    const many = Array.from({ length: 2100 }, (_, at) =>
      created(
        P,
        uid(10_000 + at),
        at % 1000 === 500 ? { title: "common ground" } : { title: "x", body: "common ground" },
      ),
    );
    await log(store, projectCreated(P, "web"), ...many);
    const hits = await search(store, "common ground", { limit: 4 });
    expect(hits.map(({ issue }) => Number(issue.uid.slice(-5)) - 10_000)).toEqual([
      1500, 500, 2099, 2098,
    ]);
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).sort((a, b) => b - a),
    );
  }, 60_000);
});

describeStore("look-alike candidates", (open) => {
  const similar = async (store: Store, title: string, project = P) =>
    (
      await store.read(
        async (reader) => await reader.search.similar(project, { title, body: "b" }, 20),
      )
    ).map((issue) => Number(issue.uid.slice(-3)) - 100);

  test("share words of the title, best first, in the project and not deleted", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      projectCreated(Q, "api"),
      created(P, A, { title: "The parser crashes on empty input" }),
      created(P, B, { title: "Parser crashes" }),
      created(P, C, { title: "Something else entirely" }),
      created(Q, uid(104), { title: "The parser crashes on empty input" }),
      created(P, uid(105), { title: "parser crashes on empty input" }),
      deleted(P, uid(105)),
    );
    expect(await similar(store, "Parser crashes on empty input")).toEqual([1, 2]);
    expect(await similar(store, "parser crashes on empty input", Q)).toEqual([4]);
    expect(await similar(store, "the of and")).toEqual([]);
    expect(await similar(store, "unheard of")).toEqual([]);
  });

  test("an old twin is found among many titles with the same words", async () => {
    const store = await open();
    const words = ["alpha", "gamma", "delta", "omega", "theta", "kappa"];
    const title = (at: number) => words.filter((_, word) => (at >> word) % 2 === 1).join(" ");
    const many = Array.from({ length: 640 }, (_, at) =>
      created(P, uid(1000 + at), { title: title(1 + (at % 60)) }),
    );
    await log(store, projectCreated(P, "web"), created(P, A, { title: words.join(" ") }), ...many);
    expect((await similar(store, words.join(" ")))[0]).toBe(1);
  });

  test("include the issues that the same batch of writes created before", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const seen = await Promise.all(
      [A, B].map(
        async (issue) =>
          await store.write(async (tx) => {
            const before = await tx.search.similar(
              P,
              { title: "Parser crashes on empty input", body: "b" },
              20,
            );
            await tx.append(created(P, issue, { title: "Parser crashes on empty input" }));
            return before.map(({ uid: candidate }) => candidate);
          }),
      ),
    );
    expect(seen).toEqual([[], [A]]);
  });

  test("do not include what a failed write of the batch created", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const failing = store.write(async (tx) => {
      await tx.append(created(P, A, { title: "Parser crashes" }));
      throw new Error("planned");
    });
    const seen = store.write(
      async (tx) => await tx.search.similar(P, { title: "Parser crashes", body: "b" }, 20),
    );
    await expect(failing).rejects.toThrow("planned");
    expect(await seen).toEqual([]);
  });
});
