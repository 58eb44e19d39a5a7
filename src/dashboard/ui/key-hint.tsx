const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

const names: Record<string, string> = {
  Enter: '↵',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
}

/** Returns a key as this device's keyboard labels it: "⌘K" or "Ctrl K". */
export function keyInWords(key: string): string {
  const parts = key.split('+').map((part) => {
    if (part === 'mod') return isApple ? '⌘' : 'Ctrl'
    if (part === 'shift') return isApple ? '⇧' : 'Shift'
    return names[part] ?? (key.includes('+') ? part.toUpperCase() : part)
  })
  return parts.join(isApple ? '' : ' ')
}

/** Shows the shortcut of the button or field that it is part of. */
export function KeyHint({ of: key }: { of: string }) {
  return (
    <kbd
      aria-hidden="true"
      className="rounded-sm border border-current/30 px-1 font-mono text-[11px] leading-4 font-normal max-sm:hidden"
    >
      {keyInWords(key)}
    </kbd>
  )
}
