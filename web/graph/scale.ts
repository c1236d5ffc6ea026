/** How much larger than its own size a drawing is shown. */
export type Scale = number;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** By how much one press on a button sizes the drawing. */
export const STEP = 1.25;
const LEAST = 0.05;
const MOST = 2;
/** Below this the titles cannot be read. */
const READABLE = 0.75;

export function within(scale: Scale): Scale {
  return Math.min(MOST, Math.max(LEAST, scale));
}

/** The scale at which all of the drawing is seen, at most its own size; `readable`: only as long as titles can be read. */
export function fitting(drawing: Size, room: Size, how: "whole" | "readable"): Scale {
  const whole = Math.min(1, room.width / drawing.width, room.height / drawing.height);
  return within(how === "readable" ? Math.max(READABLE, whole) : whole);
}
