import { readTree } from "../files/folder.ts";
import { refuseOtherFolder } from "../files/recognise.ts";
import { brokenFileError, Faults } from "../files/refuse.ts";
import type { Mapping } from "../neutral/mapping.ts";
import type { OtherRecord, SourceData, SourceIssue, SourceReader } from "../neutral/record.ts";
import { collectIssues } from "../neutral/record.ts";
import { DATE_FIELDS, FIELD_RULES } from "./fields.ts";
import { isMarkdown, type MarkdownFile, readMarkdown } from "./files.ts";
import { IdTable } from "./ids.ts";
import { issueOf } from "./issue.ts";
import { fieldOf } from "./roles.ts";
import { textOf } from "./values.ts";
import { LINKS, STATUSES } from "./words.ts";

/** Reads a folder of Markdown files, each with one issue described by its front matter. */
export const MARKDOWN: SourceReader = {
  prefix: "markdown",
  rules: FIELD_RULES,
  dates: DATE_FIELDS,
  mapping: {
    statuses: STATUSES,
    types: {
      template: { label: "type:template", notOffered: true },
      note: "ignore",
      doc: "ignore",
      document: "ignore",
      decision: "ignore",
      milestone: "ignore",
    },
    links: LINKS,
  },
  read: async (path, mapping) => await readFolder(path, mapping),
};

const NO_FRONT_MATTER: OtherRecord = { other: "file without front matter" };
const NO_ISSUE: OtherRecord = {
  other: "file whose front matter says neither id, title nor status",
};
const LINK: OtherRecord = { other: "symbolic link" };

async function readFolder(path: string, mapping: Mapping): Promise<SourceData> {
  if (path === "-") {
    throw brokenFileError({}, "Markdown is read from a folder", "give the folder as --input");
  }
  await refuseOtherFolder("markdown", path);
  const tree = await readTree(path, isMarkdown);
  const issues: (MarkdownFile & { readonly id: string })[] = [];
  const other: OtherRecord[] = tree.links.map(() => LINK);
  const ids = new IdTable();
  const faults = new Faults();
  for await (const found of readMarkdown(tree.root, tree.files, faults)) {
    if (found === undefined) other.push(NO_FRONT_MATTER);
    else if (!isIssue(found)) other.push(NO_ISSUE);
    else {
      const id = idOf(found);
      faults.collect(() => ids.addFile(id, found.file));
      issues.push({ ...found, id });
    }
  }
  faults.throwAny();
  for (const issue of issues) ids.add(issue.id, issue.id);
  for (const issue of issues) for (const word of wordsFor(issue)) ids.add(word, issue.id);
  if (issues.length === 0) {
    throw brokenFileError(
      {},
      `${path} has no Markdown file with front matter for an issue`,
      "give the folder whose files begin with --- and fields such as title and status",
    );
  }
  const records: (SourceIssue | OtherRecord)[] = issues.map((issue) =>
    issueOf(issue, mapping, (word) => ids.find(word)),
  );
  return await collectIssues([...records, ...other]);
}

function isIssue({ fields }: MarkdownFile): boolean {
  return (["id", "title", "status", "done"] as const).some(
    (role) => fieldOf(fields, role) !== undefined,
  );
}

/**
 * The id in the front matter, otherwise the path. A number such as `12` becomes `#12`, because the number alone would
 * look like a short id.
 */
function idOf({ file, fields }: MarkdownFile): string {
  const name = fieldOf(fields, "id");
  const id = name === undefined ? undefined : textOf(fields[name]);
  if (id === undefined) return withoutExtension(file);
  return /^\d+$/.test(id) ? `#${id.replace(/^0+(?=\d)/, "")}` : id;
}

function withoutExtension(file: string): string {
  return file.replace(/\.(md|markdown)$/i, "");
}

/** The names by which other files may refer to the issue: its path, its file name and its title. */
function wordsFor({ file, fields }: MarkdownFile): readonly string[] {
  const title = fieldOf(fields, "title");
  return [
    withoutExtension(file),
    withoutExtension(file.split("/").at(-1) ?? file),
    ...(title === undefined ? [] : [textOf(fields[title]) ?? ""]),
  ];
}
