import '@rrweb/replay/dist/style.css'
import './frame.css'
import { isActive, type WindowEvent } from '../../../contract/rrweb.ts'
import { createMobileScreen } from '../mobile/mobile-screen.ts'
import { messageFrom, type FromPlayer, type Mark, type ToPlayer } from '../player/player-messages.ts'
import { createMarkFinder } from './marks.ts'
import { outlineOf } from './outline.ts'
import { createPlayback } from './playback.ts'
import { readLines } from './read-lines.ts'
import { cutScenes } from './scenes.ts'
import { createStage } from './stage.ts'

const findMarks = createMarkFinder()
const drawScreen = createMobileScreen()
const stage = createStage(document.body)
const playback = createPlayback(
  {
    ...stage,
    show: (...scene) => {
      try {
        stage.show(...scene)
      } catch (error) {
        reportError(error)
      }
    },
  },
  (playing) => send({ kind: 'playing', playing }),
)

let start = 0
let end = 0
let events: WindowEvent[] = []
let unreadable = 0
// Reads one message at a time, in the order of arrival.
let reading = Promise.resolve()

addEventListener('message', (event) => {
  const message = messageFrom<ToPlayer>(event, parent)
  if (message) handle(message)
})
// Playback continues when rrweb fails to render a moment.
addEventListener('error', (event) => {
  event.preventDefault()
  send({ kind: 'problem', text: 'A part of this recording could not be rendered.' })
})
requestAnimationFrame(function tick(now) {
  playback.tick(now)
  requestAnimationFrame(tick)
})
send({ kind: 'ready' })

function handle(message: ToPlayer): void {
  switch (message.kind) {
    case 'open':
      start = message.start
      end = message.end
      publish(false, [])
      playback.seek(message.at)
      if (message.isPlaying) playback.play()
      break
    case 'lines':
      reading = reading.then(() => read(message.text, message.isLast))
      break
    case 'play':
      playback.play()
      break
    case 'pause':
      playback.pause()
      break
    case 'seek':
      playback.seek(message.at)
      break
    case 'speed':
      playback.setSpeed(message.speed)
      break
    case 'skip idle':
      playback.skipIdle(message.on)
      break
    default:
      message satisfies never
  }
}

async function read(text: string, isLast: boolean): Promise<void> {
  const lines = await readLines(text, drawScreen)
  const read = lines.events.toSorted(byTime)
  const isInOrder = (events.at(-1)?.event.timestamp ?? 0) <= (read[0]?.event.timestamp ?? Infinity)
  events = isInOrder ? [...events, ...read] : [...events, ...read].toSorted(byTime)
  unreadable += lines.unreadable
  const marks = read.flatMap(findMarks).map(({ time, ...mark }): Mark => ({ ...mark, at: time - start }))
  publish(isLast, marks)
}

/** Passes everything read so far to the playback, and reports it to the dashboard with the new marks. */
function publish(isAll: boolean, marks: readonly Mark[]): void {
  const last = events.at(-1)?.event.timestamp ?? 0
  end = isAll && last > 0 ? last : Math.max(end, last)
  const active = events.filter(({ event }) => isActive(event)).map(({ event }) => event.timestamp - start)
  const outline = outlineOf(active, end - start)
  const windows = [...new Set(events.map(({ window }) => window))]
  // Only the part that has been read is known to be idle.
  const idle = isAll ? outline.idle : outline.idle.filter(({ to }) => to < last - start)
  const readUntil = isAll ? Infinity : last
  playback.update({ start, end, cuts: cutScenes(events), idle, windows, readUntil })
  const known = { activity: outline.activity, idle, end: end - start, windows: windows.length }
  send({ kind: 'read', marks, outline: known, unreadable })
}

function byTime(one: WindowEvent, other: WindowEvent): number {
  return one.event.timestamp - other.event.timestamp
}

function send(message: FromPlayer): void {
  parent.postMessage(message, location.origin)
}
