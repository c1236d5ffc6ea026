import { sha256Hex } from "../../base/hash.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { MAX_SOURCE_CHARACTERS } from "../../contract/limits.ts";
import { githubFileId } from "../../domain/issue-sync/github.ts";
import { jsonObjects, type ObjectAt } from "../files/json-objects.ts";
import { readSourceText, refuseOther } from "../files/recognise.ts";
import { brokenFileError } from "../files/refuse.ts";
import { readTime } from "../files/times.ts";
import {
  collectIssues,
  lastingId,
  type OtherRecord,
  type SourceComment,
  type SourceData,
  type SourceIssue,
  type SourceReader,
} from "../neutral/record.ts";
import { DATE_FIELDS, FIELD_RULES, loginOf } from "./fields.ts";
import { linksOf, repositoryOf } from "./links.ts";

/** Reads the output of `gh issue list --json` or `gh api repos/{owner}/{repo}/issues`. */
export const GITHUB: SourceReader = {
  prefix: "github",
  rules: FIELD_RULES,
  dates: DATE_FIELDS,
  mapping: {
    statuses: { open: { status: "open" }, closed: { status: "closed" } },
    types: {},
    links: {
      parent: "parent",
      "sub-issue": "child",
      "blocked by": "blocked-by",
      blocking: "blocks",
    },
  },
  read: async (path) => await readGithub(await readSourceText("github", path)),
};

/** Pull requests are not imported, because they propose code and are not work to take. */
const PULL_REQUEST: OtherRecord = { other: "pull request" };

export async function readGithub(text: string): Promise<SourceData> {
  let repository: string | undefined;
  const records = function* (): Generator<SourceIssue | OtherRecord> {
    for (const { line, fields } of jsonObjects(text)) {
      if (isPullRequest(fields)) {
        yield PULL_REQUEST;
        continue;
      }
      const issue = readIssue({ line, fields });
      repository ??= issue.repository;
      if (issue.repository !== repository) {
        throw brokenFileError(
          { line },
          `the file has issues of ${repository} and of ${issue.repository}`,
          "import one repository at a time",
        );
      }
      yield issue;
    }
  };
  const data = await collectIssues(records());
  return repository === undefined ? data : { ...data, source: importSourceName(repository) };
}

function isPullRequest(fields: JsonObject): boolean {
  return (
    fields["pull_request"] !== undefined ||
    fields["__typename"] === "PullRequest" ||
    fields["headRefName"] !== undefined ||
    /\/pull\/\d+$/.test(textOf(fields["html_url"]) ?? textOf(fields["url"]) ?? "")
  );
}

/**
 * The name under which the daemon remembers where issues were imported from. It contains the name of the repository,
 * because each repository numbers its issues from 1.
 */
export function importSourceName(repository: string): string {
  const name = `github:${repository.toLowerCase()}`;
  if (name.length <= MAX_SOURCE_CHARACTERS) return name;
  const mark = sha256Hex(name).slice(0, 8);
  return `${name.slice(0, MAX_SOURCE_CHARACTERS - mark.length - 1)}~${mark}`;
}

const FIELDS =
  "number,title,body,state,stateReason,labels,assignees,author,comments,createdAt,updatedAt,closedAt,milestone,url";

/**
 * The fields that every issue must have in the output of `gh`. If one were missing, the import would remove the values
 * that an earlier import has written.
 */
const ALWAYS = FIELDS.split(",").filter((name) => name !== "comments" && name !== "stateReason");

const EXPORT = `export with: gh issue list --state all --limit 10000 --json ${FIELDS}`;

function readIssue({ line, fields }: ObjectAt): SourceIssue & { readonly repository: string } {
  const { number, title, state } = fields;
  const rest = fields["html_url"] !== undefined;
  const needed = rest
    ? ["number", "title", "state", "labels", "created_at", "updated_at", "html_url"]
    : ALWAYS;
  const missing = needed.filter((name) => fields[name] === undefined);
  if (missing.length > 0) {
    refuseOther("github", { line }, fields);
    throw brokenFileError({ line }, `an issue without ${missing.join(", ")}`, EXPORT);
  }
  if (typeof number !== "number" || typeof title !== "string" || typeof state !== "string") {
    throw brokenFileError({ line }, "number is no number, or title or state no text", EXPORT);
  }
  const repository = repositoryOf(fields);
  if (repository === undefined) {
    throw brokenFileError({ line }, `issue ${number}: url is no address of an issue`, EXPORT);
  }
  const createdAt = readTime(fields["createdAt"] ?? fields["created_at"]);
  const updatedAt = readTime(fields["updatedAt"] ?? fields["updated_at"]);
  if (createdAt === undefined || updatedAt === undefined) {
    throw brokenFileError({ line }, `issue ${number} was created or updated at no instant`, EXPORT);
  }
  const id = githubFileId(number);
  return {
    id,
    title,
    status: state.toLowerCase(),
    type: nameOf(fields["issueType"]) ?? nameOf(fields["type"]),
    createdAt,
    updatedAt,
    links: linksOf(id, fields),
    comments: commentsOf(line, number, fields["comments"]),
    labels: labelsOf(line, number, fields["labels"]),
    fields,
    repository,
  };
}

function labelsOf(line: number, number: number, value: JsonValue | undefined): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw brokenFileError({ line }, `issue ${number}: labels is no list`, EXPORT);
  return value.flatMap((one: JsonValue) => (typeof one === "string" ? one : (nameOf(one) ?? [])));
}

/** The comments of an issue; `undefined` for the REST API, which gives only their number. */
function commentsOf(
  line: number,
  number: number,
  value: JsonValue | undefined,
): readonly SourceComment[] | undefined {
  if (value === undefined || typeof value === "number") return undefined;
  if (!Array.isArray(value))
    throw brokenFileError({ line }, `issue ${number}: comments is no list`, EXPORT);
  return value.map((entry: JsonValue) => {
    if (!isPlainObject(entry))
      throw brokenFileError({ line }, `issue ${number}: a comment is no object`, EXPORT);
    return {
      id: lastingId(entry["id"]),
      author: loginOf(entry["author"]) ?? "",
      text: textOf(entry["body"]) ?? "",
      createdAt: readTime(entry["createdAt"]),
    };
  });
}

function nameOf(value: JsonValue | undefined): string | undefined {
  return isPlainObject(value) ? textOf(value["name"]) : undefined;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
