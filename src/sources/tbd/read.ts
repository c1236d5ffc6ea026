import { dirname, join } from "node:path";
import { isFile, isFolder, readTree } from "../files/folder.ts";
import { refuseOtherFolder } from "../files/recognise.ts";
import { brokenFileError, Faults } from "../files/refuse.ts";
import { readTextFile } from "../files/text-file.ts";
import { DATE_FIELDS, FIELD_RULES } from "../markdown/fields.ts";
import { isMarkdown, type MarkdownFile, readMarkdown } from "../markdown/files.ts";
import { readYaml } from "../markdown/front-matter.ts";
import { IdTable } from "../markdown/ids.ts";
import { issueOf } from "../markdown/issue.ts";
import { textOf } from "../markdown/values.ts";
import { LINKS, STATUSES } from "../markdown/words.ts";
import { keepInMetadata, leaveOut, see } from "../neutral/fields.ts";
import type { Mapping } from "../neutral/mapping.ts";
import { park, putOff } from "../neutral/park.ts";
import {
  collectIssues,
  type FieldRule,
  type OtherRecord,
  type SourceData,
  type SourceReader,
} from "../neutral/record.ts";

/** A rule for the field `hold`. tbd does not offer an issue as work while the issue is on hold. */
const hold: FieldRule = (value, mapped, issue, name) => {
  const word = textOf(value)?.toLowerCase();
  if (word !== "paused" && word !== "blocked") return keepInMetadata(value, mapped, issue, name);
  const label = `hold:${word}`;
  mapped.labels.add(label);
  const parked = (word === "paused" ? putOff : park)(mapped, `hold ${word}`);
  return { kind: "mapped", to: `label ${label}${parked}` };
};

/** Reads the folder of tbd: one Markdown file for each issue, and a file with the short ids that people use. */
export const TBD: SourceReader = {
  prefix: "tbd",
  rules: {
    ...FIELD_RULES,
    type: leaveOut("says only that the record is an issue"),
    kind: see("types"),
    version: leaveOut("counts the changes of the file"),
    hold,
  },
  dates: new Set([...DATE_FIELDS, "started_at", "hold_until"]),
  mapping: { statuses: STATUSES, types: {}, links: LINKS },
  read: async (path, mapping) => await readTbd(path, mapping),
};

async function readTbd(path: string, mapping: Mapping): Promise<SourceData> {
  if (path === "-") throw brokenFileError({}, "tbd is read from its folder", FOLDER_HINT);
  const root = await rootOf(path);
  const names = await shortIds(root);
  const prefix = await prefixOf(root, path);
  const tree = await readTree(join(root, "issues"), isMarkdown);
  const other: OtherRecord[] = tree.links.map(() => ({ other: "symbolic link" }));
  const found: (MarkdownFile & { readonly id: string })[] = [];
  const ids = new IdTable();
  const faults = new Faults();
  for await (const file of readMarkdown(tree.root, tree.files, faults)) {
    if (file === undefined) {
      other.push({ other: "file without front matter" });
      continue;
    }
    const inner = textOf(file.fields["id"]);
    if (inner === undefined) {
      faults.add(
        brokenFileError({ file: file.file }, "its front matter has no id", "run `tbd doctor`"),
      );
      continue;
    }
    const short = names.get(inner.replace(/^is-/, ""));
    const id = short === undefined ? inner : `${prefix}-${short}`;
    faults.collect(() => ids.addFile(id, file.file));
    ids.add(inner, id);
    found.push({ ...file, id });
  }
  faults.throwAny();
  const issues = found.map((file) => {
    const [body = "", ...notes] = file.body.split(/(?:^|\n)## Notes\n/i);
    const type = textOf(file.fields["kind"]);
    return issueOf(
      {
        ...file,
        body: body.trim(),
        type,
        ...(notes.length > 0 && { notes: notes.join("\n## Notes\n").trim() }),
      },
      mapping,
      (word) => ids.find(word),
    );
  });
  return await collectIssues([...issues, ...other]);
}

const FOLDER_HINT = "give the folder .tbd, or the checkout that has it";

/**
 * The places where the folder with the issues may be, relative to the given path. tbd keeps its data in a working copy
 * of a git branch.
 */
const PLACES = [
  "",
  "data-sync",
  ".tbd/data-sync",
  "data-sync-worktree/.tbd/data-sync",
  ".tbd/data-sync-worktree/.tbd/data-sync",
  ".git/tbd/data-sync-worktree/.tbd/data-sync",
  "../.git/tbd/data-sync-worktree/.tbd/data-sync",
];

async function rootOf(path: string): Promise<string> {
  for (const place of PLACES) {
    const root = join(path, place);
    if (await isFolder(join(root, "issues"))) return root;
  }
  await refuseOtherFolder("tbd", path);
  throw brokenFileError({}, `${path} has no issues of tbd`, FOLDER_HINT);
}

/** Returns the short id that people use for each id in the issue files. */
async function shortIds(root: string): Promise<ReadonlyMap<string, string>> {
  const path = join(root, "mappings/ids.yml");
  if (!(await isFile(path))) {
    throw brokenFileError(
      { file: path },
      "the file with the short ids is missing",
      "give the whole folder of tbd, with mappings/",
    );
  }
  const fields = readYaml(
    await readTextFile(path, 64 * 1024 * 1024, "mappings/ids.yml"),
    "mappings/ids.yml",
  );
  return new Map(
    Object.entries(fields).flatMap(([short, long]) => [[textOf(long) ?? "", short]] as const),
  );
}

/** Finds the prefix of the short ids in a configuration file in `root`, in a folder above it, or at the given path. */
async function prefixOf(root: string, given: string): Promise<string> {
  const around = [
    root,
    dirname(root),
    dirname(dirname(root)),
    dirname(dirname(dirname(root))),
    given,
    dirname(given),
  ];
  for (const folder of around) {
    for (const name of ["config.yml", ".tbd/config.yml"]) {
      const path = join(folder, name);
      if (!(await isFile(path))) continue;
      const display = readYaml(await readTextFile(path, 4 * 1024 * 1024, name), name)["display"];
      const prefix = textOf((display as { readonly id_prefix?: string } | undefined)?.id_prefix);
      if (prefix !== undefined) return prefix;
    }
  }
  throw brokenFileError(
    { file: given },
    "no config.yml says the prefix of its ids",
    "put the .tbd/config.yml of the project beside the folder",
  );
}
