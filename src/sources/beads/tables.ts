import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import { unreadable, withFileLines } from "../files/input.ts";
import { objectReader } from "../files/object-reader.ts";
import { type ImportAccountRow, type Outcome, RowCount } from "../neutral/account.ts";
import { contentHash } from "../neutral/map-comments.ts";
import {
  parseObject,
  type SourceComment,
  type SourceData,
  type SourceIssue,
  type SourceLink,
} from "../neutral/record.ts";
import { readComment, readEdge } from "./record.ts";

const ISSUES = "issues.jsonl";

export interface BackupPlace {
  readonly issues: string;
  /**
   * The folder with the other tables of the backup. Absent for standard input and for a file that is not named
   * issues.jsonl, because such an input has no other tables.
   */
  readonly folder?: string;
}

/**
 * Finds the file with the issues. `path` is that file itself, the folder of a backup, or the `.beads` folder around it.
 */
export function backupPlace(path: string): BackupPlace {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder)
    return basename(path) === ISSUES ? { issues: path, folder: dirname(path) } : { issues: path };
  const folder = [path, join(path, "backup")].find((one) => existsSync(join(one, ISSUES)));
  if (folder !== undefined) return { issues: join(folder, ISSUES), folder };
  throw unreadable(
    path,
    `it is a folder without ${ISSUES}: name the folder of a backup, or the file`,
  );
}

/**
 * The tables with edges, labels and comments of the issues. A backup always has all of these files, even empty ones.
 */
const JOINED = ["dependencies.jsonl", "labels.jsonl", "comments.jsonl"] as const;

/** Tables that svc does not import. They are still read, because a broken table shows that the backup is broken. */
const LEFT_OUT = {
  "events.jsonl": "svc begins a log of its own",
  "config.jsonl": "settings of beads",
} as const;

/**
 * Adds to the issues the edges, labels and comments that beads has backed up in tables beside the file with the issues.
 * A wrong line throws `validation` with the file and the line.
 */
export async function withTables(data: SourceData, folder: string): Promise<SourceData> {
  const missing = JOINED.filter((name) => !existsSync(join(folder, name)));
  if (missing.length === JOINED.length) return data;
  const [first] = missing;
  if (first !== undefined)
    throw unreadable(
      join(folder, first),
      "it is not there, and other tables of the backup are: copy it too, or make an empty file of this name",
    );
  const joined = new JoinedIssues(data.byId);
  const count = data.records;
  const files: ImportAccountRow[] = [
    { name: ISSUES, read: count, outcomes: [{ kind: "kept", to: "issues", count }] },
  ];
  for (const name of JOINED)
    files.push(await readJsonlTable(folder, name, (line, row) => joined.add(name, line, row)));
  for (const [name, why] of Object.entries(LEFT_OUT)) {
    if (existsSync(join(folder, name)))
      files.push(await readJsonlTable(folder, name, () => ({ kind: "dropped", why })));
  }
  return { ...data, byId: joined.byId(), files };
}

/** Runs `work`. If it throws an error about a line, adds the name of the file to that error. */
export async function inFile<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SvcError) || error.data["line"] === undefined) throw error;
    const data = { ...error.data, file: name };
    throw new SvcError("validation", data, { message: `${name}: ${error.message}`, cause: error });
  }
}

type TakeRow = (line: number, row: JsonObject) => Outcome;

async function readJsonlTable(
  folder: string,
  name: string,
  take: TakeRow,
): Promise<ImportAccountRow> {
  // Opening a pipe would wait for ever if nobody writes to it.
  if (statSync(join(folder, name)).isFIFO()) throw unreadable(join(folder, name), "it is a pipe");
  const count = new RowCount(name);
  await inFile(name, async () => {
    await withFileLines(join(folder, name), async (lines) => {
      for await (const line of lines) count.add(take(line.number, parseObject(line)));
    });
  });
  return count.row();
}

const NO_ISSUE: Outcome = { kind: "dropped", why: `its issue is not in ${ISSUES}` };
const THERE: Outcome = { kind: "dropped", why: "the issue has it already" };
const SEE = {
  "dependencies.jsonl": { kind: "mapped", to: "see edges" },
  "labels.jsonl": { kind: "mapped", to: "see labels" },
  "comments.jsonl": { kind: "mapped", to: "see comments" },
} as const satisfies Record<(typeof JOINED)[number], Outcome>;

interface IssueParts {
  readonly links: Map<string, SourceLink>;
  readonly labels: Map<string, string>;
  readonly comments: Map<string, SourceComment>;
  /**
   * Returns the key in `comments` for the comment of a row of comments.jsonl. Must be called once for each row, because
   * it numbers equal comments.
   */
  readonly keyOfRow: (comment: SourceComment) => string;
}

/** Adds the rows of the tables to the issues, except rows that the issue's line in issues.jsonl already contains. */
class JoinedIssues {
  readonly #issues: ReadonlyMap<string, SourceIssue>;
  readonly #parts = new Map<string, IssueParts>();

  constructor(issues: ReadonlyMap<string, SourceIssue>) {
    this.#issues = issues;
  }

  add(table: (typeof JOINED)[number], line: number, row: JsonObject): Outcome {
    const id = objectReader(line, row).text("issue_id");
    const rest = this.#read(table, line, id, row);
    const parts = this.#partsOf(id);
    if (parts === undefined) return NO_ISSUE;
    return rest(parts) ? SEE[table] : THERE;
  }

  byId(): ReadonlyMap<string, SourceIssue> {
    const all = new Map(this.#issues);
    for (const [id, { links, labels, comments }] of this.#parts) {
      const issue = all.get(id);
      if (issue === undefined) continue;
      all.set(id, {
        ...issue,
        links: [...links.values()],
        labels: [...labels.values()],
        comments: [...comments.values()],
      });
    }
    return all;
  }

  /**
   * Checks a row. Returns a function that adds the row to the issue. That function returns false if the issue already
   * has the row.
   */
  #read(
    table: (typeof JOINED)[number],
    line: number,
    id: string,
    row: JsonObject,
  ): (parts: IssueParts) => boolean {
    switch (table) {
      case "dependencies.jsonl": {
        const edge = readEdge(line, id, row);
        return ({ links }) => addNew(links, linkKey(edge), edge);
      }
      case "labels.jsonl": {
        const label = objectReader(line, row).text("label");
        return ({ labels }) => addNew(labels, label, label);
      }
      case "comments.jsonl": {
        const comment = readComment(line, row);
        return ({ comments, keyOfRow }) => addNew(comments, keyOfRow(comment), comment);
      }
    }
  }

  #partsOf(id: string): IssueParts | undefined {
    const issue = this.#issues.get(id);
    const known = this.#parts.get(id);
    if (issue === undefined || known !== undefined) return known;
    const keyOf = commentKeys();
    const parts: IssueParts = {
      links: new Map((issue.links ?? []).map((edge) => [linkKey(edge), edge])),
      labels: new Map(issue.labels.map((label) => [label, label])),
      comments: new Map((issue.comments ?? []).map((comment) => [keyOf(comment), comment])),
      keyOfRow: commentKeys(),
    };
    this.#parts.set(id, parts);
    return parts;
  }
}

/**
 * Returns a function that returns the key of each comment of a list. The key is made from the comment's lasting id, or
 * from its content if it has no lasting id. Equal comments are numbered, so that each has its own key and none is lost.
 */
function commentKeys(): (comment: SourceComment) => string {
  const counts = new Map<string, number>();
  return (comment) => {
    const key = comment.id ?? contentHash(comment);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return JSON.stringify([key, count]);
  };
}

function linkKey({ kind, to }: SourceLink): string {
  return JSON.stringify([kind, to]);
}

function addNew<V>(map: Map<string, V>, key: string, value: V): boolean {
  if (map.has(key)) return false;
  map.set(key, value);
  return true;
}
