import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { SvcError } from "../../contract/errors.ts";
import { isFile, isFolder, readTree } from "../files/folder.ts";
import { refuseOtherFolder } from "../files/recognise.ts";
import { brokenFileError, Faults } from "../files/refuse.ts";
import { readTextFile } from "../files/text-file.ts";
import { readTime } from "../files/times.ts";
import { DATE_FIELDS, FIELD_RULES } from "../markdown/fields.ts";
import { isMarkdown, type MarkdownFile, readMarkdown } from "../markdown/files.ts";
import { readYaml } from "../markdown/front-matter.ts";
import { IdTable } from "../markdown/ids.ts";
import { issueOf, statusOf } from "../markdown/issue.ts";
import { plainWord, textOf, textsOf } from "../markdown/values.ts";
import { LINKS, STATUSES } from "../markdown/words.ts";
import type { Mapping } from "../neutral/mapping.ts";
import {
  collectIssues,
  type OtherRecord,
  type SourceData,
  type SourceReader,
} from "../neutral/record.ts";
import { readSections } from "./sections.ts";

/** Reads the folder of Backlog.md: Markdown files with front matter in tasks/, completed/ and archive/tasks/. */
export const BACKLOG: SourceReader = {
  prefix: "backlog",
  rules: FIELD_RULES,
  dates: DATE_FIELDS,
  mapping: { statuses: STATUSES, types: {}, links: LINKS, parksMissingBlockers: true },
  read: async (path, mapping) => await readBacklog(path, mapping),
};

/**
 * The folders with the tasks to import. If several of them have a task with the same id, the task in the folder listed
 * first is imported.
 */
const FOLDERS = ["tasks", "completed", "archive/tasks"] as const;

/**
 * The folders with drafts, which are not imported. A draft gets another id when it becomes a task, so the same work
 * would be imported twice.
 */
const DRAFTS = ["drafts", "archive/drafts"];

async function readBacklog(path: string, mapping: Mapping): Promise<SourceData> {
  if (path === "-") throw brokenFileError({}, "Backlog.md is read from its folder", FOLDER_HINT);
  const root = await rootOf(path);
  const config = await readConfig(root);
  const tree = await readTree(root, isMarkdown);
  const other: OtherRecord[] = [
    ...tree.links.map(() => ({ other: "symbolic link" })),
    ...DRAFTS.flatMap((folder) => filesIn(tree.files, folder)).map(() => ({ other: "draft" })),
  ];
  const tasks = new Map<string, Task>();
  let superseded = 0;
  const faults = new Faults();
  for (const folder of FOLDERS) {
    for await (const found of readMarkdown(root, filesIn(tree.files, folder), faults)) {
      if (found === undefined) {
        other.push({ other: "file without front matter" });
        continue;
      }
      const id = faults.collect(() => idOf(found, config));
      if (id === undefined) continue;
      const task = { ...found, folder, id };
      const earlier = tasks.get(task.id);
      if (earlier !== undefined) {
        superseded += 1;
        if (!isCopy(task, earlier)) faults.add(sameId(task, earlier));
      }
      if (earlier === undefined || isNewer(task, earlier)) tasks.set(task.id, task);
    }
  }
  faults.throwAny();
  const ids = new IdTable();
  for (const id of tasks.keys()) ids.add(id, id);
  for (const id of tasks.keys()) for (const word of wordsFor(id)) ids.add(word, id);
  const issues = [...tasks.values()].map((task) => {
    const status = statusIn(task, mapping, config);
    const read = { ...task, ...readSections(task.body), status };
    return issueOf(read, mapping, (word) => fullId(ids.find(word), config));
  });
  const data = await collectIssues([...issues, ...other]);
  return { ...data, records: data.records + superseded, superseded };
}

function filesIn(files: readonly string[], folder: string): readonly string[] {
  return files.filter((file) => file.startsWith(`${folder}/`) && !/(^|\/)readme\.md$/i.test(file));
}

interface Task extends MarkdownFile {
  readonly id: string;
  readonly folder: (typeof FOLDERS)[number];
}

const FOLDER_HINT = "give the folder that has tasks/ and config.yml, usually backlog";

/**
 * Finds the folder that contains tasks/: the given folder, or backlog/ or .backlog/ in it. If the given folder is
 * tasks/ itself, returns the folder around it.
 */
async function rootOf(path: string): Promise<string> {
  const folder = basename(path) === "tasks" ? dirname(path) : path;
  for (const root of [folder, join(folder, "backlog"), join(folder, ".backlog")]) {
    if (await isFolder(join(root, "tasks"))) return root;
  }
  await refuseOtherFolder("backlog", path);
  throw brokenFileError({}, `${path} has no folder tasks`, FOLDER_HINT);
}

function idOf({ file, fields }: MarkdownFile, config: Config): string {
  const id = textOf(fields["id"]);
  if (id === undefined) {
    throw brokenFileError(
      { file },
      "its front matter has no id",
      "add `id: task-1` with the number of the task",
    );
  }
  return fullId(id, config);
}

/**
 * The id with its prefix, in lower case, because Backlog.md ignores case and its versions write ids in different cases.
 * An id that is only a number gets the prefix.
 */
function fullId(id: string, { prefix }: Config): string {
  return (/^\d/.test(id) ? `${prefix}-${id}` : id).toLowerCase();
}

/** Other names by which files may refer to a task: its number, and the number after `task-`, the default prefix. */
function wordsFor(id: string): readonly string[] {
  const number = /^[a-z]+-(\d[\d.]*)$/.exec(id)?.[1];
  return number === undefined ? [] : [number, `task-${number}`];
}

/**
 * Whether two files with the same id are copies of one task. If the title or the creation time differs, they are
 * different tasks, which can get the same id on two branches.
 */
function isCopy(task: Task, earlier: Task): boolean {
  const [one, other] = [task, earlier].map(({ fields }) => [
    textOf(fields["title"]),
    readTime(fields["created_date"]),
  ]);
  return isDeepStrictEqual(one, other);
}

function sameId({ file, id }: Task, earlier: Task): SvcError {
  return brokenFileError(
    { file },
    `it has the id ${id}, as another task in ${earlier.file} has`,
    "give one of them another id",
  );
}

function isNewer(task: Task, earlier: Task): boolean {
  if (task.folder !== earlier.folder) return false;
  const [a, b] = [task, earlier].map(({ fields }) => readTime(fields["updated_date"]) ?? "");
  return (a ?? "") >= (b ?? "");
}

/**
 * Returns the status of a task. A status that closes or deletes the issue by the mapping is returned unchanged. Any
 * other status is replaced in these cases:
 * - The last status in the configuration becomes `done`, whatever its name is.
 * - A task in the folder completed/ becomes `done`, and a task in the folder archive/tasks/ becomes `archived`.
 */
function statusIn(task: Task, mapping: Mapping, { terminal }: Config): string {
  const word = statusOf(task.fields, mapping);
  const rule = Object.hasOwn(mapping.statuses, word) ? mapping.statuses[word] : undefined;
  if (rule !== undefined && rule.status !== "open") return word;
  if (plainWord(word) === terminal || task.folder === "completed") return "done";
  return task.folder === "archive/tasks" ? "archived" : word;
}

interface Config {
  /** The last status in the configuration, as `plainWord` spells it. */
  readonly terminal: string | undefined;
  readonly prefix: string;
}

async function readConfig(root: string): Promise<Config> {
  for (const name of ["config.yml", "config.yaml", "../backlog.config.yml"]) {
    const path = join(root, name);
    if (!(await isFile(path))) continue;
    const fields = readYaml(await readTextFile(path, 1024 * 1024, name), name);
    const last = textsOf(fields["statuses"]).at(-1);
    return {
      terminal: last === undefined ? undefined : plainWord(last),
      prefix: textOf(fields["task_prefix"]) ?? DEFAULT_PREFIX,
    };
  }
  return { terminal: undefined, prefix: DEFAULT_PREFIX };
}

const DEFAULT_PREFIX = "task";
