import { useId, useRef, type ComponentPropsWithRef } from 'react'

const looks = {
  plain: 'border-line-strong bg-raised text-ink hover:bg-hover',
  primary: 'border-transparent bg-accent text-accent-ink hover:bg-accent-hover',
  quiet: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border-line-strong bg-raised text-fail-ink hover:bg-hover',
} as const

export type ButtonLook = keyof typeof looks

/** Returns the classes of a button, for other elements that look like one. */
export function buttonClass(look: ButtonLook, size: 'normal' | 'icon' = 'normal'): string {
  const box = size === 'icon' ? 'size-7 justify-center' : 'h-8 px-2.5'
  return `inline-flex items-center gap-1.5 rounded-md border font-medium whitespace-nowrap ${box} ${looks[look]}`
}

type ButtonProps = Omit<ComponentPropsWithRef<'button'>, 'disabled' | 'className'> & {
  look?: ButtonLook
  size?: 'normal' | 'icon'
  /** Why the action is disabled; the button stays focusable and shows the reason. */
  reason?: string | null
  busy?: boolean
}

export function Button({
  look = 'plain',
  size = 'normal',
  reason = null,
  busy = false,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const off = reason !== null || busy
  const { tip, ...tipProps } = useTip(reason)
  return (
    <>
      <button
        title={size === 'icon' && reason === null ? rest['aria-label'] : undefined}
        {...rest}
        {...tipProps}
        type={off && type === 'submit' ? 'button' : type}
        aria-disabled={off || undefined}
        aria-busy={busy || undefined}
        className={`${buttonClass(look, size)} aria-disabled:opacity-60`}
        onClick={off ? undefined : onClick}
      >
        {children}
      </button>
      {tip}
    </>
  )
}

/** Shows a tooltip while its owner is hovered or focused; render `tip` and spread the other properties over the owner. */
export function useTip(text: string | null) {
  const id = useId()
  const ref = useRef<HTMLSpanElement>(null)
  if (text === null) return { tip: null }
  const show = (event: { currentTarget: HTMLElement }) =>
    ref.current?.showPopover({ source: event.currentTarget })
  const hide = () => ref.current?.hidePopover()
  return {
    'aria-describedby': id,
    onMouseEnter: show,
    onFocus: show,
    onMouseLeave: hide,
    onBlur: hide,
    tip: (
      <span
        ref={ref}
        id={id}
        role="tooltip"
        popover="hint"
        className="anchored-tip max-w-72 rounded-md bg-ink px-2 py-1 text-xs whitespace-normal text-bg"
      >
        {text}
      </span>
    ),
  }
}
