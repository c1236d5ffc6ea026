import type { KeyTable } from "../keys.ts";

export const BOARD_KEYS = {
  everywhere: {
    board: { keys: ["1"], label: "board" },
    "show-view": { keys: ["W"], label: "show a view", name: "view", asks: "view" },
  },
  lanes: {
    "lane-left": { keys: ["left"], label: "to the lane on the left", word: "left/right lane" },
    "lane-right": { keys: ["right"], label: "to the lane on the right" },
    "carry-right": {
      keys: [">", "shift+right"],
      label: "carry to the right: to the next owner, or close",
      word: "< > carry",
    },
    "carry-left": {
      keys: ["<", "shift+left"],
      label: "carry to the left: to the owner before, or reopen",
    },
    "carry-to": { keys: ["."], label: "carry to a lane of your choice" },
  },
  list: {
    down: { keys: ["j", "down", "ctrl+n"], label: "one line down", word: "j/k move" },
    up: { keys: ["k", "up"], label: "one line up" },
    "page-down": { keys: ["pgdn", "ctrl+d", "ctrl+v"], label: "one page down" },
    "page-up": { keys: ["pgup", "ctrl+u", "alt+v"], label: "one page up" },
    first: { keys: ["g", "home", "alt+<"], label: "first line" },
    last: { keys: ["G", "end", "alt+>"], label: "last line" },
    open: { keys: ["enter"], label: "open the issue", word: "enter open" },
    mark: { keys: ["space"], label: "mark, and act on all that are marked", word: "space mark" },
    "mark-range": { keys: ["V"], label: "mark from the last mark to here", word: "V range" },
    filter: {
      keys: ["/"],
      label: "filter as you type",
      word: "/ filter",
      also: "find",
      asks: "filter",
    },
    "filter-form": { keys: ["f"], label: "filter with a form" },
    search: {
      keys: ["ctrl+f"],
      label: "search the daemon, also in comments",
      also: "find",
      asks: "words",
    },
    "save-view": { keys: ["w"], label: "save the filter as a view", asks: "name" },
    "next-status": {
      keys: ["s"],
      label: "show open, ready, blocked, waiting, closed, all",
      word: "s status",
    },
    "clear-filter": { keys: ["c"], label: "clear the filter" },
    "next-view": {
      keys: ["v"],
      label: "nested, flat, lanes by state, lanes by owner",
      word: "v view",
    },
    "next-group": {
      keys: ["z"],
      label: "group by state, owner, priority, project",
      also: "headings group by",
    },
    "next-order": {
      keys: ["o"],
      label: "order by change, creation, priority, blockers, due",
      word: "o order",
      also: "sort",
    },
    "next-tab": { keys: ["]"], label: "the next of your views" },
    "previous-tab": { keys: ["["], label: "the view before" },
    columns: { keys: ["|"], label: "choose the columns" },
    "reverse-order": { keys: ["O"], label: "reverse the order", also: "sort" },
    "list-comment": { keys: ["C"], label: "comment", also: "reply" },
    unfold: { keys: ["right"], label: "show children, or the nearest folded group" },
    fold: { keys: ["left"], label: "hide children or the group, or go to the parent" },
    "fold-all": { keys: ["E"], label: "fold or show all children or groups" },
  },
  browse: {
    "browse-apply": {
      keys: ["enter", "space"],
      label: "show it, or put it into the filter",
      word: "enter choose",
    },
    "remove-view": { keys: ["delete"], label: "remove the saved view", word: "delete remove" },
  },
} as const satisfies KeyTable;

declare module "../keys.ts" {
  interface KeyTables {
    readonly board: typeof BOARD_KEYS;
  }
}
