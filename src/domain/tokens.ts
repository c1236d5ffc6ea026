/**
 * The hidden system project, to which the lifecycle events of API tokens belong (docs/contract/events.md#37-tokens).
 * Only this uid exists: there is no project row, so no list, statistic or search can show it. Readers of the log leave
 * out its events.
 */
export const SYSTEM_PROJECT_UID = "00000000000000000000SYSTEM";
