import { pageStates, type PageState, type StateTag } from '../../contract/recordings/page-state.ts'
import { EventType, readableData, type RecordedEvent, type ReplayEvent } from './rrweb.ts'

export const stateTags = Object.keys(pageStates) as StateTag[]

/** Returns the event's tag if it tells the state of a page, else null. */
export function stateTag(event: RecordedEvent): StateTag | null {
  const { tag } = readableData(event)
  return (event.type === EventType.Custom && stateTags.find((known) => known === tag)) || null
}

export function stateEvent(timestamp: number, { tag, payload }: PageState): ReplayEvent {
  return { type: EventType.Custom, timestamp, data: { tag, payload } }
}

/** Returns the state that an event tells, without anything else that was sent; null if it tells none or is not valid. */
export function readState(event: ReplayEvent): PageState | null {
  const tag = stateTag(event)
  const { data: payload } = tag ? pageStates[tag].safeParse(event.data['payload']) : {}
  return tag && payload ? ({ tag, payload } as PageState) : null
}
