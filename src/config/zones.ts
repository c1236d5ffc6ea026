/** Whether the runtime knows the IANA zone. The default is answered without asking: that would start ICU. */
export function isZone(name: string): boolean {
  if (name === "UTC") return true;
  // `+02:00` is a zone for Intl and none for IANA.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
