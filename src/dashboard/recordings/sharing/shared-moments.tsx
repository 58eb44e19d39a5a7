import { useMemo } from 'react'
import type { LinkShows } from '../../../contract/recordings/recording-rules.ts'
import { clockTime } from '../../format/clock.ts'
import { MomentList } from '../moments/moment-list.tsx'
import { isErrorMark, type Mark } from '../player/player-messages.ts'
import { usePlayer, type Player } from '../player/player.ts'

type Moment = Mark & { key: string }

const headings: Record<LinkShows, string> = {
  picture: '',
  console: 'Console',
  network: 'Network',
  all: 'Console and network',
}

/** The console messages and requests that a link shows besides the picture, synchronised with the playback. */
export function SharedMoments({ player, shows }: { player: Player; shows: LinkShows }) {
  const marks = usePlayer(player, (state) => state.marks)
  const moments = useMemo(() => momentsIn(marks), [marks])
  return (
    <section
      aria-labelledby="moments"
      className="flex min-h-0 flex-col border-line bg-raised max-[999px]:h-2/5 max-[999px]:border-t min-[1000px]:w-90 min-[1000px]:border-l"
    >
      <h2 id="moments" className="border-b border-line px-3 py-2 font-medium">
        {headings[shows]}
      </h2>
      {moments.length === 0 && (
        <p className="p-3 text-ink-3">
          {shows === 'network' ? 'No requests so far.' : 'No messages so far.'}
        </p>
      )}
      <MomentList
        label={headings[shows]}
        rows={moments}
        player={player}
        isChronological
        title={({ text }) => text}
        renderDetails={(moment) => <Details moment={moment} />}
      >
        {(moment) => (
          <>
            <span className="w-11 shrink-0 font-mono text-xs text-ink-3">{clockTime(moment.at)}</span>
            <span className={`truncate ${inkOf(moment)}`}>{moment.text}</span>
          </>
        )}
      </MomentList>
    </section>
  )
}

/** Returns the marks that come from the console and the network. */
function momentsIn(marks: readonly Mark[]): Moment[] {
  return marks
    .filter(({ line, request }) => line !== undefined || request !== undefined)
    .map((mark, index) => ({ ...mark, key: String(index) }))
}

function Details({ moment: { text, detail, request } }: { moment: Moment }) {
  const parts = [detail, request?.requestBody, request?.responseBody].filter(Boolean)
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets keyboard users scroll it
      tabIndex={0}
      aria-label={text}
      className="max-h-48 overflow-auto border-t border-line p-3 wrap-anywhere whitespace-pre-wrap"
    >
      {parts.join('\n\n')}
    </pre>
  )
}

function inkOf(moment: Moment): string {
  if (isErrorMark(moment)) return 'font-medium text-fail-ink'
  return moment.kind === 'warn' ? 'text-short-ink' : ''
}
