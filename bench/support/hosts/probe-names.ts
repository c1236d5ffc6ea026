/** The tools of `probe-server.ts`, and the words in their answers. */
export const PROBE = {
  dotted: "probe.dotted",
  load: "probe_load",
  same: "probe_same",
  /** This tool is listed only after `load` was called. */
  late: "probe_late",
  /** In the answer of `load` the text and the structure differ. */
  text: "only-in-the-text",
  structure: "only-in-the-structure",
  /** In the answer of `same` the text is the structure as JSON, as in the answers of svc. */
  mark: "in-both",
} as const;
