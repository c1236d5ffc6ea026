import type { Catalog } from "./catalog.ts";
import type { Reach } from "./scope.ts";
import { SECTION_NAMES, type Section } from "./sections.ts";
import { shortened } from "./views.ts";

/**
 * Returns the text that an agent reads before its first call, at most 1 KB long. It says which projects the server
 * reaches and how to work with it.
 */
export function instructionsFor(
  reach: Reach,
  names: readonly string[],
  actor: string,
  catalog: Pick<Catalog, "isLoaded" | "named">,
): string {
  const who = JSON.stringify(shortened(actor, MAX_NAME_BYTES));
  const howTo = catalog.named(`${loadText(catalog)}${WORK_TEXT}`);
  return `${scopeText(reach, names)} You write as ${who}.\n${howTo}`;
}

const WORK_TEXT = `Take work: svc.claim without ref takes the next ready issue and answers its text; svc.next only looks.
After losing context: svc.list with owner (your name) and status open, then svc.show.
Report progress with svc.comment. To hand over, comment what is left and set or clear the owner with svc.edit.
Before filing, look with svc.search; then svc.create with a new idempotency_key. Link follow-ups with parent, blocks or related.
Finish with svc.close: reason, message and evidence.
Answers are short: next_cursor and body_offset lead to the rest.`;

/** The sections of tools that an agent needs to find, do and finish work. */
const WORK_SECTIONS: readonly Section[] = ["issue_discovery", "issue_mutation", "issue_lifecycle"];

function loadText(catalog: Pick<Catalog, "isLoaded">): string {
  const missing = WORK_SECTIONS.filter((section) => !catalog.isLoaded(section));
  if (missing.length > 0)
    return `Call a loader first, svc.load_…: it adds its tools. You need ${missing.join(", ")}.\n`;
  const isAll = SECTION_NAMES.every((section) => catalog.isLoaded(section));
  return isAll ? "" : "svc.load_… add further tools.\n";
}

/** At most this many names are listed, each cut to `MAX_NAME_BYTES`, because the whole text may have only 1 KB. */
const MAX_NAMES = 5;
const MAX_NAME_BYTES = 40;

function scopeText(reach: Reach, names: readonly string[]): string {
  if (reach.kind === "project")
    return `This is the issue tracker of project ${JSON.stringify(shortened(reach.name, MAX_NAME_BYTES))}; refs are short ids such as ab3d.`;
  const refs = "refs are project#short_id";
  if (reach.kind === "all") return `This is the issue tracker of all projects; ${refs}.`;
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => JSON.stringify(shortened(name, MAX_NAME_BYTES)));
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `This is the issue tracker of projects ${shown.join(", ")}${more}; ${refs}.`;
}
