import { useId, useRef } from 'react'
import { useOpening } from './use-opening.ts'
import { Icon } from '../icon.tsx'
import { SwitcherList, type SwitcherListProps } from './switcher-list.tsx'

type SwitcherProps = Omit<SwitcherListProps, 'onClose'> & { look: keyof typeof looks }

const looks = {
  field: 'field h-auto py-1 font-medium',
  quiet: 'rounded-md px-2 py-0.5 text-xs text-ink-3 hover:bg-hover',
}

/**
 * A button that names the current one of several objects, and opens a list in which another one is found and chosen. If there
 * is only one, a text names it.
 */
export function Switcher({ look, ...list }: SwitcherProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const { open, key, onToggle } = useOpening()
  const current = list.options.find((option) => option.id === list.currentId)?.name ?? ''
  const name = (
    <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere" title={current}>
      {current}
    </span>
  )
  if (list.options.length < 2) return <span className={`flex w-full ${looks[look]}`}>{name}</span>
  return (
    <>
      <button
        type="button"
        aria-label={`${list.label}: ${current}`}
        aria-haspopup="listbox"
        aria-expanded={open}
        popoverTarget={id}
        className={`flex w-full items-center gap-1 text-left ${looks[look]}`}
      >
        {name}
        <span className="rotate-90 text-ink-3">
          <Icon name="right" size={12} />
        </span>
      </button>
      <div
        ref={ref}
        id={id}
        popover="auto"

        onToggle={onToggle}
        className="anchored-start w-80 max-w-[calc(100vw-32px)] rounded-lg border border-line bg-raised p-1.5 text-ink shadow-overlay"
      >
        {open && <SwitcherList key={key} {...list} onClose={() => ref.current?.hidePopover()} />}
      </div>
    </>
  )
}
