import '@rrweb/replay/dist/style.css'
import './frame.css'
import '../mobile/phone.css'
import { blocksShowing, type Block } from '../player/block-order.ts'
import { messageFrom, type FrameState, type FromPlayer, type ToPlayer } from '../player/player-messages.ts'
import { createAssets } from './assets.ts'
import { createPlayback } from './playback.ts'
import { createPreview } from './preview.ts'
import type { FromReader, Read, ToReader } from '../reader/reader-messages.ts'
import { createStage } from './stage.ts'

const reader = new Worker(new URL('../reader/reader.ts', import.meta.url), { type: 'module' })
const assets = createAssets(location.origin)
const stage = createStage(document.body, assets, ask, (size) => report({ size }))
const preview = createPreview(document.body, assets, ask)
const playback = createPlayback(stage, (playing) => {
  report({ playing })
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
  report({ problem: 'A part of this recording could not be rendered.' })
})
reader.addEventListener('error', () => {
  report({ problem: 'A part of this recording could not be read.' })
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
      start = message.recording.start
      stage.open(start)
      preview.open(start)
      ask({ kind: 'recording', recording: message.recording })
      playback.open(message)
      stage.prepare()
      break
    case 'recording':
      blocks = message.recording.blocks ?? blocks
      ask(message)
      break
    case 'lines':
      ask(message, [message.bytes])
      break
    case 'assets':
      if (assets.learn(message.stored)) stage.showArrivals()
      report({ missing: assets.missing() })
      break
    case 'settings':
      playback.set(message.settings)
      break
    case 'seek':
      playback.seek(message.at)
      break
    case 'preview':
      if (message.at === null) preview.hide()
      else preview.show(start + message.at, message)
      break
    default:
      message satisfies never
  }
}

function receive(message: FromReader): void {
  switch (message.kind) {
    case 'read': {
      const { read, marks, isAllMarks, unreadable } = message
      playback.update({ ...read, isRead: (time) => isRead(read, time) })
      assets.find(message.assets)
      const { outline } = read
      const state = { outline, unreadable, blocksRead: read.blocks.size, missing: assets.missing() }
      send({ kind: 'state', state, marks, isAllMarks })
      break
    }
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

/** Whether the blocks that show a time (ms since the epoch) have been read. */
function isRead({ blocks: read, isAll }: Read, time: number): boolean {
  return isAll || (blocks.length > 0 && blocksShowing(blocks, time).every(({ number }) => read.has(number)))
}

function ask(message: ToReader, transfer: Transferable[] = []): void {
  reader.postMessage(message, transfer)
}

function report(state: Partial<FrameState>): void {
  send({ kind: 'state', state })
}

function send(message: FromPlayer): void {
  parent.postMessage(message, location.origin)
}
