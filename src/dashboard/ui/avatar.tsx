type AvatarProps = {
  /** Of the person; an address if they have none. */
  name: string
  /** 20 or 32 px. */
  size?: 'small' | 'large'
}

const sizes = { small: 'size-5 text-[10px]', large: 'size-8 text-xs' }

/** Initials in a circle whose tint belongs to the name: beside the name, which screen readers read instead. */
export function Avatar({ name, size = 'small' }: AvatarProps) {
  const hue = hueOf(name)
  return (
    <span
      aria-hidden="true"
      className={`inline-grid shrink-0 place-items-center rounded-full leading-none font-semibold ${sizes[size]}`}
      style={{
        background: `light-dark(oklch(91% 0.05 ${hue}), oklch(37% 0.06 ${hue}))`,
        color: `light-dark(oklch(34% 0.09 ${hue}), oklch(93% 0.03 ${hue}))`,
      }}
    >
      {initialsOf(name)}
    </span>
  )
}

/** Returns the first letters of the first and the last word of a name, or of the part of an address before the @. */
export function initialsOf(name: string): string {
  const words = name.replace(/@.*/s, '').match(/[\p{L}\p{N}]+/gu) ?? ['?']
  const [first, last] = [words[0], words.slice(1).at(-1)]
  return [first, last]
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}

/** Degrees. */
function hueOf(name: string): number {
  return [...name].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % 360
}
