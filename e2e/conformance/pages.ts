import type { ConformancePage } from './conformance-page.ts'
import { libraryPages } from './library-pages.ts'
import { resourcePages } from './resource-pages.ts'
import { statePages } from './state-pages.ts'
import { structurePages } from './structure-pages.ts'
import { stylePages } from './style-pages.ts'

/** Every page of the comparison with the stock player. */
export const pages: readonly ConformancePage[] = [
  ...resourcePages,
  ...statePages,
  ...structurePages,
  ...stylePages,
  ...libraryPages,
]
