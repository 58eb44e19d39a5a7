/** What counts for a field of a table that is missing or empty. */
export const tableDefaults = { schema: 'public', table_name: 'events' }
