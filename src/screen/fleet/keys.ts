import type { KeyTable } from "../keys.ts";

export const FLEET_KEYS = {
  everywhere: {
    fleet: { keys: ["6"], label: "fleet: who works on what" },
  },
  fleet: {
    "fleet-open": { keys: ["enter"], label: "open the issue", word: "enter open" },
    "fleet-left": { keys: ["left"], label: "to the holder before", also: "lane" },
    "fleet-right": { keys: ["right"], label: "to the next holder", also: "lane" },
    "fleet-message": { keys: ["m"], label: "ask the holder about the issue", word: "m message" },
    "fleet-release": {
      keys: ["R"],
      label: "end the holder's lease",
      word: "R release",
      also: "unlock",
      name: "lease force-release",
    },
    "fleet-steal": {
      keys: ["S"],
      label: "take the lease over",
      word: "S steal",
      also: "take over",
      name: "lease steal",
    },
    "fleet-silent": { keys: ["v"], label: "only who is silent, or everybody", word: "v silent" },
    "fleet-filter": { keys: ["/"], label: "filter by holder, project or words", word: "/ filter" },
    "fleet-clear": { keys: ["c"], label: "clear the filter" },
  },
} as const satisfies KeyTable;

declare module "../keys.ts" {
  interface KeyTables {
    readonly fleet: typeof FLEET_KEYS;
  }
}
