import { useContext, useEffect, useState, type MouseEvent, createContext } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { TextareaField } from '../../ui/controls/field.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { selectorsIn } from './link-draft.ts'
import { usePlayer, type Player } from '../player/player.ts'
import type { Questions } from '../player/player-messages.ts'

/** What the links of the open dialog show. */
export type LinkTarget = {
  /** The player behind the dialog; undefined in a list, and for a collection. */
  player?: Player | undefined
  /** The player's position, in seconds since the start. */
  at?: number | undefined
  /** Whether the recording is of an app, which has no elements to choose. */
  isApp: boolean
}

export const LinkTargetContext = createContext<LinkTarget>({ isApp: false })

type ElementMasksProps = {
  /** CSS selectors, one per line. */
  selectors: string
  hint: string
  onChange: (selectors: string) => void
}

/** The field for the elements that a link hides. With a player, elements can be chosen, and each selector is tried. */
export function ElementMasks({ selectors, hint, onChange }: ElementMasksProps) {
  const { player } = useContext(LinkTargetContext)
  return (
    <>
      <TextareaField
        label="Elements"
        optional
        rows={2}
        value={selectors}
        placeholder=".address"
        onChange={({ target }) => onChange(target.value)}
        hint={hint}
      />
      {player && <ShownPage player={player} selectors={selectors} onChange={onChange} />}
    </>
  )
}

type ShownPageProps = Omit<ElementMasksProps, 'hint'> & { player: Player }

/** What the selectors match in the page that the player shows, and a way to choose elements there. */
function ShownPage({ player, selectors, onChange }: ShownPageProps) {
  const hasPicture = usePlayer(player, ({ playing }) => playing.hasPicture)
  const [isChoosing, setIsChoosing] = useState(false)
  if (!hasPicture) return null
  const lines = selectorsIn(selectors)
  const choose = (selector: string) => {
    if (!lines.includes(selector)) onChange([...lines, selector].join('\n'))
  }
  return (
    <>
      <Matches player={player} selectors={selectors} />
      <div className="flex flex-col gap-2">
        <div>
          <Button aria-expanded={isChoosing} onClick={() => setIsChoosing(!isChoosing)}>
            Choose elements
          </Button>
        </div>
        {isChoosing && <PageToChooseFrom player={player} onChoose={choose} />}
      </div>
    </>
  )
}

function Matches({ player, selectors }: Pick<ShownPageProps, 'player' | 'selectors'>) {
  const [matches, setMatches] = useState<readonly { selector: string; count: number | null }[]>([])
  useEffect(() => {
    let isCurrent = true
    const lines = selectorsIn(selectors)
    const count = async () => {
      const counts = await player.ask('matches', { selectors: lines })
      const found = lines.map((selector, index) => ({ selector, count: counts[index] ?? null }))
      if (isCurrent) setMatches(found)
    }
    count().catch(toastFailure('The elements could not be counted.'))
    return () => {
      isCurrent = false
    }
  }, [player, selectors])
  return (
    <output className="text-xs text-ink-2 empty:hidden">
      {matches.map(({ selector, count }, index) => (
        <span key={index} className="block wrap-anywhere">
          <code>{selector}</code> {matchInWords(count)}.
        </span>
      ))}
    </output>
  )
}

type PageToChooseFromProps = { player: Player; onChoose: (selector: string) => void }

/** A picture of the page that the player shows; a click chooses the element under the pointer. */
function PageToChooseFrom({ player, onChoose }: PageToChooseFromProps) {
  const picture = usePicture(player)
  const [found, setFound] = useState<Questions['element']['answer']>(null)
  const [last, setLast] = useState<string | null>(null)
  const elementUnder = (event: MouseEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    return player.ask('element', { x: (event.clientX - left) / width, y: (event.clientY - top) / height })
  }
  const chooseUnder = async (event: MouseEvent<HTMLElement>) => {
    const element = await elementUnder(event)
    if (!element) return
    setLast(element.selector)
    onChoose(element.selector)
  }
  const failed = toastFailure('The element could not be found.')
  if (picture === null) return <output className="appear-late text-ink-3">Loading…</output>
  return (
    <>
      <p className="text-xs text-ink-2">
        {last === null ? 'Click what viewers must not see.' : `Added ${last}.`}
      </p>
      {/* Keyboard users type a selector instead; the field above shows what it matches. */}
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        className="relative block w-full overflow-hidden border border-line"
        onPointerMove={(event) => void elementUnder(event).then(setFound, failed)}
        onPointerLeave={() => setFound(null)}
        onClick={(event) => void chooseUnder(event).catch(failed)}
      >
        <img src={picture} alt="" className="block w-full" />
        {found && <span className="absolute outline-2 outline-accent" style={inPercent(found.box)} />}
      </button>
    </>
  )
}

/** Returns the URL of a picture of the page that the player shows; null until it is ready. */
function usePicture(player: Player): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let isOpen = true
    const made = player
      .ask('picture', { title: '' })
      .then((svg) => URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })))
    made.then((each) => isOpen && setUrl(each), toastFailure('The picture of the page could not be made.'))
    return () => {
      isOpen = false
      made.then(URL.revokeObjectURL, () => undefined)
    }
  }, [player])
  return url
}

function inPercent(shares: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(shares).map(([edge, share]) => [edge, `${share * 100}%`]))
}

/** Describes how many elements a selector matches in the page that the player shows; null if it is no selector. */
export function matchInWords(count: number | null): string {
  if (count === null) return 'is not a CSS selector'
  if (count === 0) return 'matches nothing at this moment'
  return `matches ${count === 1 ? '1 element' : `${count.toLocaleString('en')} elements`} at this moment`
}
