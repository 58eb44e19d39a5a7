import { useContext, useEffect, useState, type MouseEvent, createContext } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { TextareaField } from '../../ui/controls/field.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { selectorsIn } from './link-draft.ts'
import type { Player } from '../player/player.ts'

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
  const [isChoosing, setIsChoosing] = useState(false)
  const frame = player?.shownPage()
  const page = frame?.contentDocument
  const lines = selectorsIn(selectors)
  const choose = (selector: string) => {
    if (!lines.includes(selector)) onChange([...lines, selector].join('\n'))
  }
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
      {page && (
        <output className="text-xs text-ink-2 empty:hidden">
          {lines.map((line, index) => (
            <span key={index} className="block wrap-anywhere">
              <code>{line}</code> {matchInWords(page, line)}.
            </span>
          ))}
        </output>
      )}
      {frame && (
        <div className="flex flex-col gap-2">
          <div>
            <Button aria-expanded={isChoosing} onClick={() => setIsChoosing(!isChoosing)}>
              Choose elements
            </Button>
          </div>
          {isChoosing && <PageToChooseFrom frame={frame} onChoose={choose} />}
        </div>
      )}
    </>
  )
}

type PageToChooseFromProps = { frame: HTMLIFrameElement; onChoose: (selector: string) => void }

/** A picture of the page that the player shows; a click chooses the element under the pointer. */
function PageToChooseFrom({ frame, onChoose }: PageToChooseFromProps) {
  const picture = usePicture(frame)
  const [box, setBox] = useState<ReturnType<typeof boxOf> | null>(null)
  const [last, setLast] = useState<string | null>(null)
  const elementUnder = (event: MouseEvent<HTMLElement>) => {
    const place = event.currentTarget.getBoundingClientRect()
    const scale = frame.clientWidth / place.width
    return elementAt(frame, (event.clientX - place.left) * scale, (event.clientY - place.top) * scale)
  }
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
        onPointerMove={(event) => {
          const element = elementUnder(event)
          setBox(element && boxOf(element, frame))
        }}
        onPointerLeave={() => setBox(null)}
        onClick={(event) => {
          const element = elementUnder(event)
          if (!element) return
          setLast(selectorOf(element))
          onChoose(selectorOf(element))
        }}
      >
        <img src={picture} alt="" className="block w-full" />
        {box && <span className="absolute outline-2 outline-accent" style={box} />}
      </button>
    </>
  )
}

/** Returns the URL of a picture of the page in a frame; null until it is ready. */
function usePicture(frame: HTMLIFrameElement): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let isOpen = true
    const make = async () => {
      const { pageAsSvg } = await import('../picture/page-picture.ts')
      return URL.createObjectURL(new Blob([await pageAsSvg(frame, '')], { type: 'image/svg+xml' }))
    }
    const made = make()
    made.then((each) => isOpen && setUrl(each), toastFailure('The picture of the page could not be made.'))
    return () => {
      isOpen = false
      made.then(URL.revokeObjectURL, () => undefined)
    }
  }, [frame])
  return url
}

/** Returns the element of the replayed page at a point (px in its window). */
function elementAt(frame: HTMLIFrameElement, x: number, y: number): Element | null {
  // Nothing is found in a frame that cannot be clicked.
  frame.inert = false
  const element = frame.contentDocument?.elementFromPoint(x, y) ?? null
  frame.inert = true
  return element
}

/** Returns where an element is in its window, in percent. */
function boxOf(element: Element, { clientWidth, clientHeight }: HTMLIFrameElement) {
  const { left, top, width, height } = element.getBoundingClientRect()
  const percent = (px: number, of: number) => `${(px / of) * 100}%`
  return {
    left: percent(left, clientWidth),
    top: percent(top, clientHeight),
    width: percent(width, clientWidth),
    height: percent(height, clientHeight),
  }
}

const parentsMax = 3
/** Names that need no escape; rrweb's own classes are not in the recorded page. */
const plainName = /^(?!rrweb|rr-)[a-z_][\w-]{0,40}$/i

type Named = Pick<Element, 'id' | 'localName' | 'classList'> & { parentElement: Named | null }

/** Returns a selector for an element and those like it: by its id, its classes, or its place in such an element. */
export function selectorOf(element: Named): string {
  const path: string[] = []
  for (let at: Named | null = element; at && path.length <= parentsMax; at = at.parentElement) {
    if (plainName.test(at.id)) return [`#${at.id}`, ...path].join(' > ')
    const classes = [...at.classList].filter((name) => plainName.test(name)).slice(0, 3)
    path.unshift([at.localName, ...classes].join('.'))
    if (classes.length > 0) break
  }
  return path.join(' > ')
}

/** Describes what a selector matches in the page that the player shows. */
export function matchInWords(page: Pick<Document, 'querySelectorAll'>, selector: string): string {
  try {
    const { length } = page.querySelectorAll(selector)
    if (length === 0) return 'matches nothing at this moment'
    return `matches ${length === 1 ? '1 element' : `${length.toLocaleString('en')} elements`} at this moment`
  } catch {
    // querySelectorAll throws for any text that is not a selector.
    return 'is not a CSS selector'
  }
}
