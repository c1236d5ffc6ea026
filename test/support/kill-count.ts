/**
 * How often the tests of `kill -9` kill in each place. The moments are spread evenly over the work, so more rounds mean
 * closer moments. SVC_KILL_ROUNDS sets another number, as for a long run by hand.
 */
export const KILL_ROUNDS = Number(process.env["SVC_KILL_ROUNDS"] ?? 12);
