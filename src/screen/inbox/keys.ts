import type { KeyTable } from "../keys.ts";

export const INBOX_KEYS = {
  everywhere: {
    inbox: { keys: ["2", "I"], label: "inbox: what is asked of you" },
  },
  inbox: {
    "inbox-open": { keys: ["enter"], label: "open the issue", word: "enter open" },
    "inbox-clear": {
      keys: ["c"],
      label: "clear the request: it was handled",
      word: "c clear",
      name: "inbox clear",
    },
    "inbox-answer": {
      keys: ["C"],
      label: "answer: comment, clear, tell who asked",
      word: "C clear+comment",
    },
    "inbox-mark": {
      keys: ["space"],
      label: "mark, and act on all that are marked",
      word: "space mark",
    },
    "inbox-all": { keys: ["A"], label: "this address, or all of mine", word: "A addresses" },
    "inbox-address": {
      keys: ["/"],
      label: "read another address",
      word: "/ address",
      asks: "address",
    },
  },
} as const satisfies KeyTable;

declare module "../keys.ts" {
  interface KeyTables {
    readonly inbox: typeof INBOX_KEYS;
  }
}
