import { expect } from 'vitest'
import { EventType, IncrementalSource, NodeType, type ReplayEvent } from '../../../replay/recorded/rrweb.ts'
import { createPlaceholders, placeholderStart } from '../reader/placeholders.ts'
import { createNeutralizer } from '../reader/neutralize.ts'

export const page = 'https://shop.example/lamps/'

type Attributes = Record<string, unknown>

type Node = { tagName: string; attributes: Attributes; childNodes: Node[] }

/** Neutralizes events of one page in their order; returns whether the last one can be played. */
export function neutralize(...events: ReplayEvent[]): boolean {
  const neutralizeEvent = createNeutralizer(createPlaceholders())
  neutralizeEvent({ window: 'a', event: { type: EventType.Meta, timestamp: 0, data: { href: page } } })
  return events.map((event) => neutralizeEvent({ window: 'a', event })).at(-1) ?? false
}

/** Returns the placeholder for an asset. */
export function held(url: string): string {
  return placeholderStart + encodeURIComponent(url)
}

/** Neutralizes an element, and checks that a full snapshot and a later addition give the same result. */
export function neutralized(tagName: string, attributes: Attributes): Pick<Node, 'tagName' | 'attributes'> {
  const element = () => ({
    type: NodeType.Element,
    id: 2,
    tagName,
    attributes: { ...attributes },
    childNodes: [],
  })
  const root = { type: NodeType.Document, id: 1, childNodes: [element()] }
  const adds = [{ parentId: 1, nextId: null, node: element() }]
  neutralize({ type: EventType.FullSnapshot, timestamp: 0, data: { node: root } })
  neutralize({
    type: EventType.IncrementalSnapshot,
    timestamp: 0,
    data: { source: IncrementalSource.Mutation, adds },
  })
  expect(adds[0]?.node).toEqual(root.childNodes[0])
  return { tagName: root.childNodes[0]?.tagName ?? '', attributes: root.childNodes[0]?.attributes ?? {} }
}
