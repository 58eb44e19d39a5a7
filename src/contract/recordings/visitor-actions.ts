/** Captured events caused by actions of the visitor that every recorder also records. */
export const actionEvents = ['$autocapture', '$rageclick', '$pageview'] as const
