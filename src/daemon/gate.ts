/** A promise that somebody else resolves; passing it again changes nothing. */
export function gate(): { readonly open: Promise<void>; pass(): void } {
  let pass = (): void => undefined;
  const open = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { open, pass: () => pass() };
}
