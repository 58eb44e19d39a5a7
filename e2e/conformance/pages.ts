import type { ConformancePage } from './conformance-page.ts'
import { resourcePages } from './resource-pages.ts'
import { statePages } from './state-pages.ts'
import { structurePages } from './structure-pages.ts'
import { stylePages } from './style-pages.ts'

/** The pages that need no installation; those of UI libraries are apart. */
export const pages: readonly ConformancePage[] = [
  ...resourcePages,
  ...statePages,
  ...structurePages,
  ...stylePages,
]
