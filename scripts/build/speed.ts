/**
 * The parts of the build that only make svc start or draw faster. bench/README.md, "Only for speed", has the gain of
 * each part. `npm run bench -- without <name>` builds svc without that part and measures both in turn.
 */
export const ONLY_FOR_SPEED = [
  "fast-path",
  "daemon-file",
  "ascii",
  "late-oclif",
  "late-packages",
  "late-fetch",
  "late-width",
  "late-segmenter",
  "whole-lines",
] as const;

export type Speed = (typeof ONLY_FOR_SPEED)[number];

const without = new Set(process.env["SVC_BUILD_WITHOUT"]?.split(","));

export function isWanted(name: Speed): boolean {
  return !without.has(name);
}
