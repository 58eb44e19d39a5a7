import {
  EventType,
  IncrementalSource,
  objectsIn,
  sourceOf,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import type { LinkMask } from '../../../contract/recordings/sharing.ts'
import {
  changesIn,
  isWireframeMutation,
  isWireframeSnapshot,
  type Wireframe,
} from '../../../replay/screen.ts'
import { blank, mapTree } from '../../masking/mask-event.ts'

type Kinds = ReadonlySet<LinkMask['kind']>

/** Fields that only place, style or identify a view. */
const plainFields = /^(id|type|inputType|x|y|width|height|style|backgroundSize|disabled|max)$/
const textFields = /^(text|label|value|url)$/
const pictureFields = /^(base64|backgroundImage)$/

/**
 * Returns an event of an app's recording without the masked texts, inputs and images; null if nothing of the event may be
 * shown. Any mask hides screenshots, in which texts and inputs cannot be told apart.
 */
export function maskScreenEvent(event: ReplayEvent, kinds: Kinds): ReplayEvent | null {
  const { data } = event
  if (isWireframeSnapshot(event)) {
    const wireframes = objectsIn(data['wireframes']).map((wireframe) => maskTree(wireframe, kinds))
    return { ...event, data: { wireframes, initialOffset: data['initialOffset'] } }
  }
  if (event.type !== EventType.IncrementalSnapshot) return null
  if (isWireframeMutation(event)) {
    const changes = (list: unknown) =>
      changesIn(list).map(({ wireframe, parentId }) => ({ parentId, wireframe: maskTree(wireframe, kinds) }))
    const { removes, updates, adds } = data
    const masked = { removes: removes ?? [], updates: changes(updates), adds: changes(adds) }
    return { ...event, data: { source: IncrementalSource.Mutation, ...masked } }
  }
  switch (sourceOf(event)) {
    case IncrementalSource.MouseInteraction:
    case IncrementalSource.TouchMove:
    case IncrementalSource.ViewportResize:
      return event
    default:
      return null
  }
}

/** Masks a view with those inside it. */
function maskTree(wireframe: Wireframe, kinds: Kinds): Wireframe {
  return mapTree(wireframe, 'childWireframes', (view) => maskWireframe(view, kinds))
}

function maskWireframe(wireframe: Wireframe, kinds: Kinds): Wireframe {
  const { type } = wireframe
  const isText = kinds.has('text') || (type === 'input' && kinds.has('inputs'))
  const isPicture = kinds.has('images') || type === 'screenshot'
  const shown: Wireframe = {}
  for (const [name, value] of Object.entries(wireframe)) {
    if (name === 'childWireframes' || plainFields.test(name)) shown[name] = value
    else if (textFields.test(name)) shown[name] = isText ? blank(value) : value
    else if (pictureFields.test(name) ? !isPicture : !isText) shown[name] = value
  }
  return shown
}
