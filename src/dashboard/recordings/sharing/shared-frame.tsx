import type { ReactNode } from 'react'
import { Logo } from '../../ui/icon.tsx'

/** `note`: what is shared, and by whom. */
type SharedFrameProps = { title: string; note: ReactNode; isEmbedded: boolean; children: ReactNode }

/** The page around what a link shares; embedded in another page, the content alone. */
export function SharedFrame({ title, note, isEmbedded, children }: SharedFrameProps) {
  return (
    <main className={`flex h-dvh flex-col ${isEmbedded ? '' : 'gap-3 p-3 sm:p-4'}`}>
      <title>{`${title} · Spool`}</title>
      <header className={isEmbedded ? 'sr-only' : 'flex flex-wrap items-center gap-x-2 gap-y-1'}>
        <Logo />
        <h1 className="min-w-0 text-lg wrap-anywhere">{title}</h1>
        <span className="text-ink-3">{note}</span>
      </header>
      {children}
    </main>
  )
}

/** Returns the classes of the box in the frame that contains the player. */
export function boxClass(isEmbedded: boolean): string {
  return `min-h-0 flex-1 ${isEmbedded ? '' : 'overflow-hidden rounded-lg border border-line'}`
}
