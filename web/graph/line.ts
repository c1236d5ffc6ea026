type Point = readonly [x: number, y: number];

/** The SVG path of a line through points. It is rounded at each point except the first and the last. */
export function lineThrough(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return "";
  const pointText = ([x, y]: Point): string => `${x} ${y}`;
  const curves = rest.map((point, at) => {
    const next = rest[at + 1] ?? last;
    const end = at === rest.length - 1 ? last : middleOf(point, next);
    return `Q${pointText(point)} ${pointText(end)}`;
  });
  if (curves.length === 0) return `M${pointText(first)}L${pointText(last)}`;
  return `M${pointText(first)}${curves.join("")}`;
}

function middleOf([x1, y1]: Point, [x2, y2]: Point): Point {
  return [Math.round((x1 + x2) / 2), Math.round((y1 + y2) / 2)];
}
