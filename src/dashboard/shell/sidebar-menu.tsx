import { Suspense, useId, useRef, type ComponentProps, type ComponentType } from 'react'
import { useOpening } from '../ui/controls/use-opening.ts'

type SidebarMenuProps = {
  /** The button, without what opens the menu. */
  button: ComponentProps<'button'>
  /** Shown while the menu is open. */
  Content: ComponentType<{ onDone: () => void }>
  /** Called when a page was chosen. */
  onOpen: () => void
  className: string
}

/** A button at the sidebar's foot that opens a menu. */
export function SidebarMenu({ button, Content, onOpen, className }: SidebarMenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const { open, key, onToggle } = useOpening()
  const done = () => {
    ref.current?.hidePopover()
    onOpen()
  }
  return (
    <>
      <button
        {...button}
        type="button"
        aria-expanded={open}
        popoverTarget={id}
        className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-ink-2 hover:bg-hover aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink"
      />
      <div
        ref={ref}
        id={id}
        popover="auto"
        onToggle={onToggle}
        className={`anchored-start max-h-[calc(100%-8px)] w-64 [position-try-order:most-height] overflow-y-auto rounded-lg border border-line bg-raised text-ink shadow-overlay ${className}`}
      >
        <Suspense fallback={<output className="block px-2 py-1.5 text-ink-3">Loading…</output>}>
          {open && <Content key={key} onDone={done} />}
        </Suspense>
      </div>
    </>
  )
}
