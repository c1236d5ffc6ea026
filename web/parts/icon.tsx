import type { ReactElement } from "react";

/** The shapes of the icons, drawn with lines of one width in a square of 16. */
const SHAPES = {
  inbox: "M2.5 9.5 4 3.5h8l1.5 6v3h-11zM2.5 9.5h3l1 1.5h3l1-1.5h3",
  board: "M3 4h10M3 8h10M3 12h6",
  graph:
    "M4 4.5a1.5 1.5 0 1 0 0-.01M12 8.5a1.5 1.5 0 1 0 0-.01M4 12.5a1.5 1.5 0 1 0 0-.01M5.4 4.7l5.2 3M5.4 12l5.2-3",
  cron: "M8 4.5V8l2.3 1.5M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z",
  projects: "M2.5 5V3.5h4L8 5h5.5v7.5h-11z",
  fleet:
    "M5.5 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM2 13c0-2.2 1.5-3.5 3.5-3.5S9 10.8 9 13M10.5 3.2a2 2 0 0 1 0 3.6M11.5 9.7c1.5.4 2.5 1.6 2.5 3.3",
  repeat: "M3 8a4.5 4.5 0 0 1 8-2.8L13 7M13 3.5V7H9.5M13 8a4.5 4.5 0 0 1-8 2.8L3 9M3 12.5V9h3.5",
  commands: "M2.5 3.5h11v9h-11zM5 6.5l2 1.7-2 1.7M8.5 10h2.5",
  close: "M4 4l8 8M12 4l-8 8",
  back: "M9.5 3.5 5 8l4.5 4.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  whole: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
  check: "M3.5 8.5l3 3 6-7",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  edit: "M3 13l.6-2.6 7.4-7.4 2 2-7.4 7.4z",
  comment: "M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2z",
  link: "M6.5 9.5l3-3M7 4.5l1.5-1.5a2.5 2.5 0 0 1 3.5 3.5L10.5 8M5.5 8 4 9.5A2.5 2.5 0 0 0 7.5 13L9 11.5",
  undo: "M3 6h6.5a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3",
  bell: "M4 11V7.5a4 4 0 0 1 8 0V11l1 1H3zM6.8 14h2.4",
  chevron: "M6 4l4 4-4 4",
  filter: "M2.5 4h11M4.5 8h7M6.5 12h3",
  copy: "M5.5 5.5h7v7h-7zM10.5 5.5v-2h-7v7h2",
  columns: "M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9",
  help: "M6 6.2a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1v.4M8 12h.01",
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon. Screen readers skip it, because a text or label always says the same. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
