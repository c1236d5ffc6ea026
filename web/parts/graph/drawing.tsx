import { memo, type ReactElement } from "react";
import { graphIssue } from "../../../src/screen/graph/graph.ts";
import { issueInGraph, letterInGraph } from "../../../src/screen/graph/nodes.ts";
import type { GraphPicture, PictureLink } from "../../../src/screen/graph/picture.ts";
import type { Letter } from "../../../src/screen/issues/relations.ts";
import type { State } from "../../../src/screen/state.ts";
import { BOX, type Places } from "../../graph/layout.ts";
import { lineThrough } from "../../graph/line.ts";
import { PlacedSign, signWord } from "../sign.tsx";

interface DrawingProps {
  readonly state: State;
  readonly picture: GraphPicture;
  readonly places: Places;
  readonly scale: number;
}

export function Drawing({ state, picture, places, scale }: DrawingProps): ReactElement {
  const { width, height } = places;
  const cursor = graphIssue(state);
  return (
    <svg
      className="drawing"
      width={Math.ceil(width * scale)}
      height={Math.ceil(height * scale)}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <defs>
        <Arrow id="arrow" />
        <Arrow id="arrow-critical" />
      </defs>
      <Links links={picture.links} places={places} />
      {picture.uids.map((uid, at) => {
        const [x, y] = places.boxes[at] ?? [0, 0];
        const issue = issueInGraph(state, uid);
        return (
          <Box
            key={uid}
            uid={uid}
            x={x - BOX.width / 2}
            y={y - BOX.height / 2}
            letter={letterInGraph(state, uid)}
            name={nameOf(state, issue)}
            title={issue?.title ?? ""}
            isCursor={uid === cursor}
            isSource={uid === state.graph?.source}
            isCritical={picture.critical.has(uid)}
          />
        );
      })}
    </svg>
  );
}

/** The id of an issue as it is shown: the short id, or the qualified id if the issue is not in the board's project. */
function nameOf(state: State, issue: ReturnType<typeof issueInGraph>): string {
  if (issue === undefined) return "";
  const [project = ""] = issue.qualified_id.split("#");
  const isHere = state.scope.project?.name === project;
  return isHere ? issue.short_id : issue.qualified_id;
}

function Arrow({ id }: { readonly id: string }): ReactElement {
  return (
    <marker
      id={id}
      className={id}
      viewBox="0 0 8 8"
      refX="7.5"
      refY="4"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0 .5 8 4 0 7.5z" />
    </marker>
  );
}

interface LinksProps {
  readonly links: readonly PictureLink[];
  readonly places: Places;
}

/** Draws the links. Those of the critical path are drawn last, so that no other link lies over them. */
const Links = memo(function Links({ links, places }: LinksProps): ReactElement {
  const drawn = links.map((link, at) => ({ ...link, line: lineThrough(places.links[at] ?? []) }));
  const critical = drawn.filter((link) => link.critical);
  const others = drawn.filter((link) => !link.critical);
  return (
    <g className="links">
      {[...others, ...critical].map(({ from, to, kind, line, critical: isCritical }) => (
        <path
          key={`${kind} ${from} ${to}`}
          className={`link ${kind}${isCritical ? " critical" : ""}`}
          d={line}
          {...(kind === "blocks"
            ? { markerEnd: `url(#arrow${isCritical ? "-critical" : ""})` }
            : {})}
        />
      ))}
    </g>
  );
});

interface BoxProps {
  readonly uid: string;
  readonly x: number;
  readonly y: number;
  readonly letter: Letter;
  readonly name: string;
  readonly title: string;
  readonly isCursor: boolean;
  readonly isSource: boolean;
  readonly isCritical: boolean;
}

/** Draws the box of an issue. The inner `svg` cuts off text that is wider than the box. */
const Box = memo(function Box(props: BoxProps): ReactElement {
  const { uid, x, y, letter, name, title, isCursor, isSource, isCritical } = props;
  const { width, height } = BOX;
  return (
    <g
      className="graph-box"
      transform={`translate(${x} ${y})`}
      data-uid={uid}
      data-state={letter}
      data-cursor={isCursor}
      data-source={isSource}
      data-critical={isCritical}
    >
      <title>{`${name} ${title} (${signWord(letter)}${isCritical ? ", on the critical path" : ""})`}</title>
      <rect width={width} height={height} rx="6" />
      <PlacedSign letter={letter} x={9} y={6} />
      <text className="name" x="31" y="18">
        {name}
      </text>
      <svg x="10" y="22" width={width - 20} height="20">
        <text className="title" y="14">
          {shortened(title)}
        </text>
      </svg>
    </g>
  );
});

/** The maximum length of a title in a box. A box has room for about this many bold letters. */
const MAX_LETTERS = 24;

function shortened(title: string): string {
  const letters = [...title];
  if (letters.length <= MAX_LETTERS) return title;
  return `${letters
    .slice(0, MAX_LETTERS - 1)
    .join("")
    .trimEnd()}…`;
}
