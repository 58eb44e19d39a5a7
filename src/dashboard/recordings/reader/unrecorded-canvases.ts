import {
  EventType,
  IncrementalSource,
  isObject,
  objectsIn,
  sourceOf,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'

/** Returns the number of canvases whose content a recording does not contain. */
export function unrecordedCanvases(events: readonly WindowEvent[]): number {
  const canvases = new Set<string>()
  const recorded = new Set<string>()
  for (const { window, event } of events) {
    const { type, data } = event
    if (sourceOf(event) === IncrementalSource.CanvasMutation) recorded.add(`${window} ${String(data['id'])}`)
    const roots =
      type === EventType.FullSnapshot ? [data['node']] : objectsIn(data['adds']).map(({ node }) => node)
    for (const { id, attributes } of roots.flatMap(canvasesIn)) {
      canvases.add(`${window} ${String(id)}`)
      if (isObject(attributes) && 'rr_dataURL' in attributes) recorded.add(`${window} ${String(id)}`)
    }
  }
  return canvases.difference(recorded).size
}

function canvasesIn(root: unknown): Record<string, unknown>[] {
  const canvases: Record<string, unknown>[] = []
  const pending = objectsIn([root])
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node['tagName'] === 'canvas') canvases.push(node)
    pending.push(...objectsIn(node['childNodes']))
  }
  return canvases
}
