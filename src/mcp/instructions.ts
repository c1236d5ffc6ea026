import type { Reach } from "./scope.ts";

/**
 * Returns the text that an agent reads before its first call, at most 1 KB: which projects the server reaches, and how
 * to work with it.
 */
export function instructionsFor(reach: Reach, names: readonly string[], actor: string): string {
  return `${scopeText(reach, names)} Writes are made as ${JSON.stringify(shortened(actor))}.
Tools appear after you call their svc.load_… loader; start with load_issue_discovery, load_issue_mutation and load_issue_lifecycle.
Find free work: svc.next. Take it: svc.claim. If another owns it, take another one.
After losing context: svc.list with owner set to your name and status open, then svc.show.
Report progress and hand over with svc.comment; to hand over, also svc.edit with owner or clear_owner.
Search before filing: svc.search, then svc.create with a new idempotency_key; link follow-ups with parent, blocks or related.
Finish with svc.close: a reason, what you did, and evidence.
Answers are short: follow next_cursor and body_offset for the rest.`;
}

/** More names, or longer ones, are cut, because the text may have at most 1 KB. */
const MAX_NAMES = 5;
const MAX_NAME_CHARACTERS = 40;

function scopeText(reach: Reach, names: readonly string[]): string {
  if (reach.kind === "project")
    return `This is the issue tracker of project ${JSON.stringify(shortened(reach.name))}; refs are short ids such as ab3d.`;
  const refs = "refs are project#short_id";
  if (reach.kind === "all") return `This is the issue tracker of all projects; ${refs}.`;
  const shown = names.slice(0, MAX_NAMES).map((name) => JSON.stringify(shortened(name)));
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `This is the issue tracker of projects ${shown.join(", ")}${more}; ${refs}.`;
}

function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_NAME_CHARACTERS) return name;
  return `${characters.slice(0, MAX_NAME_CHARACTERS).join("")}…`;
}
