import { memo, type ReactElement } from "react";
import type { Group } from "../../src/screen/board/groups.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { Icon } from "./icon.tsx";
import { Person } from "./words.tsx";

interface GroupHeadProps extends Pick<PainterProps, "send"> {
  readonly group: Group;
  readonly title: string;
  readonly isPerson: boolean;
  readonly top: number;
  /** The height of the heading and its rows together. The heading stays in view while one of these rows is in view. */
  readonly height: number;
}

/** The heading of a group. A click shows or hides the rows of the group; the keys left and right do the same. */
export const GroupHead = memo(function GroupHead(props: GroupHeadProps): ReactElement {
  const { send, group, title, isPerson, top, height } = props;
  const { name, line, count, isFolded } = group;
  return (
    <div className="group" role="presentation" style={{ top: `${top}px`, height: `${height}px` }}>
      <div
        className="group-head"
        role="row"
        aria-rowindex={line + 1}
        aria-level={1}
        aria-expanded={!isFolded}
      >
        <span role="gridcell">
          <button
            type="button"
            tabIndex={-1}
            onClick={() => send(pointMessage({ is: "group", name }))}
          >
            <span className="fold" data-open={!isFolded}>
              <Icon name="chevron" />
            </span>
            {isPerson ? <Person name={title} /> : <span className="name">{title}</span>}
            <span className="count">{count}</span>
          </button>
        </span>
      </div>
    </div>
  );
});
