import type { MouseEvent, ReactElement, ReactNode } from "react";

/**
 * Whether the browser itself acts on a click on a link. A click with a modifier key opens a tab or a window, or saves
 * the page.
 */
export function isForBrowser({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

interface IssueLinkProps {
  readonly uid: string;
  /** Without an address, the link is a button. */
  readonly href: string | undefined;
  readonly open: (uid: string) => void;
  readonly className?: string;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/**
 * A link to an issue. A click without a modifier key opens the issue in this page. The keys that choose a link in an
 * open issue find the link by `data-ref`.
 */
export function IssueLink(props: IssueLinkProps): ReactElement {
  const { uid, href, open, className, title, children } = props;
  if (href === undefined)
    return (
      <button
        type="button"
        role="link"
        className={className}
        title={title}
        data-ref={uid}
        onClick={() => open(uid)}
      >
        {children}
      </button>
    );
  return (
    <a
      className={className}
      href={href}
      title={title}
      data-ref={uid}
      onClick={(event) => {
        if (isForBrowser(event)) return;
        event.preventDefault();
        open(uid);
      }}
    >
      {children}
    </a>
  );
}
