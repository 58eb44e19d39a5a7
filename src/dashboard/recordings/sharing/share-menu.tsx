import { useEffect, useRef, useState } from 'react'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { useLinkChanges } from '../../queries/recordings/sharing.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { clockTime } from '../../format/clock.ts'
import { recordingName } from '../../format/recording-name.ts'
import { usePlayer, type Player } from '../player/player.ts'
import { ShareDialog } from './share-dialog.tsx'
import { sharedLink } from './shared-link.ts'
import { saveFile } from '../../ui/save-file.ts'

/** Ways to share a recording: links to the current moment, and the sharing settings. */
export function ShareMenu({ recording, player }: { recording: SessionRecording; player: Player }) {
  const { projectId, scopes } = useAccount()
  const ref = useRef<HTMLSpanElement>(null)
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  usePausedWhile(player, isMenuOpen || isDialogOpen)
  const seconds = usePlayer(player, ({ playing }) => Math.floor(playing.at / 1000))
  const hasPicture = usePlayer(player, ({ playing }) => playing.hasPicture)
  const openByKey = () => {
    ref.current?.querySelector('button')?.click()
    // At once, because the letter of an item may follow before the menu has rendered it.
    ref.current?.querySelector<HTMLElement>('[role=menu]')?.focus()
  }
  useKeys({ s: { does: 'Share', run: openByKey } })
  const { id } = recording
  const { create, remove } = useLinkChanges(projectId, id)
  const time = clockTime(seconds * 1000)
  const length = usePlayer(player, (state) => state.highlightSeconds)
  const moment = length === null ? (seconds > 0 ? `?t=${seconds}` : '') : `?highlights=${length}`
  const highlights = length === null ? null : `to the highlights in ${length} s`
  const [at, from] = [highlights ?? `at ${time}`, highlights ?? `from ${time}`]
  const copyTeamLink = () =>
    void copy(
      Promise.resolve(`${location.origin}/recordings/${encodeURIComponent(id)}${moment}`),
      `Link ${at} copied. It works for anyone who can sign in to this project.`,
    )
  const copyPublicLink = () => {
    const created = create.mutateAsync({ start: length === null && seconds > 0 ? seconds : null })
    const url = created.then((link) => sharedLink(link) + (length === null ? '' : moment))
    const undo = async () => {
      const failed = toastFailure('The link could not be deleted.')
      const link = await created
      remove.mutate(link.id, { onSuccess: () => toast('The public link was deleted.'), onError: failed })
    }
    void copy(url, `Public link ${from} copied. Anyone with the link can watch.`, () => void undo())
  }
  const openSettings = () => setIsDialogOpen(true)
  const cannotSee = recordingCan.seeSharing(scopes)
  const cannotShare = recordingCan.share(scopes)
  return (
    <span ref={ref}>
      <Menu
        label="Share"
        onToggle={setIsMenuOpen}
        items={[
          { label: `Copy team link ${at}`, letter: 'c', onSelect: copyTeamLink },
          { label: `Public link ${from}`, letter: 'p', onSelect: copyPublicLink, reason: cannotShare },
          {
            label: 'Picture of this moment (SVG)',
            letter: 'i',
            onSelect: () => void savePicture(player, recordingName(recording)),
            reason: hasPicture ? null : 'There is no picture at this moment',
          },
          { label: 'Embed…', letter: 'e', onSelect: openSettings, reason: cannotSee },
          { label: 'Sharing settings…', letter: 's', onSelect: openSettings, reason: cannotSee },
        ]}
      >
        Share <span aria-hidden="true">▾</span>
      </Menu>
      {isDialogOpen && (
        <ShareDialog rows={[recording]} at={seconds} player={player} onClose={() => setIsDialogOpen(false)} />
      )}
    </span>
  )
}

/** Pauses playback while sharing, so that a link starts at the moment at which the viewer wanted to share. */
function usePausedWhile({ state, toggle }: Player, isSharing: boolean): void {
  useEffect(() => {
    if (!isSharing || !state.get().playing.isPlaying) return undefined
    toggle()
    const paused = state.get().toggles
    return () => {
      const { playing, outline, toggles } = state.get()
      // Unless the viewer has started or stopped it since, or it is at the end.
      if (toggles === paused && playing.at < outline.end) toggle()
    }
  }, [isSharing, state, toggle])
}

/** Copies a link, which need not have been created yet: a browser allows copying only just after a click. */
async function copy(link: Promise<string>, done: string, undo?: () => void): Promise<void> {
  try {
    const text = link.then((url) => new Blob([url], { type: 'text/plain' }))
    const isCopied = await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]).then(
      () => true,
      () => false,
    )
    const url = await link
    if (isCopied) toast(done, { undo })
    else toast(`The browser blocked copying. Copy the link by hand: ${url}`, { tone: 'failed', undo })
  } catch (error) {
    toastFailure('The link could not be created.')(error)
  }
}

/** Saves the page that the player shows as an SVG file; `name` is the name of the recording. */
async function savePicture(player: Player, name: string): Promise<void> {
  try {
    const time = clockTime(player.state.get().playing.at)
    const svg = await player.ask('picture', { title: `${name}, ${time}` })
    const file = `${name} ${time}`.replaceAll(/[^\p{L}\p{N}@.]+/gu, '-')
    saveFile(`${file}.svg`, new Blob([svg], { type: 'image/svg+xml' }))
  } catch (error) {
    toastFailure('The picture could not be made.', () => void savePicture(player, name))(error)
  }
}
