/**
 * The list that the keys act on. A board with lanes has several lists, and the keys act on the list with the cursor.
 */
export function currentList(): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>(".window-list[data-current=true]") ??
    document.querySelector<HTMLElement>(".window-list")
  );
}

export function focusPane(): void {
  const isOpen = document.querySelector(".page")?.getAttribute("data-open") === "true";
  const detail = isOpen ? document.querySelector<HTMLElement>(".detail") : null;
  (detail ?? currentList())?.focus({ preventScroll: true });
}
