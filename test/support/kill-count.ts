/**
 * How many times the tests of `kill -9` kill in each place. The moments are spread evenly over the work, so with more
 * rounds they are closer together. SVC_KILL_ROUNDS sets another number, for example for a long run by hand.
 */
export const KILL_ROUNDS = Number(process.env["SVC_KILL_ROUNDS"] ?? 12);
