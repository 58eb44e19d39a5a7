/** The inspector's search parameters, in a separate file because the router parses them before the page loads. */
export const inspectorTabs = [
  'summary',
  'events',
  'network',
  'console',
  'notes',
  'person',
  'similar',
] as const
export type InspectorTab = (typeof inspectorTabs)[number]

export const rowFilters = ['all', 'events', 'console', 'errors', 'network'] as const
export type RowFilter = (typeof rowFilters)[number]
