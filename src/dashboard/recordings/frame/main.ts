import '@rrweb/replay/dist/style.css'
import './frame.css'
import '../mobile/phone.css'
import { blocksShowing, type Block } from '../player/block-order.ts'
import { messageFrom, type FromPlayer, type ToPlayer } from '../player/player-messages.ts'
import { createAssets } from './assets.ts'
import { createPlayback } from './playback.ts'
import { createPreview } from './preview.ts'
import type { FromReader, Read, ToReader } from '../reader/reader-messages.ts'
import { createStage } from './stage.ts'

const reader = new Worker(new URL('../reader/reader.ts', import.meta.url), { type: 'module' })
const assets = createAssets(location.origin)
const stage = createStage(document.body, assets, ask, (size) => send({ kind: 'size', size }))
const preview = createPreview(document.body, assets, ask)
const playback = createPlayback(stage, (playing) => {
  send({ kind: 'playing', playing })
  if (playing.isPlaying) startTicking()
})
let isTicking = false

let blocks: readonly Block[] = []
/** Start of the recording, in milliseconds since the epoch. */
let start = 0

addEventListener('message', (event) => {
  const message = messageFrom<ToPlayer>(event, parent)
  if (message) handle(message)
})
reader.addEventListener('message', ({ data }: MessageEvent<FromReader>) => receive(data))
// Playback continues when rrweb fails to render a moment.
addEventListener('error', (event) => {
  event.preventDefault()
  send({ kind: 'problem', text: 'A part of this recording could not be rendered.' })
})
reader.addEventListener('error', () => {
  send({ kind: 'problem', text: 'A part of this recording could not be read.' })
})
send({ kind: 'ready' })

/** Moves the playback with each animation frame until it pauses; a paused player takes no processor time. */
function startTicking(): void {
  if (isTicking) return
  isTicking = true
  requestAnimationFrame(function tick(now) {
    isTicking = playback.tick(now)
    stage.tick()
    if (isTicking) requestAnimationFrame(tick)
  })
}

function handle(message: ToPlayer): void {
  switch (message.kind) {
    case 'open':
      start = message.start
      stage.open(start)
      preview.open(start)
      ask({ kind: 'open', start: message.start, end: message.end })
      playback.open(message)
      stage.prepare()
      break
    case 'blocks':
      blocks = message.blocks
      ask(message)
      break
    case 'actions':
    case 'pin':
      ask(message)
      break
    case 'lines':
      ask(message, [message.bytes])
      break
    case 'assets':
      if (assets.learn(message.stored)) stage.showArrivals()
      send({ kind: 'missing', missing: assets.missing() })
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
    case 'preview':
      if (message.at === null) preview.hide()
      else preview.show(start + message.at, message)
      break
    case 'highlights':
      playback.setHighlights(message.pieces)
      break
    case 'skip idle':
      playback.skipIdle(message.on)
      break
    default:
      message satisfies never
  }
}

function receive(message: FromReader): void {
  switch (message.kind) {
    case 'read':
      playback.update({ ...message.read, isRead: (time) => isRead(message.read, time) })
      reportRead(message)
      break
    case 'part':
      stage.receivePart(message)
      break
    case 'page':
      stage.receivePage(message)
      break
    case 'preview':
      preview.receive(message)
      break
    case 'more':
      stage.receiveMore(message)
      break
    default:
      message satisfies never
  }
}

function reportRead(message: Extract<FromReader, { kind: 'read' }>): void {
  const { read, marks, isAllMarks, unreadable } = message
  assets.find(message.assets)
  send({ kind: 'read', marks, isAllMarks, outline: read.outline, unreadable, blocks: read.blocks.size })
  send({ kind: 'missing', missing: assets.missing() })
}

/** Whether the blocks that show a time (ms since the epoch) have been read. */
function isRead({ blocks: read, isAll }: Read, time: number): boolean {
  return isAll || (blocks.length > 0 && blocksShowing(blocks, time).every(({ number }) => read.has(number)))
}

function ask(message: ToReader, transfer: Transferable[] = []): void {
  reader.postMessage(message, transfer)
}

function send(message: FromPlayer): void {
  parent.postMessage(message, location.origin)
}
