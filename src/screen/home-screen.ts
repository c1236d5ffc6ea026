/** The screen that lists the issues, to which `back` leads from all others. */
export const HOME_SCREEN = "board";
