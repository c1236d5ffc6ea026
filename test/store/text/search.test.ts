import { expect, test } from "vitest";
import { queryOf } from "../../../src/store/text/units.ts";
import type { SearchQuery } from "../../../src/store/types/issues.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { describeStore } from "../../support/store.ts";
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
} from "../drafts.ts";

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

  const tiers = async (store: Store, text: string, query: Partial<SearchQuery> = {}) =>
    (await search(store, text, query)).map(({ issue, matched }) => [
      Number(issue.uid.slice(-3)) - 100,
      matched,
    ]);

  test("a search finds the words of a new issue at once and says where they are", async () => {
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
    expect(await tiers(store, "crash nowhere")).toEqual([[1, "some"]]);
  });

  test("a search finds new issues in the state at the end of their write", async () => {
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
      [1, "title"],
      [3, "title"],
    ]);
    expect(await found(store, "tuesday input")).toEqual([[1, "body", "comments"]]);
    expect(await found(store, "lexer")).toEqual([[2, "title"]]);
    expect(await found(store, "parser", { labels: ["bug"] })).toEqual([[1, "title"]]);
    expect(await found(store, "parser", { labels: ["slow"] })).toEqual([[3, "title"]]);
  });

  test("a search inside a write finds what the write has written", async () => {
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

  test("a search no longer finds words that were edited away", async () => {
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
  ])("a search for %j is answered without an error", async (text) => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "a plain issue", body: "with x" }),
    );
    await expect(search(store, text)).resolves.toBeInstanceOf(Array);
  });

  test("a search takes operators as words: `a OR b` requires all three", async () => {
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

  test("a search ignores case and diacritics, and matches words from their beginning", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "Café ÜBER Straße", body: "漢字 naïve" }),
    );
    const counts = async (...words: readonly string[]) =>
      await Promise.all(words.map(async (word) => (await found(store, word)).length));
    expect(await counts("cafe", "CAFÉ", "uber", "naive", "漢字")).toEqual([1, 1, 1, 1, 1]);
    expect(await counts("afe", "raß")).toEqual([0, 0]);
    expect(await tiers(store, "caf")).toEqual([[1, "forms"]]);
    expect(await tiers(store, "漢")).toEqual([[1, "words"]]);
  });

  test("a search takes words joined by a sign as a phrase within one text", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "foo bar" }),
      created(P, B, { title: "bar foo" }),
      created(P, C, { title: "ends in foo", body: "bar begins" }),
    );
    expect(await tiers(store, "foo-bar")).toEqual([
      [1, "words"],
      [2, "forms"],
      [3, "forms"],
    ]);
    expect(new Set((await found(store, "foo bar")).map(([number]) => number))).toEqual(
      new Set([1, 2, 3]),
    );
  });

  test("a search accepts synonyms for a sentence if no issue has all of its words", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: "Parser walks through trees" }),
      created(P, B, { title: "Parser panics while deleting directories" }),
    );
    expect(await tiers(store, "parser crashed when it removes a folder")).toEqual([
      [2, "some"],
      [1, "some"],
    ]);
    expect((await found(store, "parser crashed removing")).map(([number]) => number)).toEqual([
      1, 2,
    ]);
    expect(await found(store, "crashed removes folder quickly")).toEqual([]);
  });

  test("a search for very many words joined by punctuation looks up only the first words, but compares all words", async () => {
    const store = await open();
    const path = "src/store/text/found/by/words/joined/with/signs/all/of/them.ts";
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title: path }),
      created(P, B, { title: path.replace("them.ts", "those.ts") }),
    );
    expect(await tiers(store, path)).toEqual([
      [1, "words"],
      [2, "some"],
    ]);
    expect(queryOf("the-".repeat(4000))).toMatchObject({
      typed: [{ phrase: Array.from({ length: 8 }, () => "the") }],
      isTypedCut: true,
    });
  });

  test("a search finds deleted issues only on request, and never those of other projects", async () => {
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

  test("a search does not let issues of another project displace results of this one", async () => {
    const store = await open();
    const there = Array.from({ length: 60 }, (_, at) =>
      created(Q, uid(200 + at), { title: "foo bars" }),
    );
    await log(
      store,
      projectCreated(P, "web"),
      projectCreated(Q, "shop"),
      created(P, A, { title: "foo here" }),
      created(P, B, { title: "the bar here" }),
      ...there,
    );
    expect((await tiers(store, "foo bars")).sort()).toEqual([
      [1, "some"],
      [2, "some"],
    ]);
  });

  test("a search finds this project's issues although hundreds of other projects' match better", async () => {
    const store = await open();
    const there = Array.from({ length: 240 }, (_, at) =>
      created(Q, uid(200 + at), { title: "foo bars baz" }),
    );
    await log(
      store,
      projectCreated(P, "web"),
      projectCreated(Q, "shop"),
      ...there.slice(0, 120),
      created(P, A, { title: "foo here" }),
      created(P, B, { title: "the baz here" }),
      ...there.slice(120),
    );
    expect((await search(store, "foo bars baz")).map(({ issue }) => issue.uid).sort()).toEqual([
      A,
      B,
    ]);
  });

  test("a search applies labels before the limit: 20 of 500 matches are all found", async () => {
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

  test("a search sorts matches of rare words by relevance, the best first, and the older first among equals", async () => {
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

  test("a search with more matches than can be ranked shows those with the words in their titles first, the newest of them", async () => {
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

describeStore("tiers of search results", (open) => {
  type Text = { readonly title: string; readonly body?: string };
  const given = async (...texts: readonly Text[]) => {
    const store = await open();
    const issues = texts.map((text, at) => created(P, uid(101 + at), { body: "", ...text }));
    await log(store, projectCreated(P, "web"), ...issues);
    return async (text: string) =>
      (
        await store.read(
          async ({ search }) =>
            await search.lexical({
              project_uid: P,
              text,
              limit: 20,
              include_deleted: false,
              labels: [],
              exclude_labels: [],
            }),
        )
      ).map(({ issue, matched, excerpt }) => ({
        hit: `${Number(issue.uid.slice(-3)) - 100} ${matched}`,
        excerpt,
      }));
  };
  const hits = async (texts: readonly Text[], query: string) =>
    (await (await given(...texts))(query)).map(({ hit }) => hit);

  test("search results put all words as typed before other word forms, and these before partial matches", async () => {
    const texts = [
      { title: "Migrating the schema" },
      { title: "schema migrations", body: "a long body that says little ".repeat(20) },
      { title: "migrations of users" },
      { title: "something else" },
    ];
    expect(await hits(texts, "schema migrations")).toEqual(["2 words", "1 forms"]);
    expect(await hits(texts, "schemas migrations users")).toEqual(["3 some", "2 some", "1 some"]);
  });

  test("search results include and show words far behind in a long text", async () => {
    const body = `${"nothing of note here ".repeat(400)} migrating the schema`;
    const search = await given({ title: "x", body }, { title: "y" });
    const found = await search("schemas migrations");
    expect(found.map(({ hit }) => hit)).toEqual(["1 forms"]);
    expect(found[0]?.excerpt).toContain("migrating the schema");
    expect((await search("migrations walrus")).map(({ hit }) => hit)).toEqual(["1 some"]);
  });

  test("search results look up the longest of many words, and tell whether all of them match", async () => {
    const words = "walruses sleeping quietly beneath enormous floating icebergs yesterday".split(
      " ",
    );
    const texts = [
      { title: `${words.join(" ")} no fish` },
      { title: `${words.join(" ")} no seal` },
    ];
    expect(await hits(texts, `${words.join(" ")} seal`)).toEqual(["2 words", "1 some"]);
  });

  test("search results weigh a word that most issues contain less than one that some hundred contain", async () => {
    const store = await open();
    const many = Array.from({ length: 2250 }, (_, at) =>
      created(P, uid(10_000 + at), { title: at % 3 === 0 ? "seldom" : "every" }),
    );
    await log(store, projectCreated(P, "web"), ...many);
    const query = { project_uid: P, text: "every seldom nowhere", limit: 20 };
    const hits = await store.read(
      async ({ search }) =>
        await search.lexical({ ...query, include_deleted: false, labels: [], exclude_labels: [] }),
    );
    expect(new Set(hits.map(({ issue }) => issue.title))).toEqual(new Set(["seldom"]));
  }, 60_000);

  test.each([
    ["RoutingIntegration", "fix TestRoutingIntegration", "forms"],
    ["routing integration", "fix TestRoutingIntegration", "forms"],
    ["TestRoutingIntegration", "test_routing_integration hangs", "forms"],
    ["routing.go", "see internal/routing/routing.go:12", "words"],
    ["internal/routing", "see internal/routing/routing.go:12", "words"],
    ["HTTPServer", "the httpServerError again", "forms"],
    ["connec", "connection refused", "forms"],
    ["connected", "connection refused", "forms"],
    ["gorutine", "a goroutine leaks", "near"],
    ["goruotine leak", "a goroutine leaks", "near"],
    ["конекция", "коннекция потеряна", "near"],
    ["goru", "a goroutine leaks", undefined],
    ["paser", "a parse error", undefined],
  ])("search results for %j include %j by %s", async (query, title, matched) => {
    const found = await hits([{ title }, { title: "unrelated words" }], query);
    expect(found).toEqual(matched === undefined ? [] : [`1 ${matched}`]);
  });

  test.each([
    ["データベース", "データベース接続のエラー"],
    ["接続エラー", "接続のエラー"],
    ["漢", "漢字"],
    ["검색", "검색 결과가 비어"],
    ["เข้าสู่", "ปัญหาการเข้าสู่ระบบ"],
    ["🚀", "ship it 🚀 now"],
    ["👩‍💻", "by 👩‍💻 alone"],
    ["🇩🇪", "in 🇩🇪 only"],
    ["APIキー", "新しいAPIキーを作る"],
  ])(
    "search results for %j include %j, in scripts without spaces and among emoji",
    async (query, title) => {
      const found = await hits([{ title: "something else" }, { title }], query);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^2 /);
    },
  );

  test("search results weigh rare words of a search more than common ones", async () => {
    const common = Array.from({ length: 30 }, (_, at) => ({ title: `build fails ${at}` }));
    const found = await hits(
      [...common, { title: "the walrus sleeps" }],
      "build fails with walrus",
    );
    expect(found[0]).toBe("31 some");
  });

  test("search results come with an excerpt of the matching text", async () => {
    const filler = "nothing of note here ".repeat(40);
    const search = await given({ title: "x", body: `${filler}\n\nthe falcon lands ${filler}` });
    const [hit] = await search("falcons");
    expect(hit?.excerpt).toMatch(/^….*the falcon lands .*…$/);
    expect([...(hit?.excerpt ?? "")].length).toBeLessThanOrEqual(160);
  });

  test.each([
    ["8 KB of one word", "a".repeat(8192), []],
    ["2,000 words", Array.from({ length: 2000 }, (_, at) => `word${at}`).join(" "), []],
    ["2,000 times one word", "falcon ".repeat(2000), ["1 words"]],
    ["quotes and operators alone", "\" ' OR AND NOT ( ) * : ^ + - ".repeat(100), []],
    ["NUL", "\0falcon\0", ["1 words"]],
    ["lone surrogates", "\ud83d falcon \ude80", ["1 words"]],
    ["one letter", "f", []],
    ["combining characters", "\u0301\u0302".repeat(500), []],
    ["letters of many scripts", "aбγдעعकกあ한ԱაⲀᚠ", []],
    ["right to left", "שלום עולם", ["2 words"]],
    ["emoji alone", "👨‍👩‍👧‍👦".repeat(300), []],
    ["8 KB of Chinese", "数据库连接失败".repeat(390), []],
  ])("search results are returned for %s", async (_, query, found) => {
    const search = await given({ title: "falcon 🚀" }, { title: "שלום עולם" });
    expect((await search(query)).map(({ hit }) => hit)).toEqual(found);
  });
});

describeStore("look-alike candidates", (open) => {
  const similar = async (store: Store, title: string, project = P) =>
    (
      await store.read(
        async (reader) => await reader.search.similar(project, { title, body: "b" }, 20),
      )
    ).map((issue) => Number(issue.uid.slice(-3)) - 100);

  test("look-alike candidates share words of the title, are sorted best first, and are in the project and not deleted", async () => {
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

  test("look-alike candidates include an old duplicate among many titles with the same words", async () => {
    const store = await open();
    const words = ["alpha", "gamma", "delta", "omega", "theta", "kappa"];
    const title = (at: number) => words.filter((_, word) => (at >> word) % 2 === 1).join(" ");
    const many = Array.from({ length: 640 }, (_, at) =>
      created(P, uid(1000 + at), { title: title(1 + (at % 60)) }),
    );
    await log(store, projectCreated(P, "web"), created(P, A, { title: words.join(" ") }), ...many);
    expect((await similar(store, words.join(" ")))[0]).toBe(1);
  });

  test("look-alike candidates include issues that the same batch of writes created before", async () => {
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

  test("look-alike candidates leave out issues that a failed write of the batch created", async () => {
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
