import type { MouseEvent, ReactElement, ReactNode } from "react";
import { type PainterProps, pointMessage } from "../painter.ts";

/**
 * Whether the browser itself acts on a click on a link. A click with a modifier key opens a tab or a window, or saves
 * the page.
 */
export function isForBrowser({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

interface IssueLinkProps extends Pick<PainterProps, "send"> {
  readonly uid: string;
  readonly href: string;
  readonly className?: string;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/**
 * A link to an issue. A click without a modifier key opens the issue in this page. The keys that choose a link in an
 * open issue find the link by `data-ref`.
 */
export function IssueLink(props: IssueLinkProps): ReactElement {
  const { send, uid, href, className, title, children } = props;
  return (
    <a
      className={className}
      href={href}
      title={title}
      data-ref={uid}
      onClick={(event) => {
        if (isForBrowser(event)) return;
        event.preventDefault();
        send(pointMessage({ is: "issue", uid }));
      }}
    >
      {children}
    </a>
  );
}
