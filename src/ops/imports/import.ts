import { NeedsWorker } from "../../base/budget.ts";
import { SvcError } from "../../contract/errors.ts";
import type { importIssues as contract } from "../../contract/imports.ts";
import type { Output } from "../../contract/route.ts";
import { checkNewMetadata } from "../../domain/metadata.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";
import { type ImportItem, readBatch } from "./batch.ts";
import { importComments } from "./comments.ts";
import {
  createIssues,
  fieldsDiffer,
  type ImportedFields,
  importFields,
  type Where,
} from "./fields.ts";
import { importLinks, linksDiffer } from "./links.ts";

/**
 * Imports issues of another tracker in one transaction (facts http-api 3.13). Issues are recognized by `source` and
 * `external_id` and updated unless they changed here after the source last changed them. So repeating an import changes
 * nothing, and older data never replaces work done here.
 */
export const importIssues: Op<typeof contract, "store" | "ids" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, body },
) => {
  const actor = actorOf(who, body.actor);
  checkItems(body.items);
  if (deps.smallWorkOnly === true && !isSmall(body.items)) throw new NeedsWorker();
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const batch = await readBatch({ tx, ids: deps.ids }, project, body);
    const where: Where = { tx, ids: deps.ids, project, actor, source: body.source, batch };
    await createIssues(where, body.items);
    const begun: Begun[] = [];
    for (const item of body.items) begun.push(await importText(where, item));
    const outcomes: Outcome[] = [];
    for (const one of begun) outcomes.push(await finish(where, one));
    return report(body.source, outcomes);
  });
};

/** How many issues, comments and links are written on the daemon's own thread: some milliseconds of work. */
const LITTLE = 10;

/** An empty list announces a large import: the write worker starts while the client still reads its file. */
function isSmall(items: readonly ImportItem[]): boolean {
  const size = items.reduce((sum, { comments = [], links = [] }) => {
    return sum + 1 + comments.length + links.length;
  }, 0);
  return size > 0 && size <= LITTLE;
}

/** An item whose issue and comments are written; its links follow once all issues exist. */
interface Begun extends ImportedFields {
  readonly item: ImportItem;
  readonly comments: number;
}

/** Imports the fields and the comments; only a deleted issue gets no comments. */
async function importText(where: Where, item: ImportItem): Promise<Begun> {
  const fields = await importFields(where, item);
  const comments = isDeleted(fields) ? 0 : await importComments(where, fields.uid, item);
  return { ...fields, item, comments };
}

function isDeleted({ issue }: ImportedFields): boolean {
  return issue !== undefined && issue.deleted_at !== null;
}

interface Outcome {
  readonly external_id: string;
  readonly issue_short_id: string;
  readonly status: "created" | "updated" | "unchanged";
  readonly reason?: string;
  readonly comments: number;
  readonly links: number;
  readonly errors: readonly string[];
}

/** Imports the links and reports the outcome, with the reason if something was left out. */
async function finish(where: Where, begun: Begun): Promise<Outcome> {
  const { item, uid, short_id, comments, kept } = begun;
  const none = { added: 0, errors: [] };
  const { added: links, errors } = kept === undefined ? await importLinks(where, uid, item) : none;
  const grew = begun.status === "unchanged" && comments + links > 0;
  return {
    external_id: item.external_id,
    issue_short_id: short_id,
    status: grew ? "updated" : begun.status,
    ...(kept !== undefined && (await differs(where, begun)) ? { reason: kept } : {}),
    comments,
    links,
    errors,
  };
}

async function differs(where: Where, { item, issue, uid }: Begun): Promise<boolean> {
  if (issue === undefined) return false;
  return (
    issue.deleted_at !== null ||
    (await fieldsDiffer(where, issue, item)) ||
    (await linksDiffer(where, uid, item))
  );
}

function checkItems(items: readonly ImportItem[]): void {
  const seen = new Set<string>();
  for (const [at, { external_id, metadata, status, closed_at }] of items.entries()) {
    if (seen.has(external_id)) throw invalid(at, `external_id ${external_id} is there twice`);
    seen.add(external_id);
    if (status === "open" && closed_at !== undefined)
      throw invalid(at, "is open and has closed_at");
    if (metadata !== undefined) checkNewMetadata(metadata);
  }
}

function invalid(at: number, message: string): SvcError {
  const field = `items[${at}]`;
  return new SvcError("validation", { field }, { message: `${field}: ${message}` });
}

function report(source: string, outcomes: readonly Outcome[]): Output<typeof contract> {
  const sum = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const having = (status: Outcome["status"]): number =>
    sum((outcome) => (outcome.status === status ? 1 : 0));
  return {
    source,
    created: having("created"),
    updated: having("updated"),
    unchanged: having("unchanged"),
    comments: sum(({ comments }) => comments),
    links: sum(({ links }) => links),
    items: outcomes.map(({ external_id, issue_short_id, status, reason }) => ({
      external_id,
      issue_short_id,
      status,
      ...(reason === undefined ? {} : { reason }),
    })),
    errors: outcomes.flatMap(({ errors }) => errors),
  };
}
