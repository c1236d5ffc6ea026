const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const TIME = "\\d{2}:\\d{2}:\\d{2}";

/** The form in which HTTP dates are sent: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const USUAL_FORM = new RegExp(`^${DAY}, \\d{2} ${MONTH} \\d{4} ${TIME} GMT$`);

/** The oldest form, which names no zone: `Sun Nov  6 08:49:37 1994`. */
const OLDEST_FORM = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`);

/**
 * Returns the milliseconds of a date in an HTTP header, or `undefined` for any other text. The form with a year of two
 * digits is not read (RFC 9110, 5.6.7): nobody sends it, and its century would be a guess.
 */
export function httpDateToMs(text: string): number | undefined {
  const withZone = OLDEST_FORM.test(text) ? `${text} GMT` : text;
  if (withZone === text && !USUAL_FORM.test(text)) return undefined;
  const ms = Date.parse(withZone);
  return Number.isNaN(ms) ? undefined : ms;
}
