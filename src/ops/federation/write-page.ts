import { NeedsWorker } from "../../base/budget.ts";
import { SvcError } from "../../contract/errors.ts";
import { MAX_FEDERATION_PAGE_BYTES } from "../../contract/limits.ts";
import type { Digest } from "../../domain/federation/digest.ts";
import type { Deps } from "../deps.ts";
import type { Replica } from "./bound-replica.ts";
import { type HubPage, PageRefused, parseHubPage } from "./hub-page.ts";
import { findUnchangedBinding } from "./replica.ts";
import { type SentPage, textOfPage } from "./sent-page.ts";

/** The answer of the hub, and the replica that it is for. It can be sent to a worker. */
export interface PageToWrite {
  readonly replica: Replica;
  readonly page: SentPage;
}

/**
 * - `written`: the events are in the log, and the cursor is behind them.
 * - `reset_required`: the replica must begin again; nothing was written.
 * - `gone`: the project is no longer bound as it was, or somebody else has read further; nothing was written.
 * - `refused`: the page may not be written; nothing was written. `code` says why.
 */
export type WrittenPage =
  | {
      readonly outcome: "written";
      readonly accepted: number;
      readonly more: boolean;
      /** The digest of the hub, if the page is the end of its log. */
      readonly digest?: Digest;
    }
  | { readonly outcome: "reset_required" }
  | { readonly outcome: "gone" }
  | { readonly outcome: "refused"; readonly code: string };

/** A page with more bytes than this is parsed and written in a worker. */
const SMALL_PAGE = 32 * 1024;

/**
 * Writes a page of the hub's events and moves the cursor behind it, in one transaction: a page with one bad event
 * changes nothing.
 */
export async function writePage(
  { store, smallWorkOnly }: Pick<Deps, "store" | "smallWorkOnly">,
  { replica, page }: PageToWrite,
): Promise<WrittenPage> {
  try {
    const text = await textWithin(
      page,
      smallWorkOnly === true ? SMALL_PAGE : MAX_FEDERATION_PAGE_BYTES,
    );
    if (text === undefined && smallWorkOnly === true) throw new NeedsWorker();
    if (text === undefined) throw new PageRefused("hub_validation", "the answer is too long");
    const parsed = parseHubPage(text, replica);
    if (parsed === "reset_required") return { outcome: "reset_required" };
    return await writeParsed({ store }, replica, parsed);
  } catch (error) {
    const code = refusalOf(error);
    if (code === undefined) throw error;
    return { outcome: "refused", code };
  }
}

async function textWithin(page: SentPage, maxBytes: number): Promise<string | undefined> {
  try {
    return await textOfPage(page, maxBytes);
  } catch {
    throw new PageRefused("hub_validation", "the answer cannot be decompressed");
  }
}

async function writeParsed(
  { store }: Pick<Deps, "store">,
  replica: Replica,
  { events, next_after_id, epoch, chain, replica_stamp, more, digest }: HubPage,
): Promise<WrittenPage> {
  return await store.write(async (tx) => {
    const binding = await findUnchangedBinding(tx, replica);
    if (binding === undefined) return { outcome: "gone" };
    const ownUpTo = Math.max(binding.baseline_through_event_id, binding.own_through_event_id ?? 0);
    const { accepted } =
      events.length === 0 ? { accepted: 0 } : await tx.admit(events, { fromHub: true, ownUpTo });
    await tx.unfolded.put("federation_binding", {
      ...binding,
      pull_cursor_event_id: next_after_id,
      hub_epoch: epoch,
      hub_chain: chain,
      hub_stamp: replica_stamp,
    });
    return {
      outcome: "written",
      accepted,
      more: more && next_after_id > replica.cursor,
      ...(digest === undefined ? {} : { digest }),
    };
  });
}

function refusalOf(error: unknown): string | undefined {
  if (error instanceof PageRefused) return error.code;
  if (!(error instanceof SvcError)) return undefined;
  const { fault } = error.data;
  if (typeof fault === "string") return fault;
  return error.code === "validation" ? "hub_validation" : undefined;
}
