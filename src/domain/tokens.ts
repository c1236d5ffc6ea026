/**
 * The hidden system project, to which the lifecycle events of API tokens belong (doc 1, Events). It is this uid and no
 * more: there is no project row, so no list, statistic or search can show it, and readers of the log leave out the
 * events of its feed.
 */
export const SYSTEM_PROJECT_UID = "00000000000000000000SYSTEM";
