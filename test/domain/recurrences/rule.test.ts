import { describe, expect, test } from "vitest";
import { SvcError } from "../../../src/contract/errors.ts";
import { parseRule } from "../../../src/domain/recurrences/rule.ts";

function reasonOf(text: string): string | undefined {
  try {
    parseRule(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    expect(error).toMatchObject({ code: "validation", data: { field: "rrule" } });
    return error.message;
  }
}

describe("a recurrence rule", () => {
  test.each([
    "FREQ=DAILY",
    "FREQ=WEEKLY;BYDAY=MO,WE,FR",
    "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=MONTHLY;BYDAY=5MO,-5TU",
    "FREQ=YEARLY;BYDAY=53SU",
    "FREQ=YEARLY;BYDAY=-53SU",
    "FREQ=YEARLY;BYMONTH=3;BYDAY=5SU",
    "FREQ=DAILY;INTERVAL=1",
    "FREQ=DAILY;INTERVAL=1000",
    "FREQ=DAILY;COUNT=1",
    "FREQ=DAILY;COUNT=10000",
    "FREQ=DAILY;UNTIL=20280229",
    "FREQ=DAILY;UNTIL=20260520T000000Z",
    "FREQ=MONTHLY;BYMONTHDAY=31,-31,+1",
    "FREQ=YEARLY;BYMONTH=1,12",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=DAILY;BYMONTH=1;BYSETPOS=1",
    "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-2",
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=31",
    "FREQ=YEARLY;BYMONTH=1;BYSETPOS=366",
    "FREQ=WEEKLY;WKST=SU",
  ])("is accepted: %s", (text) => {
    expect(parseRule(text).text).toBe(text);
  });

  test.each([
    ["", "must not be blank"],
    ["RRULE:", "must not be blank"],
    ["  ", "must not be blank"],
    ["FREQ=BOGUS", "FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY"],
    ["FREQ=HOURLY", "FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY"],
    ["INTERVAL=2", "FREQ is required"],
    ["FREQ=DAILY;", '"" is not NAME=VALUE'],
    ["FREQ=DAILY;COUNT=", '"COUNT=" is not NAME=VALUE'],
    ["FREQ=DAILY;COUNT=1=2", '"COUNT=1=2" is not NAME=VALUE'],
    ["FREQ=DAILY;FREQ=DAILY", "FREQ stands twice"],
    ["FREQ=DAILY;DTSTART=20260101", "DTSTART is not taken"],
    ["FREQ=DAILY;BYHOUR=9", "BYHOUR is not taken"],
    ["FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO is not taken"],
    ["FREQ=DAILY;X-SOMETHING=1", "X-SOMETHING is not taken"],
    ["FREQ=DAILY;INTERVAL=0", "INTERVAL must be 1 to 1000"],
    ["FREQ=DAILY;INTERVAL=1001", "INTERVAL must be 1 to 1000"],
    ["FREQ=DAILY;INTERVAL=1.5", "INTERVAL must be 1 to 1000"],
    ["FREQ=DAILY;INTERVAL=-1", "INTERVAL must be 1 to 1000"],
    ["FREQ=DAILY;COUNT=0", "COUNT must be 1 to 10000"],
    ["FREQ=DAILY;COUNT=10001", "COUNT must be 1 to 10000"],
    ["FREQ=DAILY;COUNT=2;UNTIL=20270101", "COUNT and UNTIL exclude each other"],
    ["FREQ=DAILY;UNTIL=20270229", "UNTIL must be YYYYMMDD or YYYYMMDDTHHMMSSZ"],
    ["FREQ=DAILY;UNTIL=2027-02-28", "UNTIL must be YYYYMMDD or YYYYMMDDTHHMMSSZ"],
    ["FREQ=DAILY;UNTIL=20270228T120000", "UNTIL must be YYYYMMDD or YYYYMMDDTHHMMSSZ"],
    ["FREQ=DAILY;UNTIL=20270228T240000Z", "UNTIL must be YYYYMMDD or YYYYMMDDTHHMMSSZ"],
    ["FREQ=WEEKLY;BYDAY=XX", "BYDAY must be one of MO, TU, WE, TH, FR, SA, SU"],
    ["FREQ=WEEKLY;BYDAY=MO,", 'BYDAY: "" is no weekday'],
    ["FREQ=WEEKLY;BYDAY=MON", 'BYDAY: "MON" is no weekday'],
    ["FREQ=WEEKLY;BYDAY=1MO", "BYDAY takes numbers with FREQ=MONTHLY and FREQ=YEARLY only"],
    ["FREQ=DAILY;BYDAY=-1MO", "BYDAY takes numbers with FREQ=MONTHLY and FREQ=YEARLY only"],
    ["FREQ=MONTHLY;BYDAY=0MO", "BYDAY must be 1 to 53 or -53 to -1"],
    ["FREQ=MONTHLY;BYDAY=6MO", "BYDAY counts in the month here: 1 to 5 or -5 to -1"],
    ["FREQ=MONTHLY;BYDAY=-6MO", "BYDAY counts in the month here: 1 to 5 or -5 to -1"],
    ["FREQ=YEARLY;BYDAY=54MO", "BYDAY must be 1 to 53 or -53 to -1"],
    ["FREQ=YEARLY;BYMONTH=3;BYDAY=6MO", "BYDAY counts in the month here: 1 to 5 or -5 to -1"],
    ["FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY does not go with FREQ=WEEKLY"],
    ["FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY must be 1 to 31 or -31 to -1"],
    ["FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY must be 1 to 31 or -31 to -1"],
    ["FREQ=MONTHLY;BYMONTHDAY=-32", "BYMONTHDAY must be 1 to 31 or -31 to -1"],
    ["FREQ=YEARLY;BYMONTH=0", "BYMONTH must be 1 to 12"],
    ["FREQ=YEARLY;BYMONTH=13", "BYMONTH must be 1 to 12"],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "no month of BYMONTH has a day of BYMONTHDAY"],
    ["FREQ=DAILY;BYSETPOS=1", "BYSETPOS needs another BY part"],
    ["FREQ=DAILY;BYMONTH=1;BYSETPOS=0", "BYSETPOS must be 1 to 366 or -366 to -1"],
    ["FREQ=DAILY;BYMONTH=1;BYSETPOS=367", "BYSETPOS must be 1 to 366 or -366 to -1"],
    ["FREQ=DAILY;BYMONTH=1;BYSETPOS=2", "BYSETPOS is at most 1 here"],
    ["FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3", "BYSETPOS is at most 2 here"],
    ["FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-32", "BYSETPOS is at most 31 here"],
    [
      "FREQ=YEARLY;BYDAY=53MO;BYSETPOS=1",
      "BYSETPOS does not go with numbered days of BYMONTHDAY or with a 53rd day",
    ],
    [
      "FREQ=YEARLY;BYDAY=2MO;BYMONTHDAY=8;BYSETPOS=1",
      "BYSETPOS does not go with numbered days of BYMONTHDAY or with a 53rd day",
    ],
    ["FREQ=WEEKLY;WKST=XX", "WKST must be one of MO, TU, WE, TH, FR, SA, SU"],
    ["FREQ=DAILY;BYMONTH=1\u0000", "BYMONTH must be 1 to 12"],
    [`FREQ=DAILY;BYMONTH=${"1,".repeat(3000)}1`, "must be at most 4096 characters"],
  ])("is refused, and the error says why: %s", (text, reason) => {
    expect(reasonOf(text)).toMatch(
      new RegExp(`^rrule: ${reason.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
    );
  });

  test("is accepted in any letter case and with the prefix RRULE:, and is stored without this prefix", () => {
    expect(parseRule(" rrule:freq=weekly;ByDay=mo,Fr ").text).toBe("FREQ=WEEKLY;BYDAY=MO,FR");
  });
});
