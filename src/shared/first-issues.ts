/** Enough rows for the first picture of a screen of any size. */
export const FIRST_ISSUES = 200;
