/** The number of issues that a screen loads first: enough rows to fill a screen of any size. */
export const FIRST_ISSUES = 200;
