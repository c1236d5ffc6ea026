/** Formatters by zone, cached for the life of the process, because creating one is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a formatter of dates and times in a zone, by the ISO 8601 calendar. An unknown zone throws a RangeError. */
export function wallFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US-u-ca-iso8601", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  return format;
}

let local: string | undefined;

export function localZone(): string {
  return (local ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
