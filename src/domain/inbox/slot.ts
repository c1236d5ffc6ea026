/**
 * Prefix of slots, which are the metadata keys for requests. Each address has one slot, so an issue has at most one
 * request per address.
 */
export const SLOT_PREFIX = "notify.";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The metadata key of an address: base64url of its bytes, without padding
 * (docs/contract/cron-and-inbox.md#101-addresses-and-slots).
 */
export function slotOf(address: string): string {
  const bytes = String.fromCharCode(...encoder.encode(address));
  const text = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return SLOT_PREFIX + text;
}

export function addressOf(key: string): string | undefined {
  if (!key.startsWith(SLOT_PREFIX)) return undefined;
  const text = key.slice(SLOT_PREFIX.length).replaceAll("-", "+").replaceAll("_", "/");
  try {
    const address = decoder.decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));
    return slotOf(address) === key ? address : undefined;
  } catch {
    return undefined;
  }
}
