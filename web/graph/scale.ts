export type Scale = number;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The factor by which one step enlarges or reduces the drawing. */
export const STEP = 1.25;
const MIN_SCALE = 0.05;
const MAX_SCALE = 2;
/** At a smaller scale the titles cannot be read. */
const MIN_READABLE = 0.75;

export function within(scale: Scale): Scale {
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}

/**
 * The scale at which the whole drawing is seen, at most 1. With `readable`, the scale does not go below the one at
 * which titles can be read, even if part of the drawing is then outside.
 */
export function scaleToFit(drawing: Size, room: Size, how: "whole" | "readable"): Scale {
  const whole = Math.min(1, room.width / drawing.width, room.height / drawing.height);
  return within(how === "readable" ? Math.max(MIN_READABLE, whole) : whole);
}
