import { expect, test } from 'vitest'
import { linkShows } from '../../../contract/recordings/sharing.ts'
import { EventType } from '../../../replay/recorded/rrweb.ts'
import { shownEvent } from './shown-event.ts'

test('links get the color scheme, the top layer and the target of a page, but not the visitor’s contrast', () => {
  const event = (tag: string, payload: object) => ({
    type: EventType.Custom,
    timestamp: 1,
    data: { tag, payload },
  })
  const topLayer = event('spool/top-layer', { ids: [1, 2] })
  const target = event('spool/target', { id: 3 })
  for (const shows of linkShows) {
    const preferences = event('spool/preferences', { scheme: 'dark', contrast: 'more' })
    expect(shownEvent(preferences, shows)).toEqual(event('spool/preferences', { scheme: 'dark' }))
    expect(preferences.data.payload).toHaveProperty('contrast')
    expect([shownEvent(topLayer, shows), shownEvent(target, shows)]).toEqual([topLayer, target])
  }
})
