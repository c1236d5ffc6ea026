const SECTION = "[search.embeddings]";

const OF_STATUS: ReadonlyMap<number, string> = new Map([
  [400, `the provider does not take the request: see base_url and model of ${SECTION}`],
  [401, `the provider does not accept the key of ${SECTION}: set another, then svc daemon reload`],
  [403, `the key of ${SECTION} may not embed: set another, then svc daemon reload`],
  [404, `the provider has no such page or model: see base_url and model of ${SECTION}`],
  [413, `the call is too large for the provider: lower batch_size of ${SECTION}`],
  [422, `the provider does not take the request: see base_url and model of ${SECTION}`],
  [429, "the provider wants fewer calls; the daemon waits by itself"],
]);

/**
 * What a person can do after a failed call of the embedding provider. `status` is that of the provider's answer;
 * undefined if there was none, or if it could not be used.
 */
export function providerCure(status: number | undefined): string {
  if (status === undefined)
    return `the provider cannot be reached, or gives vectors of another width: see that it runs, and base_url and dims of ${SECTION}`;
  const known = OF_STATUS.get(status);
  if (known !== undefined) return known;
  if (status >= 500) return "the provider has a fault of its own: see its log";
  if (status >= 300 && status < 400)
    return `the provider sends the call to another address, which is not followed: see base_url of ${SECTION}`;
  return `the provider refuses the request: see base_url and model of ${SECTION}`;
}

const INDEX_CURE =
  "the index of meanings cannot be read or written: free some space on its disk and check the rights of its files; the daemon's log has the error, and svc daemon reload tries again at once";

/** What a person can do about the error that the health of the embeddings tells of. */
export function errorCure(of: {
  readonly index_failed?: boolean | undefined;
  readonly last_error_status?: number | undefined;
}): string {
  return of.index_failed === true ? INDEX_CURE : providerCure(of.last_error_status);
}
