import { expect, test } from 'vitest'
import { captureRate } from './capture-activity.tsx'

const rate = (...newest: number[]) =>
  captureRate({ by_minute: [...Array<number>(30 - newest.length).fill(0), ...newest] })

test('the light is on whenever the average counts an event, or one arrived since', () => {
  expect(rate(1180, 0, 0, 0, 0, 0)).toEqual({ perMinute: 236, isLive: true })
  expect(rate(1)).toEqual({ perMinute: 0, isLive: true })
  expect(rate(1180, 0, 0, 0, 0, 0, 0)).toEqual({ perMinute: 0, isLive: false })
})
