import type { Issue } from "./issues.ts";

/** The issue that a write is about, as routes and people name it. */
export interface At {
  readonly uid: string;
  readonly project_id: number;
  readonly ref: string;
  /** `project#short_id` */
  readonly name: string;
}

export function atOf(issue: Issue): At {
  const { uid, project_id, short_id: ref, qualified_id: name } = issue;
  return { uid, project_id, ref, name };
}

export type LinkChange =
  | { readonly set_parent: string }
  | { readonly remove_parent: string }
  | { readonly add_blocked_by: readonly string[] }
  | { readonly remove_blocked_by: readonly string[] }
  | { readonly add_related: readonly string[] }
  | { readonly remove_related: readonly string[] };

/** One change, as one operation of the daemon makes it. */
export type Write =
  | {
      readonly act: "create";
      readonly project_id: number;
      readonly title: string;
      readonly body: string;
      readonly owner: string | undefined;
      readonly priority: number | undefined;
      readonly labels: readonly string[];
      readonly parent: string | undefined;
      readonly key: string;
      readonly force_new: boolean;
    }
  | {
      readonly act: "edit";
      readonly at: At;
      readonly title: string | undefined;
      readonly body: string | undefined;
      /** Refused when somebody changed the issue since. */
      readonly revision: number | undefined;
    }
  | { readonly act: "link"; readonly at: At; readonly change: LinkChange }
  | { readonly act: "comment"; readonly at: At; readonly body: string; readonly key: string }
  | {
      readonly act: "close";
      readonly at: At;
      readonly reason: string | undefined;
      readonly message: string | undefined;
      readonly evidence: { readonly type: string; readonly value: string } | undefined;
    }
  | { readonly act: "reopen"; readonly at: At }
  | { readonly act: "assign"; readonly at: At; readonly owner: string }
  | { readonly act: "unassign"; readonly at: At }
  | { readonly act: "label"; readonly at: At; readonly label: string }
  | { readonly act: "unlabel"; readonly at: At; readonly label: string }
  | { readonly act: "priority"; readonly at: At; readonly priority: number | undefined }
  | {
      readonly act: "metadata";
      readonly at: At;
      readonly patch: Readonly<Record<string, string | boolean | null>>;
    }
  | { readonly act: "delete"; readonly at: At }
  | { readonly act: "restore"; readonly at: At }
  | {
      readonly act: "move";
      readonly at: At;
      readonly to: { readonly uid: string; readonly name: string };
    }
  | { readonly act: "notify"; readonly at: At; readonly to: string; readonly message: string }
  | {
      readonly act: "clear";
      readonly at: At;
      readonly to: string;
      readonly event_uid: string | undefined;
    }
  | { readonly act: "release"; readonly at: At; readonly reason: string }
  | { readonly act: "steal"; readonly at: At };

/** The `svc` command that does the same, for the log of this session. */
export function commandOf(write: Write): string {
  return `svc ${words(write).map(quoted).join(" ")}`;
}

function words(write: Write): readonly string[] {
  switch (write.act) {
    case "create":
      return [
        "create",
        write.title,
        ...option("--body", write.body),
        ...option("--owner", write.owner),
        ...option("--priority", write.priority?.toString()),
        ...write.labels.flatMap((label) => ["--label", label]),
        ...option("--parent", write.parent),
      ];
    case "edit":
      return [
        "edit",
        write.at.name,
        ...option("--title", write.title),
        ...option("--body", write.body),
      ];
    case "link":
      return ["edit", write.at.name, ...linkWords(write.change)];
    case "comment":
      return ["comment", write.at.name, "--body", write.body];
    case "close":
      return [
        "close",
        write.at.name,
        ...option("--reason", write.reason),
        ...option("--message", write.message),
      ];
    case "reopen":
      return ["reopen", write.at.name];
    case "assign":
      return ["assign", write.at.name, write.owner];
    case "unassign":
      return ["unassign", write.at.name];
    case "label":
      return ["label", "add", write.at.name, write.label];
    case "unlabel":
      return ["label", "rm", write.at.name, write.label];
    case "priority":
      return ["edit", write.at.name, "--priority", write.priority?.toString() ?? "-"];
    case "metadata":
      return [
        "meta",
        "set",
        write.at.name,
        ...Object.entries(write.patch).flatMap(([key, value]) => [key, String(value)]),
      ];
    case "delete":
      return ["delete", write.at.name, "--force"];
    case "restore":
      return ["restore", write.at.name];
    case "move":
      return ["move", write.at.name, write.to.name];
    case "notify":
      return ["notify", write.at.name, "--to", write.to, "--message", write.message];
    case "clear":
      return ["notify", write.at.name, "--to", write.to, "--clear"];
    case "release":
      return ["lease", "force-release", write.at.name, "--reason", write.reason];
    case "steal":
      return ["lease", "steal", write.at.name];
  }
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === "" ? [] : [name, value];
}

function linkWords(change: LinkChange): readonly string[] {
  return Object.entries(change).flatMap(([name, refs]) => {
    const flag = `--${LINK_FLAGS[name] ?? name}`;
    return [refs].flat().flatMap((ref: string) => [flag, ref]);
  });
}

const LINK_FLAGS: Readonly<Record<string, string>> = {
  set_parent: "parent",
  remove_parent: "remove-parent",
  add_blocked_by: "blocked-by",
  remove_blocked_by: "remove-blocked-by",
  add_related: "related",
  remove_related: "remove-related",
};

function quoted(word: string): string {
  return /^[\w#./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What the person reads while it happens and when it is done. */
export function wordOf(write: Write): { readonly doing: string; readonly done: string } {
  const name = write.act === "create" ? `"${write.title}"` : write.at.name;
  const [doing, done] = VERBS[write.act];
  return { doing: `${doing} ${name}`, done: `${done} ${name}` };
}

const VERBS: Readonly<Record<Write["act"], readonly [string, string]>> = {
  create: ["creating", "created"],
  edit: ["saving", "saved"],
  link: ["linking", "linked"],
  comment: ["commenting on", "commented on"],
  close: ["closing", "closed"],
  reopen: ["reopening", "reopened"],
  assign: ["assigning", "assigned"],
  unassign: ["unassigning", "unassigned"],
  label: ["labelling", "labelled"],
  unlabel: ["taking a label off", "took a label off"],
  priority: ["setting the priority of", "set the priority of"],
  metadata: ["saving the dates of", "saved the dates of"],
  delete: ["deleting", "deleted"],
  restore: ["restoring", "restored"],
  move: ["moving", "moved"],
  notify: ["asking about", "asked about"],
  clear: ["clearing the request on", "cleared the request on"],
  release: ["releasing", "released"],
  steal: ["taking over", "took over"],
};

/** What takes a write back, from the issue as it was before; `undefined` where nothing does. */
export function inverseOf(write: Write, before: Issue | undefined): Write | undefined {
  if (write.act === "create" || before === undefined) return undefined;
  const { at } = write;
  switch (write.act) {
    case "edit":
      return {
        act: "edit",
        at,
        title: write.title === undefined ? undefined : before.title,
        body: write.body === undefined ? undefined : before.body,
        revision: undefined,
      };
    case "close":
      return { act: "reopen", at };
    case "reopen":
      return { act: "close", at, reason: undefined, message: undefined, evidence: undefined };
    case "assign":
    case "unassign":
      return before.owner === undefined
        ? { act: "unassign", at }
        : { act: "assign", at, owner: before.owner };
    case "label":
      return before.labels.includes(write.label)
        ? undefined
        : { act: "unlabel", at, label: write.label };
    case "unlabel":
      return { act: "label", at, label: write.label };
    case "priority":
      return { act: "priority", at, priority: before.priority };
    case "metadata":
      return { act: "metadata", at, patch: metadataBefore(write.patch, before) };
    case "delete":
      return { act: "restore", at };
    case "restore":
      return { act: "delete", at };
    case "link":
      return inverseLink(write.change, at, before);
    case "comment":
    case "move":
    case "notify":
    case "clear":
    case "release":
    case "steal":
      return undefined;
  }
}

function metadataBefore(
  patch: Readonly<Record<string, unknown>>,
  { metadata }: Issue,
): Record<string, string | boolean | null> {
  return Object.fromEntries(
    Object.keys(patch).map((key) => {
      const value = metadata[key];
      return [key, typeof value === "string" || typeof value === "boolean" ? value : null];
    }),
  );
}

function inverseLink(change: LinkChange, at: At, before: Issue): Write | undefined {
  const undo = (inverse: LinkChange): Write => ({ act: "link", at, change: inverse });
  if ("set_parent" in change) {
    return before.parent === undefined
      ? undo({ remove_parent: change.set_parent })
      : undo({ set_parent: before.parent });
  }
  if ("remove_parent" in change) return undo({ set_parent: change.remove_parent });
  if ("add_blocked_by" in change) return undo({ remove_blocked_by: change.add_blocked_by });
  if ("remove_blocked_by" in change) return undo({ add_blocked_by: change.remove_blocked_by });
  if ("add_related" in change) return undo({ remove_related: change.add_related });
  return undo({ add_related: change.remove_related });
}
