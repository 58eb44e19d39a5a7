import { expect, test } from 'vitest'
import { linkShows } from '../../../contract/recordings/recording-rules.ts'
import { EventType } from '../../../replay/recorded/rrweb.ts'
import { shownEvent } from './shown-event.ts'

test('links get the state of a page, but neither the visitor’s contrast nor texts of animations', () => {
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
    const animated = (keyframes: object[]) =>
      event('spool/animations', {
        list: [{ node: 3, keyframes, timing: { iterations: 1 }, time: 0, rate: 1, at: 1 }],
      })
    expect(shownEvent(animated([{ opacity: '0', content: '"secret"' }]), shows)).toEqual(
      animated([{ opacity: '0' }]),
    )
    expect([shownEvent(topLayer, shows), shownEvent(target, shows)]).toEqual([topLayer, target])
  }
})
