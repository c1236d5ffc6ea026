/**
 * What the machine says of time zones. Its answers are remembered here, since each takes longer than many pictures of a
 * screen: they are the same for as long as the process runs.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone in parts, by the calendar of ISO 8601. A name that is no zone is a RangeError. */
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

/** The zone of this machine, by its name. */
export function localZone(): string {
  return (local ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
