import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editComment } from "../../src/contract/comments.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { showIssue } from "../../src/contract/issues.ts";
import type { Input } from "../../src/contract/route.ts";
import { COMMENT_REMOVED } from "../../src/domain/imports/fields.ts";
import type { SourceFormat } from "../../src/domain/imports/formats.ts";
import { readSource, sendItems } from "../../src/sources/index.ts";
import { scratch } from "../archive/targets.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";

/** The same seed each time, unless SVC_COMMENTS_SEED gives another. */
const SEED = Number(process.env["SVC_COMMENTS_SEED"] ?? 1);

type Item = Input<typeof importIssues>["body"]["items"][number];

interface Comment {
  readonly author: string;
  /** The hour on 1 March 2026, in UTC. */
  readonly hour: number;
  readonly text: string;
}

/** Writes one issue with these comments in `folder`, as the format has it, and returns the path to import. */
type Write = (folder: string, comments: readonly Comment[]) => string;

interface Format {
  readonly format: SourceFormat;
  readonly write: Write;
  /** The id that versions before this one gave to a comment, after the id of its issue. */
  readonly oldId: (comment: Comment, at: number) => string;
  readonly hasAuthors?: boolean;
}

const time = (hour: number) => `2026-03-01T${String(hour).padStart(2, "0")}:00:00.000Z`;
const place = (_: Comment, at: number) => `#${at + 1}`;
const number = (_: Comment, at: number) => String(at + 1);
const timeAndAuthor = ({ author, hour }: Comment) => `${time(hour)} ${author}`;

const ISSUE = {
  id: "d-1",
  title: "One",
  created_at: "2026-03-01T00:00:00Z",
  updated_at: "2026-03-02T00:00:00Z",
};

function file(name: string, textOf: (comments: readonly Comment[]) => string): Write {
  return (folder, comments) => {
    const path = join(folder, name);
    writeFileSync(path, textOf(comments));
    return path;
  };
}

/** A folder with one Markdown file. */
function markdown(below: string, name: string, textOf: (comments: readonly Comment[]) => string) {
  return (folder: string, comments: readonly Comment[]): string => {
    mkdirSync(join(folder, below), { recursive: true });
    file(name, textOf)(join(folder, below), comments);
    return folder;
  };
}

const jsonLine = (value: object) => `${JSON.stringify(value)}\n`;

const beadsLine = (comments: readonly object[]) =>
  jsonLine({ ...ISSUE, status: "open", issue_type: "task", comments });
const beadsComment = ({ author, hour, text }: Comment) => ({
  author,
  text,
  created_at: time(hour),
});

const frontMatter = (fields: object, comments: readonly object[]) =>
  [
    "---",
    ...Object.entries({ ...ISSUE, ...fields, comments }).map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    ),
    "---\n",
  ].join("\n");

const backlog = (block: (comment: Comment, at: number) => string) =>
  markdown("tasks", "d-1 - One.md", (comments) =>
    [
      "---",
      "id: D-1",
      "title: One",
      "created_date: '2026-03-01 00:00'",
      "---",
      "## Comments",
      "",
      "<!-- COMMENTS:BEGIN -->",
      ...comments.map(block),
      "<!-- COMMENTS:END -->\n",
    ].join("\n"),
  );

const backlogTime = (hour: number) => time(hour).slice(0, 16).replace("T", " ");

const FORMATS: readonly (readonly [string, Format])[] = [
  [
    "beads, which counts its comments",
    {
      format: "beads",
      write: file("issues.jsonl.copy", (comments) =>
        beadsLine(comments.map((one, at) => ({ id: at + 1, ...beadsComment(one) }))),
      ),
      oldId: number,
    },
  ],
  [
    "beads without ids",
    {
      format: "beads",
      write: file("issues.jsonl.copy", (comments) => beadsLine(comments.map(beadsComment))),
      oldId: place,
    },
  ],
  [
    "a backup of beads in tables",
    {
      format: "beads",
      write: (folder, comments) => {
        file("dependencies.jsonl", () => "")(folder, comments);
        file("labels.jsonl", () => "")(folder, comments);
        file("comments.jsonl", () =>
          comments
            .map((one, at) => jsonLine({ id: at + 1, issue_id: "d-1", ...beadsComment(one) }))
            .join(""),
        )(folder, comments);
        return file("issues.jsonl", () => beadsLine([]))(folder, comments);
      },
      oldId: number,
    },
  ],
  [
    "the neutral form without ids",
    {
      format: "neutral",
      write: file("issues.jsonl", (comments) =>
        jsonLine({
          ...ISSUE,
          comments: comments.map(({ author, hour, text }) => ({
            ...{ author, created_at: time(hour), body: text },
          })),
        }),
      ),
      oldId: place,
    },
  ],
  [
    "the neutral form with ids that are counted anew",
    {
      format: "neutral",
      write: file("issues.jsonl", (comments) =>
        jsonLine({
          ...ISSUE,
          comments: comments.map(({ author, hour, text }, at) => ({
            ...{ id: String(at), author, created_at: time(hour), body: text },
          })),
        }),
      ),
      oldId: (_, at) => String(at),
    },
  ],
  [
    "Taskwarrior",
    {
      format: "taskwarrior",
      hasAuthors: false,
      write: file("tasks.json", (comments) =>
        JSON.stringify([
          {
            uuid: "00000000-0000-4000-8000-00000000000a",
            description: "One",
            status: "pending",
            entry: "20260301T000000Z",
            annotations: comments.map(({ hour, text }) => ({
              entry: time(hour).replace(/[-:]|\.000/g, ""),
              description: text,
            })),
          },
        ]),
      ),
      oldId: ({ hour }) => time(hour),
    },
  ],
  [
    "GitHub, should its ids be counted anew",
    {
      format: "github",
      write: file("issues.json", (comments) =>
        JSON.stringify([
          {
            number: 1,
            title: "One",
            body: "",
            state: "OPEN",
            stateReason: "",
            labels: [],
            assignees: [],
            author: { login: "ann" },
            comments: comments.map(({ author, hour, text }, at) => ({
              id: `IC_${at}`,
              author: { login: author },
              body: text,
              createdAt: time(hour),
            })),
            createdAt: ISSUE.created_at,
            updatedAt: ISSUE.updated_at,
            closedAt: null,
            milestone: null,
            url: "https://github.com/o/r/issues/1",
          },
        ]),
      ),
      oldId: (_, at) => `IC_${at}`,
    },
  ],
  [
    "Backlog.md",
    {
      format: "backlog",
      write: backlog(({ author, hour, text }) =>
        [`author: @${author}`, `created: ${backlogTime(hour)}`, "---", text, "---\n"].join("\n"),
      ),
      oldId: ({ author, hour }) => `${backlogTime(hour)} ${author}`,
    },
  ],
  [
    "older versions of Backlog.md",
    {
      format: "backlog",
      write: backlog(({ author, hour, text }, at) =>
        [
          "<!-- COMMENT:BEGIN -->",
          `index: ${at + 1}`,
          `author: ${author}`,
          `created: ${backlogTime(hour)}`,
          "",
          text,
          "<!-- COMMENT:END -->",
        ].join("\n"),
      ),
      oldId: ({ author, hour }) => `${backlogTime(hour)} ${author}`,
    },
  ],
  [
    "Markdown",
    {
      format: "markdown",
      write: markdown("", "d-1.md", (comments) =>
        frontMatter(
          { status: "open" },
          comments.map(({ author, hour, text }) => ({ author, date: time(hour), text })),
        ),
      ),
      oldId: timeAndAuthor,
    },
  ],
  [
    "Markdown with counted comments",
    {
      format: "markdown",
      write: markdown("", "d-1.md", (comments) =>
        frontMatter(
          { status: "open" },
          comments.map(({ author, hour, text }, at) => ({
            ...{ id: at + 1, author, date: time(hour), text },
          })),
        ),
      ),
      oldId: number,
    },
  ],
  [
    "tbd",
    {
      format: "tbd",
      write: (folder, comments) => {
        const mapping = "d1x9: 00000000000000000000000001\n";
        markdown("mappings", "ids.yml", () => mapping)(folder, comments);
        file("config.yml", () => "display:\n  id_prefix: d\n")(folder, comments);
        return markdown("issues", "is-1.md", () =>
          frontMatter(
            { id: "is-00000000000000000000000001", type: "is", kind: "task", status: "open" },
            comments.map(({ author, hour, text }) => ({ author, date: time(hour), text })),
          ),
        )(folder, comments);
      },
      oldId: timeAndAuthor,
    },
  ],
];

const [ONE, TWO, THREE] = [
  { author: "ann", hour: 10, text: "one" },
  { author: "cy", hour: 11, text: "two" },
  { author: "ann", hour: 12, text: "three" },
];
const INSERTED = { author: "dee", hour: 9, text: "zero" };

describeStore("a second import", (open) => {
  // The formats differ only before the daemon, so one of them is enough on PostgreSQL.
  const formats = open.dialect === "sqlite" ? FORMATS : FORMATS.slice(0, 1);

  test.each(formats)(
    "a second import from %s attributes no text to the wrong author",
    async (_, of) => {
      const w = await tracker(open, of);
      await w.bring([ONE, TWO, THREE]);
      const before = await w.uids();
      await w.edit("two", "two, as it is here");
      const here = { ...TWO, text: "two, as it is here" };

      await w.bring([INSERTED, ONE, TWO, THREE]);
      expect(await w.comments()).toEqual(w.said([INSERTED, ONE, here, THREE]));
      await w.bring([INSERTED, TWO, THREE]);
      const removed = { ...ONE, text: COMMENT_REMOVED };
      expect(await w.comments()).toEqual(w.said([INSERTED, removed, here, THREE]));
      await w.bring([THREE, ONE, TWO]);
      const gone = { ...INSERTED, text: COMMENT_REMOVED };
      expect(await w.comments()).toEqual(w.said([gone, ONE, here, THREE]));
      expect(await w.uids()).toMatchObject({ one: before["one"], three: before["three"] });
      await expectFolded(w.store);
    },
  );

  test.each(formats)(
    "a second import from %s continues what an older version has imported",
    async (_, of) => {
      const w = await tracker(open, of);
      await w.bringAsOldVersion([ONE, TWO, THREE, THREE]);
      await w.edit("two", "two, as it is here");
      const here = { ...TWO, text: "two, as it is here" };
      await w.bring([ONE, TWO, THREE, THREE]);
      expect(await w.comments()).toEqual(w.said([ONE, here, THREE, THREE]));
      await w.bring([INSERTED, TWO, THREE]);
      const removed = [ONE, THREE].map((one) => ({ ...one, text: COMMENT_REMOVED }));
      expect(await w.comments()).toEqual(w.said([INSERTED, here, THREE, ...removed]));
    },
  );

  test.each(formats)(
    `a second import from %s has the comments of the source (seed ${SEED})`,
    async (_, of) => {
      const w = await tracker(open, of);
      const random = randomOf(SEED);
      const pick = (): Comment => ({
        author: ["ann", "cy"][random(2)] ?? "",
        hour: 9 + random(3),
        text: `text ${random(3)}`,
      });
      let comments: readonly Comment[] = Array.from({ length: 4 }, pick);
      for (let round = 0; round < 6; round += 1) {
        await w.bring(comments);
        const there = (await w.comments()).filter((said) => !said.endsWith(COMMENT_REMOVED));
        expect(there, `seed ${SEED}, round ${round}`).toEqual(w.said(comments));
        const left = comments.filter(() => random(4) > 0);
        comments = left.toSpliced(random(left.length + 1), 0, pick());
      }
    },
  );

  test("a second import from Markdown matches comments without author and time in a rewritten file", async () => {
    const write = markdown("", "d-1.md", (comments) => {
      const texts = JSON.stringify(comments.map(({ text }) => text));
      return `---\nid: d-1\ntitle: One\ncomments: ${texts}\n---\n`;
    });
    const w = await tracker(open, { format: "markdown", write, oldId: place, hasAuthors: false });
    await w.bringAsOldVersion([ONE, TWO, THREE], 1000);
    await w.edit("two", "two, as it is here");
    await w.bring([ONE, TWO, THREE], 2000);
    const here = { ...TWO, text: "two, as it is here" };
    expect(await w.comments()).toEqual(w.said([ONE, here, THREE]));
    await w.bring([TWO, INSERTED, THREE], 3000);
    const removed = { ...ONE, text: COMMENT_REMOVED };
    expect(await w.comments()).toEqual(w.said([removed, here, INSERTED, THREE]));
  });
});

async function tracker(open: OpenTestStore, { format, write, oldId, hasAuthors = true }: Format) {
  const w = await world({ store: open });
  const params = { project_id: (await w.given.project()).id };
  const folder = await scratch();
  let ref = "";
  const read = async (comments: readonly Comment[], written = 0) => {
    const path = write(folder, comments);
    if (format === "markdown") utimesSync(join(path, "d-1.md"), written, written);
    return await readSource(format, path);
  };
  const send = async (items: readonly Item[], source: string) => {
    const done = await w.call(importIssues, { params, body: { source, items: [...items] } });
    ref = done.items[0]?.issue_short_id ?? ref;
    return done;
  };
  const shown = async () => (await w.call(showIssue, { params: { ...params, ref } })).comments;
  const lastEvent = async () => await w.store.read(async (reader) => await reader.events.lastId());
  const said = ({ author, text }: Pick<Comment, "author" | "text">): string =>
    `${hasAuthors ? author : "unknown"}: ${text}`;
  return {
    store: w.store,
    said: (comments: readonly Comment[]) => comments.map(said).sort(),
    /** Imports the comments twice. The second time must change nothing. */
    bring: async (comments: readonly Comment[], written?: number) => {
      const source = await read(comments, written);
      await sendItems(
        source,
        async (items) => await send(items, source.source),
        () => undefined,
      );
      const last = await lastEvent();
      const again = await send([...(await read(comments, written)).items], source.source);
      expect(again).toMatchObject({ created: 0, updated: 0, conflicts: [] });
      expect(await lastEvent()).toBe(last);
    },
    bringAsOldVersion: async (comments: readonly Comment[], written?: number) => {
      const source = await read(comments, written);
      const items = [...source.items].map((item) => {
        const taken = new Set<string>();
        const named = (item.comments ?? []).map((comment, at) => {
          const of = comments[at];
          let external_id = `${item.external_id}/${of === undefined ? "" : oldId(of, at)}`;
          while (taken.has(external_id)) external_id += "'";
          taken.add(external_id);
          return { created_at: item.created_at, ...comment, external_id };
        });
        return { ...item, comments: named };
      });
      await send(items, source.source);
    },
    edit: async (text: string, body: string) => {
      const uid = (await shown()).find((comment) => comment.body === text)?.uid ?? "";
      await w.call(editComment, {
        params: { ...params, ref, comment_ref: uid },
        body: { body },
      });
    },
    comments: async () =>
      (await shown()).map(({ author, body }) => said({ author, text: body })).sort(),
    uids: async () => Object.fromEntries((await shown()).map(({ body, uid }) => [body, uid])),
  };
}

/** Returns pseudorandom numbers, which are the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
