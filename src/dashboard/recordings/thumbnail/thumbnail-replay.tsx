import { useEffect, useState } from 'react'
import type { SharedRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { clockTime } from '../../format/clock.ts'
import { usePlayer } from '../player/player.ts'
import { useRecordingPlayer } from '../player/use-recording-player.ts'

type ThumbnailReplayProps = {
  recording: SharedRecording
  /** The moment to show, in milliseconds since the start; a change seeks. */
  at: number
}

/**
 * A small still picture of a recorded page; fills its container. It exists only while it is in view, is made in idle time, and
 * loads only the blocks that show the moment.
 */
export function ThumbnailReplay({ recording, at }: ThumbnailReplayProps) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const isAlive = useSlot(element)
  return (
    <span ref={setElement} className="relative block size-full overflow-hidden bg-hover">
      <span className="sr-only">The page at {clockTime(at)}</span>
      {isAlive && <Frame key={recording.id} recording={recording} at={at} />}
    </span>
  )
}

/** Whether the element is in view and has a slot. */
function useSlot(element: HTMLElement | null): boolean {
  const [isAlive, setAlive] = useState(false)
  useEffect(() => {
    if (!element) return undefined
    let release: (() => void) | null = null
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting) release ??= takeSlot(() => setAlive(true))
      else {
        release?.()
        release = null
        setAlive(false)
      }
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      release?.()
    }
  }, [element])
  return isAlive
}

function Frame({ recording, at }: ThumbnailReplayProps) {
  const { projectId } = useAccount()
  const { player } = useRecordingPlayer({
    projectId,
    recording,
    at: at / 1000,
    isPlaying: false,
    extent: 'shown',
  })
  const { attach, seek } = player
  useEffect(() => seek(at), [seek, at])
  const hasPicture = usePlayer(player, ({ playing }) => playing.hasPicture)
  return <span ref={attach} className={hasPicture ? '' : 'opacity-0'} />
}

/** Still replays that may exist at a time; each has a frame with a document and a worker. */
const slotsMax = 10
/** Time (ms) without scrolling after which a still replay may be made. */
const restMs = 150
/** Time (ms) after which a still replay is made although the page has no idle time, as on a busy machine. */
const patienceMs = 1000

let taken = 0
let isScheduled = false
let scrolledAt = -Infinity
const waiting = new Set<() => void>()

/** Calls `grant` in idle time, once there is a free slot; the returned function releases the slot or ends the wait. */
function takeSlot(grant: () => void): () => void {
  waiting.add(grant)
  addEventListener('scroll', noteScroll, { passive: true })
  schedule()
  return () => {
    if (!waiting.delete(grant)) taken -= 1
    schedule()
  }
}

function noteScroll(): void {
  scrolledAt = performance.now()
}

/** Grants one slot at a time, so that the page responds between two frames that load. */
function schedule(): void {
  if (isScheduled || taken >= slotsMax || waiting.size === 0) return
  isScheduled = true
  const isAtRest = () => performance.now() - scrolledAt >= restMs
  const grantNext = () => {
    isScheduled = false
    const [grant] = waiting
    if (grant && isAtRest() && taken < slotsMax) {
      waiting.delete(grant)
      taken += 1
      grant()
    }
    schedule()
  }
  if (isAtRest() && 'requestIdleCallback' in globalThis)
    requestIdleCallback(grantNext, { timeout: patienceMs })
  else setTimeout(grantNext, restMs)
}
