/** Which stamps the next poll of a replica may carry. */
export interface Stamps {
  /**
   * The stamps that answered polls with `former_stamp`, the newest first, with spaces between them. There are several
   * if one poll arrived more than once. Null before the first poll.
   */
  readonly stamp: string | null;
  /** The stamp before these, which the replica still has if the answer was lost. */
  readonly former_stamp: string | null;
}

/** How many answers to one poll are remembered. */
const MOST_ANSWERS = 3;

/**
 * Returns the stamps after a poll that is answered with the stamp `fresh`, or `stale` if the poll must be refused.
 *
 * Each answer has a new stamp, and the next poll carries it. A poll with the stamp before it repeats a poll whose answer
 * was lost, or is the same request that the network delivered again. So any of these answers may be the one that the
 * replica has; the first that it uses ends the others. Two replicas with the same stamp cannot both go on: the second poll
 * of one ends what the other was sent. So a copied or restored replica is found at the latest when both have polled twice.
 *
 * `sent` is undefined when a replica begins, which ends every replica before it. `known` is undefined for a replica that
 * this hub does not know, as after the hub was restored from an export.
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
 * Whether events that come with the stamp `sent` are those of a replica that another one has replaced. Sending events
 * changes no stamp. `sent` is undefined for a replica that has not read yet, and for one of a version that sends none.
 */
export function isStale(known: Stamps | undefined, sent: string | undefined): boolean {
  if (sent === undefined || known === undefined || known.stamp === null) return false;
  return sent !== known.former_stamp && !known.stamp.split(" ").includes(sent);
}
