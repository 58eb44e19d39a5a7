/** What the address says of the inspector; by itself, since the addresses of all pages are read before any page is there. */
export const inspectorTabs = ['events', 'summary', 'similar', 'person', 'sharing'] as const
export type InspectorTab = (typeof inspectorTabs)[number]

export const rowFilters = ['all', 'events', 'console', 'errors', 'network'] as const
export type RowFilter = (typeof rowFilters)[number]
