// The form of a file: front matter, a heading, text, and comments below a line `<!-- comments -->`.
import { createHash, randomBytes } from "node:crypto";
import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";

const COMMENTS = /^<!-- comments -->\s*$/;
const COMMENT = /^<!-- comment (.*?)-->\s*$/;
const NAME = /^[^/\\\0]+\.md$/;

/** An error that the connector answers with. Its message may be shown to anybody. */
function refusal(code, message) {
  return Object.assign(new Error(message), { code, isAnswer: true });
}

export function settingsFault({ folder }) {
  if (typeof folder === "string" && isAbsolute(folder)) return undefined;
  return { code: "invalid_settings", message: "settings.folder is no absolute path" };
}

export function findByName(folder, name) {
  const isThere = NAME.test(name) && readdirSync(folder).includes(name);
  if (!isThere) throw refusal("root_not_found", "there is no file of this name");
  return read(join(folder, name));
}

export function findByKey(folder, key) {
  const names = readdirSync(folder).filter((name) => NAME.test(name));
  const found = names.map((name) => read(join(folder, name))).filter(({ head }) => head.id === key);
  if (found.length === 1) return found[0];
  if (found.length > 1) throw refusal("conflict", "two files have the same id");
  throw refusal("root_not_found", "no file has this id");
}

/** @returns {{ path: string, text: string, changedAt: number, head: Record<string, string>, title: string, body: string, comments: object[] }} */
function read(path) {
  const text = readFileSync(path, "utf8");
  const lines = text.split("\n");
  const { head, rest } = headOf(lines);
  const at = rest.findIndex((line) => COMMENTS.test(line));
  const own = at === -1 ? rest : rest.slice(0, at);
  const start = own.findIndex((line) => line.trim() !== "");
  const [, title] = /^#\s+(.*?)\s*$/.exec(own[start] ?? "") ?? [];
  return {
    ...{ path, text, head },
    changedAt: Math.floor(statSync(path).mtimeMs),
    title: title ?? path.replace(/^.*[\\/]/, "").replace(/\.md$/, ""),
    body: own
      .slice(title === undefined ? 0 : start + 1)
      .join("\n")
      .trim(),
    comments: at === -1 ? [] : readComments(rest.slice(at + 1)),
  };
}

function headOf(lines) {
  const end =
    lines[0]?.trim() === "---"
      ? lines.findIndex((line, at) => at > 0 && line.trim() === "---")
      : -1;
  if (end === -1) return { head: {}, rest: lines };
  const pairs = lines.slice(1, end).flatMap((line) => {
    const [, name, value] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  return { head: Object.fromEntries(pairs), rest: lines.slice(end + 1) };
}

/** Sets or removes lines of the front matter, and leaves all others as they are. */
function withHead(text, changes) {
  const lines = text.split("\n");
  const { rest } = headOf(lines);
  const old = rest === lines ? [] : lines.slice(1, lines.length - rest.length - 1);
  const kept = old.filter((line) => !Object.hasOwn(changes, /^(\w+):/.exec(line)?.[1] ?? ""));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return ["---", ...kept, ...added, "---", ...rest].join("\n");
}

// A comment is a line `<!-- comment … -->` and the text below it. The line says what svc needs: `id`, `by`, `at`; `sum`,
// a digest of the text, by which an edit is seen, and `edited`, the time of the last one; `op`, the operation that
// published it; `pad`, how many line breaks its text has at its ends; and `deleted`.

function readComments(lines) {
  const blocks = [];
  for (const line of lines) {
    const [, words] = COMMENT.exec(line) ?? [];
    if (words !== undefined) blocks.push({ words, lines: [] });
    else blocks.at(-1)?.lines.push(line);
  }
  return blocks.map(({ words, lines: text }) => {
    const pairs = words
      .trim()
      .split(/\s+/)
      .map((word) => word.split("="));
    const { id, by, at, sum, edited, op, pad = "0,0" } = Object.fromEntries(pairs);
    const isDeleted = pairs.some(([name]) => name === "deleted");
    const [before, after] = pad.split(",").map((count) => "\n".repeat(Number(count)));
    const inner = text.join("\n").replace(/^\n+|\n+$/g, "");
    const body = before + inner.replaceAll(/^\\(?=\\*<!-- comment)/gm, "") + after;
    return {
      id,
      by,
      at: Number.isNaN(Date.parse(at)) ? undefined : at,
      sum,
      edited,
      op,
      isDeleted,
      body,
    };
  });
}

function commentText({ isDeleted, body, ...known }) {
  const inner = body.replace(/^\n+|\n+$/g, "");
  const before = body.length - body.replace(/^\n+/, "").length;
  const pad = `${before},${body.length - inner.length - before}`;
  const words = Object.entries({ ...known, pad: pad === "0,0" ? undefined : pad });
  const said = words.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const line = ["<!-- comment", ...said, ...(isDeleted ? ["deleted"] : []), "-->"].join(" ");
  return `${line}\n${inner.replaceAll(/^(?=\\*<!-- comment)/gm, "\\")}\n`;
}

/** Replaces what is below the line `<!-- comments -->`. */
function withComments(text, comments) {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => COMMENTS.test(line));
  const own = (at === -1 ? lines : lines.slice(0, at)).join("\n").trimEnd();
  return `${own}\n\n<!-- comments -->\n\n${comments.map(commentText).join("\n")}`;
}

/** Writes a new file and renames it, unless somebody has changed the file since it was read. */
export function save(file, text) {
  const draft = `${file.path}.${randomBytes(6).toString("hex")}.tmp`;
  writeFileSync(draft, text);
  if (readFileSync(file.path, "utf8") === file.text) renameSync(draft, file.path);
  else {
    rmSync(draft);
    throw refusal("conflict", "the file was changed just now");
  }
  return read(file.path);
}

/**
 * Writes into the file what svc needs and a person does not write: ids, and the times of comments and of their edits.
 * The file keeps the time of its last change.
 */
export function withIds(file) {
  const now = new Date(file.changedAt).toISOString();
  const comments = file.comments.map((comment) => {
    const sum = digest(comment.body, String(comment.isDeleted));
    const isEdited = comment.sum !== undefined && comment.sum !== sum;
    return {
      id: comment.id ?? randomBytes(8).toString("hex"),
      ...{ by: comment.by ?? "somebody", at: comment.at ?? now, sum },
      edited: isEdited ? now : comment.edited,
      ...{ op: comment.op, isDeleted: comment.isDeleted, body: comment.body },
    };
  });
  const isNew = comments.some(({ id, at, sum }, place) => {
    const old = file.comments[place];
    return old.id !== id || old.at !== at || old.sum !== sum;
  });
  const { id = randomBytes(8).toString("hex") } = file.head;
  const text = file.head.id === undefined ? withHead(file.text, { id }) : file.text;
  if (!isNew && text === file.text) return file;
  const saved = save(file, isNew ? withComments(text, comments) : text);
  utimesSync(saved.path, file.changedAt / 1000, file.changedAt / 1000);
  return { ...saved, changedAt: file.changedAt };
}

function digest(...texts) {
  return createHash("sha256").update(texts.join("\0")).digest("hex").slice(0, 16);
}

function accountOf(folder) {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}

export function rootOf({ head, title, body, changedAt }, folder) {
  const state = head.state === "done" ? "complete" : "open";
  return {
    ...{ key: head.id, identity_key: accountOf(folder), title, body },
    ...{ state, revision: digest(title, body, state, String(changedAt)) },
    updated_at: new Date(changedAt).toISOString(),
    observed_at: new Date(Math.max(Date.now(), changedAt)).toISOString(),
  };
}

export function completed(file) {
  if (file.head.state !== "done") save(file, withHead(file.text, { state: "done" }));
}

export function commentsOf({ comments }) {
  return comments.map(commentOf).sort(inOrder);
}

function commentOf({ id, by, at, edited, isDeleted, body }) {
  const created = Date.parse(at);
  // A file does not say when a comment was edited: at the last change of the file before the edit was seen.
  const updated = edited === undefined ? created : Math.max(Date.parse(edited), created + 1);
  return {
    ...{ id, revision: digest(body, String(isDeleted), String(updated)), body },
    ...{ author: { id: by }, created_at: new Date(created).toISOString() },
    ...{ updated_at: new Date(updated).toISOString(), deleted: isDeleted },
  };
}

function inOrder(left, right) {
  if (left.created_at !== right.created_at) return left.created_at < right.created_at ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}

/** Adds a comment, unless an earlier attempt of the same operation has added it. */
export function published(given, { body, operation_id, author }) {
  const file = withIds(given);
  const earlier = file.comments.find(({ op }) => op === operation_id);
  if (earlier !== undefined) return commentOf(earlier);
  const comment = {
    ...{ id: randomBytes(8).toString("hex"), by: author, at: new Date().toISOString() },
    ...{ sum: digest(body, "false"), op: operation_id, isDeleted: false, body },
  };
  const saved = save(file, withComments(file.text, [...file.comments, comment]));
  return commentsOf(saved).find(({ id }) => id === comment.id);
}

// A field is a line of the front matter: `due: 2026-03-01`, `due: 2026-03-01T10:00:00Z` or
// `due: 2026-03-01T10:00:00 Europe/Berlin`.

export function valuesOf(file, ids) {
  return Object.fromEntries(ids.map((id) => [id, valueOf(file, id)]));
}

function valueOf({ head, changedAt }, id) {
  if (id === "changed") return { kind: "instant", value: new Date(changedAt).toISOString() };
  if (id !== "due" && id !== "scheduled")
    throw refusal("field_not_found", "there is no such field");
  const [value, timezone] = (head[id] ?? "").split(/\s+/);
  if (value === "") return { kind: "null" };
  if (timezone !== undefined) return { kind: "local_datetime", value, timezone };
  return { kind: value.endsWith("Z") ? "instant" : "date", value };
}

export function written(file, { fields, expected }) {
  const ids = Object.keys(fields);
  if (ids.some((id) => id === "changed")) throw refusal("read_only", "the field cannot be written");
  const isExpected = ids.every((id) => same(valueOf(file, id), expected[id] ?? {}));
  if (!isExpected) throw refusal("field_conflict", "the value is not the expected one");
  const lines = Object.entries(fields).map(([id, { value, timezone }]) => [
    id,
    value === undefined ? undefined : [value, timezone].filter(Boolean).join(" "),
  ]);
  return valuesOf(save(file, withHead(file.text, Object.fromEntries(lines))), ids);
}

function same(left, right) {
  const isInstant = left.kind === "instant" && right.kind === "instant";
  if (isInstant) return Date.parse(left.value) === Date.parse(right.value);
  return ["kind", "value", "timezone"].every((name) => left[name] === right[name]);
}

/** Changes a comment as a person would who edits the file, who does not write `sum` and `edited`. */
export function edited(file, id, changes) {
  const comments = file.comments.map((one) => (one.id === id ? { ...one, ...changes } : one));
  save(file, withComments(file.text, comments));
}
