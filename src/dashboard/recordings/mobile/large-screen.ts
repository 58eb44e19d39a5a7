import type { NodesOf } from '../../../replay/page-tree.ts'
import { objectsIn, type ReplayEvent } from '../../../replay/recorded/rrweb.ts'
import { fixedIds } from './screen-document.ts'

/** Number of nodes, two or three for each wireframe, that a browser shows in a task of less than 100 ms. */
const nodesMax = 4_000

/** Whether a page is an app's screen that is shown as a picture, or can become one by the events that follow. */
export function isLargeScreen({ nodes }: NodesOf, next: readonly ReplayEvent[] = []): boolean {
  if (!nodes.has(fixedIds.screen)) return false
  const added = next.reduce((sum, { data }) => sum + objectsIn(data['adds']).length, 0)
  return nodes.has(fixedIds.picture) || nodes.size + added > nodesMax
}
