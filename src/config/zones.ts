/** Whether the runtime supports the IANA zone. UTC, the default, is answered without Intl, whose start is slow. */
export function isZone(name: string): boolean {
  if (name === "UTC") return true;
  // Intl accepts `+02:00` as a zone; IANA has no such name.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
