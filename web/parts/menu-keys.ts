import type { KeyboardEvent } from "react";

/**
 * Handles a key in a menu. The arrow keys, Home and End move the focus. Escape and Tab close the menu. Enter and Space
 * are left to the browser, which clicks the button in focus. The key that filters closes the menu and goes on to the
 * page.
 */
export function onMenuKey(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll("button")];
  const at = items.findIndex((item) => item === document.activeElement);
  const focusItem = (index: number): void => items[(index + items.length) % items.length]?.focus();
  switch (event.key) {
    case "ArrowDown":
      focusItem(at + 1);
      break;
    case "ArrowUp":
      focusItem(at - 1);
      break;
    case "Home":
      focusItem(0);
      break;
    case "End":
      focusItem(-1);
      break;
    case "Escape":
    case "Tab":
      close();
      break;
    case "/":
      return close();
    case "Enter":
    case " ":
      return event.stopPropagation();
    default:
  }
  event.preventDefault();
  event.stopPropagation();
}
