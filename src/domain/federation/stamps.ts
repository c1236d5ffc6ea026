/** Which stamps the next poll of a replica may carry. */
export interface Stamps {
  /**
   * The stamps of the answers to polls that sent `former_stamp`, the newest first, with spaces between them. There are
   * several if one poll arrived more than once. Null before the first poll.
   */
  readonly stamp: string | null;
  /** The stamp before those in `stamp`, which the replica still has if the answer was lost. */
  readonly former_stamp: string | null;
}

/** How many answers to one poll are remembered. */
const MOST_ANSWERS = 3;

/**
 * Returns the stamps after a poll that is answered with the stamp `fresh`, or `stale` if the poll must be refused.
 *
 * Each answer has a new stamp, and the next poll sends this stamp. If a poll sends the stamp before it, the poll
 * repeats one whose answer was lost, or the network delivered the same request again. So the replica may have the stamp
 * of any of these answers. The first of these stamps that the replica sends ends the others. Two replicas with the same
 * stamp cannot both go on: the second poll of one replica ends the stamp that the other replica got. So a copied or
 * restored replica is found at the latest when both have polled twice.
 *
 * `sent` is undefined when a replica begins, which ends every replica before it. `known` is undefined for a replica
 * that this hub does not know, for example after the hub was restored from an export.
 */
export function nextStamps(
  known: Stamps | undefined,
  sent: string | undefined,
  fresh: string,
): Stamps | "stale" {
  if (sent === undefined) return { stamp: fresh, former_stamp: null };
  if (known === undefined || known.stamp === null) return { stamp: fresh, former_stamp: sent };
  const answers = known.stamp.split(" ");
  if (answers.includes(sent)) return { stamp: fresh, former_stamp: sent };
  if (sent !== known.former_stamp) return "stale";
  return { stamp: [fresh, ...answers].slice(0, MOST_ANSWERS).join(" "), former_stamp: sent };
}

/**
 * Whether events with the stamp `sent` come from a replica that another replica has replaced. Sending events changes no
 * stamp. `sent` is undefined for a replica that has not read yet, and for a replica whose version sends no stamps.
 */
export function isStale(known: Stamps | undefined, sent: string | undefined): boolean {
  if (sent === undefined || known === undefined || known.stamp === null) return false;
  return sent !== known.former_stamp && !known.stamp.split(" ").includes(sent);
}
