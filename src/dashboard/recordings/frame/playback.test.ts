import { expect, test } from 'vitest'
import type { Playing } from '../player/player-messages.ts'
import { createPlayback, type ReadRecording } from './playback.ts'

const epoch = 1_000_000

const whole: ReadRecording = {
  start: epoch,
  end: epoch + 60_000,
  cuts: [
    { at: epoch, page: { window: 'a', start: epoch } },
    { at: epoch + 20_000, page: { window: 'b', start: epoch + 20_000 } },
  ],
  outline: { idle: [{ from: 30_000, to: 50_000 }] },
  windows: ['a', 'b'],
  isRead: () => true,
  isAll: true,
}

/** The recording when only its first second has been read. */
const partly: ReadRecording = { ...whole, isRead: (time) => time < epoch + 1_000, isAll: false }

/** Creates a playback with a stage that records its calls; `pass` advances the time in frames of 50 ms. */
function setUp(read: ReadRecording = whole) {
  const shown: { at: number; isPlaying: boolean; speed: number }[] = []
  let playing: Playing | undefined
  let now = 0
  let isHidden = false
  const stage = {
    show: (time: number, how: { isPlaying: boolean; speed: number }) => {
      isHidden = false
      shown.push({ at: time - epoch, ...how })
    },
    hide: () => {
      isHidden = true
    },
  }
  const playback = createPlayback(stage, (reported) => {
    playing = reported
  })
  playback.update(read)
  const pass = (ms: number) => {
    playback.tick(now)
    for (const end = now + ms; now < end;) playback.tick((now += 50))
  }
  return { playback, shown, pass, playing: () => playing, isHidden: () => isHidden }
}

test('plays highlights in their own time: their parts at their speeds, without those between', () => {
  const { playback, shown, pass, playing } = setUp()
  const highlights = [
    { from: 1_000, to: 3_000, speed: 1 },
    { from: 10_000, to: 18_000, speed: 4 },
    { from: 58_000, to: 60_000, speed: 1 },
  ]
  playback.set({ highlights })
  playback.set({ isPlaying: true })
  pass(2_000)
  expect(playing()?.at).toBe(10_000)
  pass(1_000)
  expect(playing()?.at).toBe(14_000)
  pass(2_900)
  expect(playing()).toMatchObject({ at: 59_900, isPlaying: true })
  pass(100)
  expect(playing()).toMatchObject({ at: 60_000, isPlaying: false })
  expect(shown.map(({ speed }) => speed)).toContain(4)
  playback.set({ isPlaying: true })
  expect(playing()).toMatchObject({ at: 1_000, isPlaying: true })
  playback.set({ highlights: null })
  pass(3_000)
  expect(playing()?.at).toBe(4_000)
})

test('advances at the chosen speed, and stops when paused', () => {
  const { playback, pass, playing } = setUp()
  playback.set({ isPlaying: true })
  pass(2_000)
  expect(playing()).toMatchObject({ at: 2_000, isPlaying: true, hasPicture: true, window: 1 })
  playback.set({ speed: 4 })
  pass(1_000)
  expect(playing()?.at).toBe(6_000)
  playback.set({ isPlaying: false })
  pass(1_000)
  expect(playing()).toMatchObject({ at: 6_000, isPlaying: false })
})

test('switches windows at the right time', () => {
  const { playback, shown, pass, playing } = setUp()
  playback.seek(19_900)
  playback.set({ isPlaying: true })
  pass(300)
  expect(shown.at(-1)).toMatchObject({ at: 20_000, isPlaying: true })
  expect(playing()?.window).toBe(2)
})

test('skips idle time up to a second before the next activity, unless skipping is turned off', () => {
  const { playback, pass, playing } = setUp()
  playback.seek(30_900)
  playback.set({ isPlaying: true })
  pass(500)
  expect(playing()?.at).toBeGreaterThanOrEqual(49_000)
  expect(playing()?.at).toBeLessThan(50_000)
  playback.set({ skipsIdle: false })
  playback.seek(30_900)
  pass(500)
  expect(playing()?.at).toBeGreaterThan(31_200)
  expect(playing()?.at).toBeLessThanOrEqual(31_400)
})

test('stops at the end, and restarts from the beginning when played again', () => {
  const { playback, pass, playing } = setUp()
  playback.seek(59_900)
  playback.set({ isPlaying: true })
  pass(400)
  expect(playing()).toMatchObject({ at: 60_000, isPlaying: false })
  playback.set({ isPlaying: true })
  expect(playing()).toMatchObject({ at: 0, isPlaying: true })
})

test('waits for events that have not been read yet, and continues once they are', () => {
  const { playback, shown, pass, playing } = setUp(partly)
  playback.set({ isPlaying: true })
  pass(3_000)
  expect(playing()).toMatchObject({ isWaiting: true, isPlaying: true })
  expect(playing()?.at).toBeLessThan(1_100)
  expect(shown.at(-1)?.isPlaying).toBe(false)
  playback.update(whole)
  pass(1_000)
  expect(playing()).toMatchObject({ isWaiting: false })
  expect(shown.at(-1)?.isPlaying).toBe(true)
})

test('shows no page at a time that has not been read, even when paused', () => {
  const { playback, shown, playing, isHidden } = setUp(partly)
  expect(playing()).toMatchObject({ isWaiting: false, hasPicture: true })
  playback.seek(40_000)
  expect(isHidden()).toBe(true)
  expect(playing()).toMatchObject({ at: 40_000, isWaiting: true, hasPicture: false })
  playback.update(whole)
  expect(isHidden()).toBe(false)
  expect(shown.at(-1)).toMatchObject({ at: 40_000, isPlaying: false })
  expect(playing()).toMatchObject({ isWaiting: false, hasPicture: true })
})

test('resumes where it stopped after the page was hidden', () => {
  const { playback, pass, playing } = setUp()
  playback.set({ isPlaying: true })
  pass(1_000)
  playback.tick(60_000)
  expect(playing()?.at).toBe(1_000)
})

test('clamps a position outside the recording', () => {
  const { playback, playing } = setUp()
  playback.seek(-1)
  expect(playing()?.at).toBe(0)
  playback.seek(1e9)
  expect(playing()?.at).toBe(60_000)
})

test('reports no picture without a scene, and shows the first scene that arrives', () => {
  const { playback, shown, playing } = setUp({ ...partly, cuts: [] })
  expect(playing()).toMatchObject({ hasPicture: false, window: 0 })
  playback.update(whole)
  expect(shown).toHaveLength(1)
  expect(playing()).toMatchObject({ hasPicture: true })
})

test('shows no other moment while the recording has no picture', () => {
  const cuts = [
    { at: epoch, page: null },
    { at: epoch + 12_000, page: { window: 'b', start: epoch + 12_000 } },
    { at: epoch + 30_000, page: null },
  ]
  const { playback, shown, pass, playing, isHidden } = setUp({ ...whole, cuts })
  playback.seek(11_900)
  expect([isHidden(), playing()?.hasPicture]).toEqual([true, false])
  expect(shown).toEqual([])
  playback.set({ isPlaying: true })
  pass(300)
  expect(playing()).toMatchObject({ hasPicture: true, window: 2 })
  playback.seek(31_000)
  expect([isHidden(), playing()?.hasPicture]).toEqual([true, false])
  expect(playing()).toMatchObject({ isWaiting: false, window: 0 })
})

test('needs no further ticks while it is paused or has ended, and continues where it stopped', () => {
  const { playback, pass, playing } = setUp()
  expect(playback.tick(0)).toBe(false)
  playback.set({ isPlaying: true })
  expect(playback.tick(0)).toBe(true)
  playback.set({ isPlaying: false })
  expect(playback.tick(50)).toBe(false)
  playback.set({ isPlaying: true })
  expect(playback.tick(90_000)).toBe(true)
  expect(playing()?.at).toBe(0)
  expect(playback.tick(90_050)).toBe(true)
  playback.seek(59_990)
  expect(playback.tick(90_100)).toBe(false)
  pass(1_000)
  expect(playing()).toMatchObject({ at: 60_000, isPlaying: false })
})
