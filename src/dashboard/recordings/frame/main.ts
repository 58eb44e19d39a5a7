// First, so that the reader loads while the other modules are evaluated.
import { reader } from './reader-worker.ts'
import '@rrweb/replay/dist/style.css'
import './frame.css'
import { blocksShowing, isPage, type Block } from '../player/block-order.ts'
import { handle, type Handlers } from '../player/handlers.ts'
import {
  messageFrom,
  type FrameState,
  type FromPlayer,
  type Question,
  type ToPlayer,
} from '../player/player-messages.ts'
import { createAssets } from './assets.ts'
import { createPlayback } from './playback.ts'
import { createPreview } from './preview.ts'
import type { FromReader, Read, ToReader } from '../reader/reader-messages.ts'
import { Stage } from './stage.ts'

/** Origin of the page that contains this frame. */
const dashboard = location.hash.slice(1)
const assets = createAssets(location.origin)
const stage = new Stage(document.body, assets, ask, (size) => report({ size }))
const preview = createPreview(document.body, assets, ask)
const playback = createPlayback(stage, (playing) => {
  report({ playing })
  if (playing.isPlaying) startTicking()
})
let isTicking = false

let blocks: readonly Block[] = []
/** Start of the recording, in milliseconds since the epoch. */
let start = 0

const fromDashboard: Handlers<ToPlayer> = {
  open(message) {
    const { recording } = message
    start = recording.start
    stage.open(start)
    preview.open(start)
    ask({ kind: 'recording', recording })
    playback.open(message)
    stage.prepare()
  },
  recording(message) {
    blocks = message.recording.blocks ?? blocks
    ask(message)
  },
  lines: (message) => ask(message, [message.bytes]),
  assets({ stored }) {
    if (assets.learn(stored)) stage.showArrivals()
    report({ missing: assets.missing() })
  },
  settings: ({ settings }) => playback.set(settings),
  seek: ({ at }) => playback.seek(at),
  preview({ at, ...place }) {
    if (at === null) preview.hide()
    else preview.show(start + at, place)
  },
  picture: (question) => void answer(question),
  element: (question) => void answer(question),
  matches: (question) => void answer(question),
}

const fromReader: Handlers<FromReader> = {
  read({ read, marks, isAllMarks, unreadable, assets: found }) {
    playback.update({ ...read, isRead: (time) => isRead(read, time) })
    assets.find(found)
    const { outline, blocks: all } = read
    const blocksRead = [...all].filter((number) => !isPage(number)).length
    const state = { outline, unreadable, blocksRead, missing: assets.missing() }
    send({ kind: 'state', state, marks, isAllMarks })
  },
  part: (message) => stage.receivePart(message),
  page(message) {
    stage.receivePage(message)
    report({ hasShown: true })
  },
  preview: preview.receive,
  more: (message) => stage.receiveMore(message),
}

addEventListener('message', (event) => {
  const message = messageFrom<ToPlayer>(event, { window: parent, origin: dashboard })
  if (message) handle(fromDashboard, message)
})
reader.addEventListener('message', ({ data }: MessageEvent<FromReader>) => handle(fromReader, data))
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

/** Whether the blocks that show a time (ms since the epoch) have been read. */
function isRead({ blocks: read, isAll }: Read, time: number): boolean {
  return (
    isAll || (blocks.length > 0 && blocksShowing(blocks, time, read).every(({ number }) => read.has(number)))
  )
}

function ask(message: ToReader, transfer: Transferable[] = []): void {
  reader.postMessage(message, transfer)
}

function report(state: Partial<FrameState>): void {
  send({ kind: 'state', state })
}

/** Sends the answer to a question, or the error that prevents it. */
async function answer(question: Question): Promise<void> {
  const answered = import('./page-answers.ts').then(({ answerOf }) => answerOf(question))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- ports have no target origin
  question.answerTo.postMessage(await answered.catch((error: unknown) => error))
}

function send(message: FromPlayer): void {
  parent.postMessage(message, dashboard)
}
